"""The plan: what a configuration makes of data sets, methods and seeds, and where it all goes.

The Snakefile, `arsm-l2r status`, publishing, searches, claims and the report ask it; nobody else
merges a configuration or says which runs there are.
"""

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import polars as pl

from arsm_l2r.errors import ConfigError, UserError
from arsm_l2r.estimators import estimator_by_name, estimator_names
from arsm_l2r.experiments.code_versions import training_code
from arsm_l2r.experiments.configuration import (
    Configuration,
    Search,
    check_method,
    read_configuration,
)
from arsm_l2r.experiments.layout import Layout, RunFiles
from arsm_l2r.experiments.methods import known_methods
from arsm_l2r.experiments.studies import (
    CLAIMS,
    STANDARD,
    STUDIED,
    TABLED,
    Needs,
    Study,
    ablation_studies,
    trials,
    variants,
)
from arsm_l2r.files import read_json
from arsm_l2r.letor.catalogue import Dataset, load_catalogue
from arsm_l2r.metrics import PAPER_MEASURES, measure_by_name
from arsm_l2r.rankers.method import Method
from arsm_l2r.settings import refusal
from arsm_l2r.source_code import reference, users_files

_LOCAL = {"letor_mirror": None, "allow_cpu": False}
"""Settings that change no result, and their defaults."""


def require(kind: str, name: str, known: Iterable[str]) -> str:
    """The name itself, if it is known.

    Raises:
        UserError: naming those that are.
    """
    if name not in known:
        raise UserError(f"no {kind} {name!r}; there are {', '.join(known)}")
    return name


@dataclass(frozen=True)
class Trained:
    """What can be trained under a name: a method with settings."""

    method: Method
    settings: Mapping[str, Any]

    @property
    def identifying(self) -> dict[str, Any]:
        """The settings that tell its runs from others; see `LearnedRanker.identifying`."""
        return self.method.ranker.identifying(self.settings)


@dataclass(frozen=True)
class Run:
    """One training: a method or variant by its name, on a fold, with a seed; and its files."""

    dataset: str
    fold: int
    name: str
    seed: int
    files: RunFiles


@dataclass(frozen=True)
class Evidence:
    """What a claim is judged by, and nothing else: who judges it reads through this.

    Attributes:
        study: the experiment, if it takes one.
        runs: of that experiment.
        rescored: files by data set, if they are needed.
        gradients: files by data set, if they are needed.
        analyses: files by data set, if they are needed.
        needs: what it takes.
    """

    study: Study | None
    runs: Sequence[Run]
    rescored: Mapping[str, Path]
    gradients: Mapping[str, Path]
    analyses: Mapping[str, Path]
    needs: Needs

    @property
    def paths(self) -> list[Path]:
        """Every file."""
        of_runs = [getattr(run.files, name) for name in self.needs.files for run in self.runs]
        others = (self.analyses, self.rescored, self.gradients)
        return [*of_runs, *(path for files in others for path in files.values())]


class Plan:
    """What a configuration asks for.

    Args:
        configuration: as `read_configuration` gives it.
        project: the folder that its paths start from.
        results: where the results are, if not where the configuration says.

    Attributes:
        configuration: all settings.
        catalogue: what is known of every data set.
        datasets: names of the data sets to run.
        methods: settings by method, in the order of tables.
        seeds: that each method is trained with.
        measures: what is measured: the paper's measures, then others.
        searches: studies on validation data.
        ablations: studies for claims.
        trained: everything that can be trained, by name: methods and variants.
        layout: where the files are.

    Raises:
        ConfigError: if something cannot be trained.
    """

    def __init__(
        self, configuration: Configuration, project: Path = Path(), results: Path | None = None
    ) -> None:
        self.configuration = configuration
        self._project = project
        self.catalogue: dict[str, Dataset] = load_catalogue(project / configuration.catalogue)
        self.datasets = configuration.datasets
        for name in self.datasets:
            if name not in self.catalogue:
                raise ConfigError(
                    f"configuration: datasets: {name!r} is not in {configuration.catalogue}, "
                    f"which has {', '.join(self.catalogue)}"
                )
        self.methods = {name: own for name, own in configuration.methods.items() if own is not None}
        self.seeds = configuration.seeds
        self.measures = [*PAPER_MEASURES, *configuration.measures]
        # A study of a method that is left out is left out with it.
        self.searches = {
            name: self._search(name, each)
            for name, each in configuration.search.items()
            if not self._left_out(each.method)
        }
        self.ablations = (
            {}
            if self._left_out(configuration.ablations.method)
            else ablation_studies(configuration.ablations, self.methods)
        )
        known = known_methods()
        self.trained = {name: Trained(known[name], own) for name, own in self.methods.items()}
        for study in [*self.searches.values(), *self.ablations.values()]:
            for variant in study.variants:
                settings, problems = check_method(variant.method, variant.settings)
                if problems:
                    raise refusal(f"variant {variant.name}", problems)
                self.trained.setdefault(variant.name, Trained(known[variant.method], settings))
        self._check_combinations()
        self.layout = Layout(results or project / configuration.pathvars.results)

    @classmethod
    def load(cls, results: Path, project: Path = Path()) -> "Plan":
        """The plan that the results in a folder were made by."""
        path = Layout(results).configuration
        if not path.exists():
            raise UserError(
                f"{path}: not there, so that nobody knows what the results in {results} should be; "
                "Snakemake writes it when it runs with their configuration"
            )
        found = read_configuration(read_json(path), str(path), project, stored=True)
        return cls(found, project, results)

    @property
    def benchmarks(self) -> Path:
        """Where Snakemake's measurements of time and memory are."""
        folder = self.configuration.pathvars.benchmarks
        return Path(folder.replace("<results>", str(self.layout.root)))

    def folds(self, dataset: str) -> range:
        """The numbers of a data set's folds."""
        return range(1, self.catalogue[dataset].fold_count + 1)

    def runs(
        self,
        dataset: str | None = None,
        names: Iterable[str] | None = None,
        seeds: Sequence[int] | None = None,
    ) -> list[Run]:
        """Runs by data set, fold, name and seed.

        Args:
            dataset: by default, all.
            names: of methods or variants; by default, all methods.
            seeds: by default, those of the configuration.
        """
        chosen = list(self.methods if names is None else names)
        return [
            Run(each, fold, name, seed, self.layout.run(each, fold, name, seed))
            for each in ([dataset] if dataset else self.datasets)
            for fold in self.folds(each)
            for name in chosen
            for seed in (self.seeds if seeds is None else seeds)
        ]

    def runs_of_study(self, study: Study) -> list[Run]:
        """The runs of every variant of a study on all data sets."""
        return self.runs(names=[each.name for each in study.variants], seeds=study.seeds)

    @property
    def ablation_settings(self) -> dict[str, Any]:
        """The settings that ablations start from."""
        ablations = self.configuration.ablations
        return {**self.methods[ablations.method], **ablations.settings}

    def ablation_settings_on(self, dataset: str) -> dict[str, Any]:
        """The same with what rankers are told of a data set."""
        return {**self.ablation_settings, **self.catalogue[dataset].told}

    @property
    def studied(self) -> list[str]:
        """The claims that need experiments of their own, of methods that are not left out."""
        return STUDIED if self.ablations else []

    def evidence(self, claim: str) -> Evidence:
        """What a claim is judged by.

        Raises:
            ConfigError: if the method that it is about is left out.
        """
        needs = CLAIMS[claim]
        if needs.ablations and claim not in self.studied:
            raise ConfigError(f"{claim}: its method is left out of the configuration")
        study = self.ablations[needs.study] if needs.study else None

        def files(wanted: bool, path: Callable[[str], Path]) -> dict[str, Path]:
            return {name: path(name) for name in self.datasets} if wanted else {}

        return Evidence(
            study=study,
            runs=self.runs_of_study(study) if study else [],
            rescored=files(needs.rescored, self.layout.rescored),
            gradients=files(needs.gradients, self.layout.gradients),
            analyses=files(needs.analyses, self.layout.analysis),
            needs=needs,
        )

    @cached_property
    def tables(self) -> dict[str, list[Path]]:
        """What each table is made from, by the table's name."""
        sources = {"datasets": self.descriptions, "cost": self.analyses}
        kinds = ("", "_comparison", "_comparison_paper")
        for dataset in self.datasets:
            own = [self.layout.analysis(dataset)]
            sources |= {f"{dataset}{kind}": own for kind in kinds}
        for dataset in self.datasets:
            if (published := self.published(dataset)) is not None:
                sources[f"{dataset}_published"] = [self.layout.analysis(dataset), published]
        return sources

    @property
    def descriptions(self) -> list[Path]:
        """What every data set holds."""
        return [self.layout.description(name) for name in self.datasets]

    @property
    def analyses(self) -> list[Path]:
        """What was computed from everything measured, of every data set."""
        return [self.layout.analysis(name) for name in self.datasets]

    def claims_shown(self, *, asked: bool = False) -> list[Path]:
        """The claims of the page: of the tables, and of ablations that are asked for or there.

        Once they are there, the page keeps up with them.
        """
        shown = {name: self.layout.claim(name, "json") for name in CLAIMS}
        studied = [name for name in self.studied if asked or shown[name].exists()]
        return [path for name, path in shown.items() if name in TABLED or name in studied]

    @property
    def searched(self) -> dict[str, str]:
        """The searches whose tables are there, each with a hash of its table.

        The page shows them, and is made again when they change; it does not ask for them.
        """
        tables = {name: self.layout.search(name, "html") for name in self.searches}
        return {
            name: hashlib.sha256(path.read_bytes()).hexdigest()
            for name, path in tables.items()
            if path.exists()
        }

    @property
    def looks(self) -> str:
        """How methods are shown, which is no part of their code's version."""
        shown = [vars(self.trained[name].method).items() for name in self.methods]
        return repr([{key: value for key, value in each if key != "ranker"} for each in shown])

    @property
    def recorded(self) -> dict[str, Any]:
        """The configuration as results keep it: without what is this machine's own concern."""
        configuration = self.configuration.model_copy(update=_LOCAL)
        return configuration.model_dump(mode="json", exclude={"fetching"})

    def published(self, dataset: str) -> Path | None:
        """The file of baselines that others published for a data set, if we train any of them."""
        path = self.catalogue[dataset].published
        if path is None:
            return None
        try:
            theirs = pl.read_csv(self._project / path, columns=["method"])["method"]
        except (OSError, pl.exceptions.PolarsError) as error:
            raise ConfigError(
                f"{self.configuration.catalogue}: {dataset}.published: {path} cannot be read as a "
                f"CSV file with a column method: {error}"
            ) from error
        return self._project / path if set(self.methods) & set(theirs) else None

    def code(self, name: str) -> str:
        """The version of the code that trains under a name: results of another are made again."""
        trained = self.trained[name]
        return training_code(trained.method.ranker, trained.settings, self._project)

    def methods_on(self, dataset: str) -> dict[str, dict[str, Any]]:
        """The settings of every method with what rankers are told of a data set."""
        told = self.catalogue[dataset].told
        return {name: {**settings, **told} for name, settings in self.methods.items()}

    def training_settings(self, name: str, dataset: str) -> dict[str, Any]:
        """What identifies a training under a name on a data set; see `Entry.told`."""
        return {**self.trained[name].identifying, **self.catalogue[dataset].told}

    def extensions(self, name: str) -> list[str]:
        """The users' files that training under a name takes."""
        trained = self.trained[name]
        return users_files(trained.method.ranker.definitions(trained.settings))

    def workers(self, name: str) -> int:
        """How many workers share a training under a name."""
        return int(self.trained[name].settings.get("workers", 1))

    @property
    def measuring(self) -> list[Any]:
        """The functions that measure."""
        return [measure_by_name(name).definition for name in self.measures]

    @property
    def scattering(self) -> list[Any]:
        """What gradients are drawn with: the loss of the ablations, and every estimator."""
        ranker = self.trained[self.configuration.ablations.method].method.ranker
        estimators = [estimator_by_name(name) for name in estimator_names()]
        return [*ranker.definitions(self.ablation_settings), *estimators]

    def ranker(self, name: str) -> str:
        """The class that is trained under a name, as `module:Class` or `file.py:Class`."""
        return reference(self.trained[name].method.ranker)

    def _search(self, name: str, search: Search) -> Study:
        """The study that a search of the configuration asks for."""
        method = search.method
        if search.trials and method in self.methods:
            found = trials(name, search, known_methods()[method].ranker)
        else:
            found = variants(
                f"search.{name}",
                method,
                self.methods,
                settings=search.settings,
                vary=search.vary,
            )
        space = {setting: str(choices) for setting, choices in search.space.items()}
        return Study(name, method, search.seeds, found, space)

    def _left_out(self, method: str) -> bool:
        return method in known_methods() and method not in self.methods

    def _check_combinations(self) -> None:
        """Refuse what cannot be trained together, before anything is trained."""
        tried = dict(self.trained)
        if self.ablations:
            # Gradients of all estimators are compared with those of this one.
            method = self.trained[self.configuration.ablations.method].method
            standard = {**self.ablation_settings, "estimator": STANDARD}
            tried["ablations: gradients"] = Trained(method, standard)
        for name, each in tried.items():
            try:
                each.method.ranker.check_together(each.settings)
            except ValueError as error:
                raise ConfigError(f"{name}: {error}") from error

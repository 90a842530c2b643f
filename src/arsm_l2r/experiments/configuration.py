"""The workflow's configuration: what it may say, checked and with defaults filled in."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Self

from pydantic import AfterValidator, Field, model_validator

from arsm_l2r.declared import OneOf, settings_model
from arsm_l2r.errors import ConfigError
from arsm_l2r.experiments.methods import add_methods, known_methods
from arsm_l2r.extensions import load_extensions
from arsm_l2r.letor.limits import DEFAULTS, Fetching
from arsm_l2r.metrics import PAPER_MEASURES, measure_by_name
from arsm_l2r.rankers.arsm import MOST_LEVELS
from arsm_l2r.rankers.scoring import SCORINGS
from arsm_l2r.settings import LARGEST, Settings, Unique, examined, load_yaml, refusal

CONFIGFILE = Path("config/config.yaml")
"""The configuration of the full reproduction, from the project's folder."""


def _known_measure(name: str) -> str:
    try:
        found = measure_by_name(name).name
    except ConfigError as error:
        raise ValueError(str(error)) from error
    if found in PAPER_MEASURES:
        raise ValueError(f"{name} is measured anyway")
    return found


def _with_linear(names: list[str]) -> list[str]:
    if "linear" not in names:
        raise ValueError("linear must be among them")
    return names


def _with_one_in_expectation(losses: list[str]) -> list[str]:
    if [loss.partition("@")[0] for loss in losses].count("ndcg") != 1:
        raise ValueError("one of them, and only one, must be ndcg or ndcg@K")
    return losses


_Seed = Annotated[int, Field(ge=0, le=LARGEST)]
Seeds = Annotated[list[_Seed], Field(min_length=1), Unique]
_Names = Annotated[list[str], Field(min_length=1), Unique]


class Folders(Settings):
    """Where outputs go."""

    results: str = Field("results", description="Folder of the results.")
    logs: str = Field("<results>/logs", description="Folder of the log files.")
    benchmarks: str = Field(
        "<results>/benchmarks", description="Folder of Snakemake's time and memory measurements."
    )


class Choices(Settings):
    """What a setting is drawn from: some values, or the numbers of a range."""

    one_of: Annotated[list[Any], Field(min_length=1)] | None = Field(
        None, description="The values to draw from; or else `low` and `high`."
    )
    low: float | None = Field(None, description="The lowest number.")
    high: float | None = Field(None, description="The highest number.")
    log: bool = Field(False, description="Even on a logarithmic scale, rather than as they are.")

    @model_validator(mode="after")
    def _one_kind(self) -> Self:
        if self.one_of is not None:
            if self.low is not None or self.high is not None or self.log:
                raise ValueError("has one_of, and so neither low, high nor log")
        elif self.low is None or self.high is None:
            raise ValueError("needs either one_of, or both low and high")
        elif not self.low < self.high:
            raise ValueError(f"low {self.low:g} must be less than high {self.high:g}")
        elif self.log and self.low <= 0:
            raise ValueError(f"low {self.low:g} has no logarithm")
        return self

    def at(self, share: float) -> Any:
        """The value that lies so far, from 0 to 1, into the range or the list."""
        if self.one_of is not None:
            return self.one_of[int(share * len(self.one_of))]
        assert self.low is not None
        assert self.high is not None
        if self.log:
            return self.low * (self.high / self.low) ** share
        return self.low + (self.high - self.low) * share

    def __str__(self) -> str:
        if self.one_of is not None:
            return " or ".join(e if isinstance(e, str) else json.dumps(e) for e in self.one_of)
        return f"{self.low:g} to {self.high:g}{' (logarithmic)' if self.log else ''}"


class Search(Settings):
    """A study that `snakemake search` makes on validation data."""

    method: str = Field(description="The method whose settings are sought.")
    settings: dict[str, Any] = Field(
        {},
        description="Settings of all its trainings that differ from the method's own (with "
        "`trials`: from the defaults of its ranker).",
    )
    vary: dict[str, Annotated[list[Any], Field(min_length=1)]] = Field(
        {}, description="The values to try, by setting, one change at a time."
    )
    trials: Annotated[int, Field(ge=1, le=10_000)] | None = Field(
        None,
        description="How many points of `space` to try, instead of `vary`. More trials later "
        "leave those that there are as they are.",
    )
    space: dict[str, Choices] = Field(
        {},
        description="What trials are drawn from, by setting: `{one_of: [VALUE, …]}`, or `{low: "
        "NUMBER, high: NUMBER}` with `log: true` for a logarithmic scale.",
    )
    drawn_with: _Seed = Field(0, description="Seed of the draws of trials.")
    seeds: Seeds = Field([0], description="Each variant or trial is trained once per seed.")

    @model_validator(mode="after")
    def _one_kind(self) -> Self:
        if bool(self.vary) == bool(self.space) or bool(self.space) != bool(self.trials):
            raise ValueError("needs either vary, or both trials and space")
        return self


class AblationSeeds(Settings):
    """With which seeds the variants of each experiment are trained."""

    levels: Seeds = Field([0], description="Of the experiment with the number of levels.")
    losses: Seeds = Field([0], description="Of the experiment with losses.")
    ties: Seeds = Field([0], description="Of the experiment with ties.")
    estimators: Seeds = Field([0], description="Of the experiment with estimators.")
    entropy: Seeds = Field([0], description="Of the experiment with entropy.")


def _with_zero(weights: list[float]) -> list[float]:
    if 0 not in weights:
        raise ValueError("0 must be among them, which the others are compared with")
    return weights


class EntropyStudy(Settings):
    """The experiment with the entropy of the levels, estimators and scalings of features."""

    settings: dict[str, Any] = Field(
        {"learning_rate": 2e-3, "epochs": 30, "averaging": 0.9},
        description="Settings of the experiment that differ from the method's.",
    )
    weights: Annotated[
        list[Annotated[float, Field(ge=0)]],
        Field(min_length=2),
        Unique,
        AfterValidator(_with_zero),
    ] = Field([0.0, 0.1, 0.3], description="Weights of the entropy; 0 must be among them.")
    estimators: _Names = Field(
        ["arsm", "local-expectation"], description="Estimators to train with."
    )
    feature_scalings: _Names = Field(
        ["none", "values-and-quantiles"], description="Scalings of features to train with."
    )


class Ablations(Settings):
    """The experiments of `snakemake ablations`, which put the paper's claims to the test."""

    method: str = Field(
        "arsm-l2r",
        description="The method whose settings are varied, and whose trained models are scored "
        "anew.",
    )
    settings: dict[str, Any] = Field(
        {"learning_rate": 1e-3, "epochs": 60},
        description="Settings of all experiments, where they differ from the method's: the budget.",
    )
    seeds: AblationSeeds = Field(
        AblationSeeds(), description="By experiment; each of its variants is trained once per seed."
    )
    levels: Annotated[
        list[Annotated[int, Field(ge=2, le=MOST_LEVELS)]], Field(min_length=2), Unique
    ] = Field([3, 5, 10, 20, 40], description="Values of C, the number of levels.")
    losses: _Names = Field(
        ["ndcg@1", "ndcg@5", "ndcg@10", "ndcg", "average-precision", "zero-one", "absolute-error"],
        description="Losses to train with.",
    )
    ties: Annotated[_Names, Field(min_length=2), AfterValidator(_with_one_in_expectation)] = Field(
        ["ndcg@10", "ndcg-file-order@10", "ndcg-random-order@10"],
        description="Losses that differ in what they do with ties; one takes them in expectation.",
    )
    estimators: _Names = Field(
        ["reinforce", "ar", "ars", "arsm", "local-expectation"],
        description="Estimators whose learning curves are compared.",
    )
    learning_rates: Annotated[list[Annotated[float, Field(gt=0)]], Field(min_length=1), Unique] = (
        Field(
            [1e-4, 1e-3],
            description="The grid that the best learning rate of each estimator is taken from, on "
            "validation data.",
        )
    )
    entropy: EntropyStudy = Field(
        EntropyStudy(),
        description="The experiment with the entropy of the levels: all combinations.",
    )
    scorings: Annotated[
        list[Annotated[str, OneOf(lambda: list(SCORINGS))]],
        Field(min_length=2),
        Unique,
        AfterValidator(_with_linear),
    ] = Field(
        list(SCORINGS), description="Ways of scoring to compare; `linear` must be among them."
    )
    gradient_queries: Annotated[int, Field(ge=1, le=100_000)] = Field(
        16, description="Training queries that gradients are drawn on."
    )
    gradient_draws: Annotated[int, Field(ge=2, le=1_000_000)] = Field(
        1000, description="Gradients drawn of each estimator."
    )


class Configuration(Settings):
    """Settings of the workflow."""

    datasets: _Names = Field(description="Data sets to run, by their names in the catalogue.")
    seeds: Seeds = Field([0, 1, 2], description="Each method is trained once per seed.")
    measures: Annotated[list[Annotated[str, AfterValidator(_known_measure)]], Unique] = Field(
        [],
        description="What is measured besides NDCG@1, 3, 5, 10 and MAP, such as `rr` or `p@5`, "
        "also by the names of ir_measures ([docs/measures.md](../docs/measures.md)): further "
        "columns of the tables.",
    )
    extensions: Annotated[list[str], Unique] = Field(
        [],
        description="Python files with losses, estimators, measures and methods of your own "
        "([docs/own-method.md](../docs/own-method.md)).",
    )
    catalogue: str = Field("config/datasets.yaml", description="File that describes the data sets.")
    letor_mirror: str | None = Field(
        None,
        description="Folder with LETOR archives, or the folders unpacked from them, to use instead "
        "of the network; the environment variable `LETOR_MIRROR` takes precedence.",
    )
    fetching: Fetching = Field(
        DEFAULTS,
        description="How long fetching may take, and how large it may get. To change it reruns "
        "nothing.",
    )
    allow_cpu: bool = Field(
        False,
        description="A training job that was promised a GPU and finds none takes the CPU instead "
        "of failing. Whether GPUs are asked for at all: "
        "[docs/cluster.md](../docs/cluster.md#gpus).",
    )
    pathvars: Folders = Field(Folders(), description="Where outputs go.")
    search: dict[Annotated[str, Field(pattern="^[a-z][a-z0-9-]*$")], Search] = Field(
        {}, description="Studies that `snakemake search` makes on validation data, by name."
    )
    ablations: Ablations = Field(
        Ablations(),
        description="The experiments of `snakemake ablations`, which put the paper's claims to the "
        "test.",
    )
    methods: Annotated[dict[str, dict[str, Any] | None], Field(min_length=1)] = Field(
        description="The methods to train, each with its settings; `null` leaves a method out, as "
        "in `--config methods='{listnet: null}'`."
    )
    based_on: str | None = Field(
        None,
        description="Another configuration file: what it says holds where the file that names it "
        "says nothing. For files that are given with `--configfile`.",
    )


def read_configuration(
    given: Any,
    source: str = "configuration",
    project: Path = Path(),
    *,
    stored: bool = False,
) -> Configuration:
    """Check a configuration, load its extensions, and fill in all defaults.

    Args:
        given: what was read from files and the command line.
        source: what to call it in messages.
        project: the folder that its paths start from.
        stored: it was stored with results: settings that it does not have came later, and are what
            was done then, whatever their defaults are now.

    Raises:
        ConfigError: listing everything that is wrong.
    """
    wanted = given.get("extensions") if isinstance(given, Mapping) else None
    if isinstance(wanted, list) and all(isinstance(each, str) for each in wanted):
        for module in load_extensions(project / each for each in wanted):
            add_methods(module)
    found, problems = examined(Configuration, given)
    methods, more = _checked_methods(given if found is None else found.model_dump(), stored)
    if found is None or more:
        raise refusal(source, list(dict.fromkeys([*problems, *more])))
    if not methods:
        raise refusal(source, ["methods: all are left out; there must be one"])
    return found.model_copy(update={"methods": methods})


def check_method(name: str, given: Any) -> tuple[dict[str, Any], list[str]]:
    """The settings of a method with defaults filled in, as JSON has them, and what is wrong."""
    model = settings_model(known_methods()[name].ranker)
    found, problems = examined(model, given, under=("methods", name))
    return ({} if found is None else found.model_dump(mode="json")), problems


def _checked_methods(given: Any, stored: bool) -> tuple[dict[str, dict[str, Any]], list[str]]:
    """The settings of every method that is trained, in the order of tables, and what is wrong."""
    known = known_methods()
    methods = given.get("methods") if isinstance(given, Mapping) else None
    if not isinstance(methods, Mapping):
        return {}, []
    problems = [
        f"methods: unknown key {name!r}; allowed are {', '.join(known)}"
        for name in methods
        if name not in known
    ]
    checked = {}
    for name in known:
        if isinstance(methods.get(name), Mapping):
            own = known[name].ranker.identified(methods[name]) if stored else methods[name]
            checked[name], wrong = check_method(name, own)
            problems += wrong
    return checked, problems


def load_configuration(project: Path, overriding: Sequence[Path] = ()) -> Configuration:
    """The configuration as Snakemake would see it.

    Args:
        project: folder of the project.
        overriding: files whose keys override those of `CONFIGFILE`, as with Snakemake's
            `--configfile`.
    """
    given = load_yaml(project / CONFIGFILE)
    for path in overriding:
        given = _overridden(given, load_yaml(path) or {})
    return read_configuration(with_bases(given, overriding, project=project), project=project)


def with_bases(given: Any, files: Sequence[Path], more: Any = None, project: Path = Path()) -> Any:
    """A configuration with what its files are `based_on` between `CONFIGFILE` and themselves.

    Args:
        given: what was read from all files and the command line.
        files: those that override keys of `CONFIGFILE`, in order.
        more: what the command line overrides in turn.
        project: the folder that paths start from.

    Raises:
        ConfigError: if a file is based on itself.
    """
    for path in (each for file in files for each in _with_its_bases(project, file)):
        given = _overridden(given, load_yaml(path) or {})
    given = _overridden(given, more or {})
    return {key: value for key, value in given.items() if key != "based_on"}


def _with_its_bases(project: Path, file: Path, above: tuple[Path, ...] = ()) -> list[Path]:
    """The files that a configuration file is based on, the lowest first, and itself."""
    if file.resolve() in above:
        raise ConfigError(f"{file}: is based on itself")
    content = load_yaml(file)
    base = content.get("based_on") if isinstance(content, dict) else None
    if base is None:
        return [file]
    return [*_with_its_bases(project, project / str(base), (*above, file.resolve())), file]


def _overridden(given: Any, other: Any) -> Any:
    if not isinstance(given, dict) or not isinstance(other, dict):
        return other
    return {**given, **{key: _overridden(given.get(key), value) for key, value in other.items()}}

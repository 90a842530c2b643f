"""The page that a person reads: everything about the results in one file that needs no other."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from importlib import resources
from pathlib import Path
from typing import Any

from jinja2 import Environment, StrictUndefined
from markupsafe import Markup

from arsm_l2r import __version__
from arsm_l2r.analysis.comparison import compare
from arsm_l2r.analysis.completeness import missing, mixed_provenance, other_settings
from arsm_l2r.analysis.measured import runs_table
from arsm_l2r.analysis.names import in_order
from arsm_l2r.analysis.paper import load_paper
from arsm_l2r.analysis.queries import per_query_table
from arsm_l2r.analysis.verdicts import Answer, Verdict, headline, verdicts
from arsm_l2r.errors import UserError
from arsm_l2r.experiments.provenance import code_fingerprint
from arsm_l2r.files import read_json
from arsm_l2r.report.facts import data_checks, method_facts, origins, steps, training_facts
from arsm_l2r.report.svg import inline_svg

_SYMBOLS = {
    Answer.HOLDS: "✔",
    Answer.IN_PART: "◐",
    Answer.FAILS: "✘",
    Answer.UNKNOWN: "?",
    Answer.NOT_IN_PAPER: "–",
}

_TABLES = {
    "": "test measures of every method",
    "_comparison": "the paper's figures beside ours",
    "_comparison_paper": "the paper's figures beside ours, by the paper's equations",
    "_published": "the baselines beside those that Microsoft published",
}


@dataclass(frozen=True)
class Sources:
    """What a page is made from.

    Attributes:
        folds: results of folds, as `measured.load_folds` gives them.
        descriptions: what the data sets' `data.json` files hold.
        results: folder with what each run left, `{dataset}/fold{k}/{method}/seed{s}/`.
        tables: folder with `datasets.html`, `{dataset}.html`, `{dataset}_comparison.html`.
        figures: folder with `{dataset}/captions.json` and the figures that it names.
        settings: the configuration (`datasets`, `methods`, `seeds`); None if it is not known.
        options: what to add to a Snakemake command so that it makes these results.
        rounds: resamples of intervals and tests.
    """

    folds: Sequence[Mapping[str, Any]]
    descriptions: Sequence[Mapping[str, Any]]
    results: Path
    tables: Path
    figures: Path
    settings: Mapping[str, Any] | None = None
    options: str = ""
    rounds: int = 10_000

    by_name: Mapping[str, Mapping[str, Any]] = field(init=False)

    def __post_init__(self) -> None:
        by_name = {description["dataset"]: description for description in self.descriptions}
        object.__setattr__(self, "by_name", by_name)

    @property
    def datasets(self) -> list[str]:
        """Data sets in the order of the configuration, then others that there are results of."""
        wanted = self.settings["datasets"] if self.settings else []
        return list(dict.fromkeys([*wanted, *(fold["dataset"] for fold in self.folds)]))

    def folds_of(self, dataset: str) -> list[Mapping[str, Any]]:
        """The results of a data set in the order of its folds."""
        own = [fold for fold in self.folds if fold["dataset"] == dataset]
        return sorted(own, key=lambda fold: int(fold["fold"]))

    def title(self, dataset: str) -> str:
        """A data set's name as it is printed."""
        return str(self.by_name.get(dataset, {}).get("title", dataset))

    def fold_count(self, dataset: str) -> int:
        """How many folds a data set has, or at least has."""
        if dataset in self.by_name:
            return len(self.by_name[dataset]["parts"])
        return max((int(fold["fold"]) for fold in self.folds_of(dataset)), default=1)


def render(sources: Sources) -> str:
    """The page, as HTML."""
    folds, settings = sources.folds, sources.settings
    used = {run["method"] for fold in folds for run in fold["runs"]}
    seeds = sorted({run["seed"] for fold in folds for run in fold["runs"]})
    methods = in_order(settings["methods"]) if settings else in_order(used)
    if settings:
        seeds = list(settings["seeds"])
        methods = [name for name in methods if settings["methods"][name] is not None]
    found = {name: _verdicts(sources, name) for name in sources.datasets}
    environment = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    template = environment.from_string(_resource("page.html.jinja"))
    return template.render(
        css=Markup(_resource("page.css")),
        headline=headline([verdict for group in found.values() for verdict in group]),
        paper_source=load_paper().source,
        symbols=_SYMBOLS,
        configured=settings is not None,
        missing=missing(
            folds,
            sources.datasets,
            {name: sources.fold_count(name) for name in sources.datasets},
            methods,
            seeds,
        ),
        mixed=mixed_provenance(folds),
        unlike=other_settings(folds, settings["methods"]) if settings else [],
        datasets=[_dataset(sources, name, found[name]) for name in sources.datasets],
        datasets_table=_table(sources.tables / "datasets.html"),
        methods=method_facts(in_order({*methods, *used}), settings),
        seeds=seeds,
        steps=steps(sources.results, sources.datasets, methods, seeds, sources.options),
        version=__version__,
        code=code_fingerprint(),
    )


def _verdicts(sources: Sources, dataset: str) -> list[Verdict]:
    folds, paper = sources.folds_of(dataset), load_paper()
    queries = per_query_table(folds, sources.results)
    compared = compare(dataset, runs_table(folds), queries, paper, rounds=sources.rounds)
    return verdicts(
        dataset, sources.title(dataset), compared, paper, fold_count=sources.fold_count(dataset)
    )


def _dataset(sources: Sources, name: str, found: Sequence[Verdict]) -> dict[str, Any]:
    """What the template shows of a data set."""
    folds = sources.folds_of(name)
    tables = {ending: _table(sources.tables / f"{name}{ending}.html") for ending in _TABLES}
    return {
        "title": sources.title(name),
        "verdicts": [asdict(verdict) for verdict in found],
        "tables": [
            {
                "label": _TABLES[ending],
                "html": html,
                "folded": ending.endswith(("_paper", "_published")),
            }
            for ending, html in tables.items()
            if html
        ],
        "figures": _figures(sources.figures / name),
        "data": data_checks(sources.by_name[name]) if name in sources.by_name else None,
        "origins": origins(folds),
        "training": training_facts(folds),
    }


def _table(path: Path) -> Markup | None:
    """A table that `report.html` made, which escaped what comes from data."""
    return Markup(path.read_text(encoding="utf-8")) if path.exists() else None


def _figures(folder: Path) -> list[dict[str, Any]]:
    captions = folder / "captions.json"
    if not captions.exists():
        return []
    figures = []
    content = read_json(captions)
    for words in content["figures"]:
        path = folder / f"{words['name']}.svg"
        try:
            text = path.read_text(encoding="utf-8")
        except OSError as error:
            raise UserError(f"{path}: cannot be read: {error.strerror}") from error
        prefix = f"figure-{content['dataset']}-{words['name']}"
        # Drawn by `report.figures`; names from data are text in it, which stays escaped.
        figures.append({**words, "svg": Markup(inline_svg(text, prefix, words["alternative"]))})
    return figures


def _resource(name: str) -> str:
    return resources.files("arsm_l2r.report").joinpath(name).read_text("utf-8")

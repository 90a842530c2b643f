"""Where every file of a results folder lies; nobody else builds these paths."""

from dataclasses import dataclass
from pathlib import Path

FORMATS = ("tex", "html", "csv", "md")
"""The formats of every table."""

PICTURES = ("svg", "png")
"""The formats of every figure."""

FIGURES = {
    "cutoffs": "NDCG by cut-off",
    "differences": "query by query",
    "spread": "spread over folds and seeds",
    "training": "training curves",
    "jobs": "time and memory per job",
}
"""The figures of every data set, in the order of the report, and what they show."""


@dataclass(frozen=True)
class RunFiles:
    """What one run leaves: a method trained on a fold with a seed."""

    folder: Path

    @property
    def model(self) -> Path:
        """The trained model."""
        return self.folder / "model.npz"

    @property
    def history(self) -> Path:
        """A row per epoch, round, tree or other candidate."""
        return self.folder / "history.parquet"

    @property
    def vali(self) -> Path:
        """Scores of the validation documents."""
        return self.folder / "vali.scores"

    @property
    def test(self) -> Path:
        """Scores of the test documents."""
        return self.folder / "test.scores"

    @property
    def record(self) -> Path:
        """What training recorded about itself; written last."""
        return self.folder / "run.json"

    @property
    def measures(self) -> Path:
        """Measures of every query."""
        return self.folder / "measures.parquet"

    @property
    def summary(self) -> Path:
        """Means of the measures."""
        return self.folder / "summary.json"


@dataclass(frozen=True)
class Layout:
    """The files below a results folder.

    Names, and even numbers, may be wildcards of Snakemake such as `{dataset}`: then what comes out
    is the pattern of a rule.

    Attributes:
        root: the results folder, or `<results>`, by which Snakemake's rules call it.
    """

    root: Path

    @property
    def configuration(self) -> Path:
        """The whole configuration that the results are made with."""
        return self.root / "configuration.json"

    @property
    def report(self) -> Path:
        """The page that a person reads."""
        return self.root / "report.html"

    def description(self, dataset: str) -> Path:
        """What a data set holds."""
        return self.root / dataset / "data.json"

    def fold(self, dataset: str, fold: int | str) -> Path:
        """Everything measured on a fold."""
        return self.root / dataset / f"fold{fold}.json"

    def gathered_queries(self, dataset: str, fold: int | str) -> Path:
        """The measures of single test queries by all runs of a fold, once they are published."""
        return self.root / dataset / f"fold{fold}.parquet"

    def run(self, dataset: str, fold: int | str, method: str, seed: int | str) -> RunFiles:
        """The files of one run; `method` may be a variant's name."""
        return RunFiles(self.root / _run(dataset, fold, method, seed))

    def checkpoint(self, dataset: str, fold: int | str, method: str, seed: int | str) -> Path:
        """Where a training keeps its state while it runs.

        Not among the files of the run: Snakemake removes the outputs of a job that was killed.
        """
        return self.root / "checkpoints" / f"{_run(dataset, fold, method, seed)}.npz"

    def analysis(self, dataset: str) -> Path:
        """What was computed from everything measured on a data set."""
        return self.root / "analysis" / f"{dataset}.json"

    def rescored(self, dataset: str) -> Path:
        """Measures of the trained models under other ways of scoring."""
        return self.root / "ablations" / "scorings" / f"{dataset}.parquet"

    def gradients(self, dataset: str) -> Path:
        """How the estimators' gradients scatter."""
        return self.root / "ablations" / "gradients" / f"{dataset}.parquet"

    def table(self, name: str, ending: str) -> Path:
        """A table in one of its `FORMATS`."""
        return self.root / "tables" / f"{name}.{ending}"

    def figure(self, dataset: str, name: str, ending: str = "svg") -> Path:
        """A figure of a data set in one of its `PICTURES`."""
        return self.root / "figures" / dataset / f"{name}.{ending}"

    def captions(self, dataset: str) -> Path:
        """The words of all figures of a data set."""
        return self.root / "figures" / dataset / "captions.json"

    def claim(self, name: str, ending: str) -> Path:
        """A claim's verdict (`json`), numbers (`csv`) or figure."""
        return self.root / "claims" / f"{name}.{ending}"

    def search(self, study: str, ending: str) -> Path:
        """The table of a search in one of its `FORMATS`."""
        return self.root / "search" / f"{study}.{ending}"


def _run(dataset: str, fold: int | str, method: str, seed: int | str) -> str:
    return f"{dataset}/fold{fold}/{method}/seed{seed}"


@dataclass(frozen=True)
class DataFiles:
    """Where data are kept, apart from results.

    Attributes:
        root: the folder of all data.
    """

    root: Path = Path("data")

    @property
    def generated(self) -> Path:
        """The archive of the embedded data set."""
        return self.root / "generated" / "synthetic.zip"

    @property
    def downloads(self) -> Path:
        """What was downloaded, or put there by hand."""
        return self.root / "downloads"

    def source(self, dataset: str) -> Path:
        """Where the text files beside this came from."""
        return self.root / dataset / "text" / "source.json"

    def parts(self, dataset: str) -> Path:
        """Folder of the validated parts."""
        return self.root / dataset / "parts"

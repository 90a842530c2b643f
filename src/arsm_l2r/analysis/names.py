"""The names of methods and measures as they are printed, and their order."""

from collections.abc import Iterable

from arsm_l2r.metrics import CUTOFFS

OURS = "arsm-l2r"
"""The paper's own method."""

TUNED = "arsm-l2r-tuned"
"""The same model with settings of our own."""

METHOD_TITLES = {
    "ranksvm": "RankSVM",
    "listnet": "ListNet",
    "adarank-map": "AdaRank-MAP",
    "adarank-ndcg": "AdaRank-NDCG",
    "lambdamart": "LambdaMART",
    OURS: "ARSM-L2R",
    TUNED: "ARSM-L2R, tuned",
}
"""Methods as they are printed, in the order of the paper's tables."""

MEASURE_TITLES = {**{f"ndcg@{cutoff}": f"NDCG@{cutoff}" for cutoff in CUTOFFS}, "map": "MAP"}
"""The measures of the paper's tables as they are printed, in their order."""


def method_title(method: str) -> str:
    """A method as it is printed; one that has no title is printed by its name."""
    return METHOD_TITLES.get(method, method)


def in_order(methods: Iterable[str]) -> list[str]:
    """Methods in the order of the paper's tables; others by name, with the baselines."""
    present = set(methods)
    baselines = [name for name in METHOD_TITLES if name not in (OURS, TUNED)]
    others = sorted(present - METHOD_TITLES.keys())
    return [name for name in [*baselines, *others, OURS, TUNED] if name in present]

"""The methods that the workflow can train, by name. A new method is one more entry here."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from arsm_l2r.errors import ConfigError
from arsm_l2r.rankers.learned_ranker import LearnedRanker

Factory = Callable[[dict[str, Any], int, int, Path], LearnedRanker]
"""Makes a ranker from settings, seed, threads, and a file for checkpoints."""


def _arsm(settings: dict[str, Any], seed: int, threads: int, checkpoint: Path) -> LearnedRanker:
    from arsm_l2r.rankers.arsm import ARSMRanker

    return ARSMRanker(**with_tuples(settings), seed=seed, threads=threads, checkpoint=checkpoint)


def _listnet(settings: dict[str, Any], seed: int, threads: int, checkpoint: Path) -> LearnedRanker:
    from arsm_l2r.rankers.baselines.listnet import ListNet

    return ListNet(**with_tuples(settings), seed=seed, threads=threads, checkpoint=checkpoint)


def _ranksvm(settings: dict[str, Any], seed: int, threads: int, checkpoint: Path) -> LearnedRanker:
    from arsm_l2r.rankers.baselines.ranksvm import RankSVM

    return RankSVM(**settings)


def _adarank(settings: dict[str, Any], seed: int, threads: int, checkpoint: Path) -> LearnedRanker:
    from arsm_l2r.rankers.baselines.adarank import AdaRank

    return AdaRank(**settings)


def _lambdamart(
    settings: dict[str, Any], seed: int, threads: int, checkpoint: Path
) -> LearnedRanker:
    from arsm_l2r.rankers.baselines.lambdamart import LambdaMART

    return LambdaMART(**settings, seed=seed, threads=threads)


def with_tuples(settings: dict[str, Any]) -> dict[str, Any]:
    """Settings as JSON has them, with layers as networks have them."""
    return {key: tuple(value) if key == "hidden" else value for key, value in settings.items()}


METHODS: dict[str, Factory] = {
    "ranksvm": _ranksvm,
    "listnet": _listnet,
    "adarank-map": _adarank,
    "adarank-ndcg": _adarank,
    "lambdamart": _lambdamart,
    "arsm-l2r": _arsm,
    "arsm-l2r-tuned": _arsm,
}
"""The methods by name, in the order of the paper's tables. Imports are inside the functions, so
that a job loads only what its method needs."""

_NETWORKS = (_arsm, _listnet)


def trains_network(method: str) -> bool:
    """Whether a method trains a neural network, with TensorFlow, and so can use a GPU."""
    return METHODS[method] in _NETWORKS


def check_combination(settings: dict[str, Any], name: str) -> None:
    """Refuse settings that cannot be trained together, before anything is trained.

    Args:
        settings: of any method.
        name: of what they belong to, for messages.

    Raises:
        ConfigError: if the estimator cannot do with the loss or the samples.
    """
    estimator, loss = settings.get("estimator"), str(settings.get("loss"))
    if estimator == "local-expectation" and "-order" in loss:
        raise ConfigError(
            f"{name}: the estimator local-expectation cannot be used with the loss {loss}; "
            "use arsm, or a loss with ties in expectation"
        )
    if estimator == "reinforce-loo" and settings.get("samples", 1) < 2:
        raise ConfigError(f"{name}: the estimator reinforce-loo needs at least 2 samples")


def make_ranker(
    method: str, settings: dict[str, Any], *, seed: int, threads: int, checkpoint: Path
) -> LearnedRanker:
    """Make a method's untrained ranker.

    Raises:
        ConfigError: if there is no such method, or it does not know a setting.
    """
    if method not in METHODS:
        raise ConfigError(f"no method {method!r}; there are {', '.join(METHODS)}")
    try:
        return METHODS[method](settings, seed, threads, checkpoint)
    except TypeError as error:
        raise ConfigError(f"settings of {method}: {error}") from error

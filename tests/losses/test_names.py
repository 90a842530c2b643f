import pytest

from arsm_l2r.errors import ConfigError
from arsm_l2r.losses import LOSSES, Loss, NDCGLoss, OrderedNDCGLoss, loss_by_name

from .levelled import long_queries, losses

SOME = long_queries(3)


@pytest.mark.parametrize(
    ("name", "loss"),
    [
        ("ndcg", NDCGLoss(None)),
        ("ndcg@1", NDCGLoss(1)),
        ("ndcg@12", NDCGLoss(12)),
        ("ndcg-file-order", OrderedNDCGLoss(None)),
        ("ndcg-file-order@12", OrderedNDCGLoss(12)),
        ("ndcg-random-order@12", OrderedNDCGLoss(12, shuffled=True)),
    ],
)
def test_cutoff_is_part_of_the_name(name: str, loss: Loss) -> None:
    assert losses(loss_by_name(name), SOME).tolist() == losses(loss, SOME).tolist()


def test_every_name_gives_another_loss() -> None:
    values = {tuple(losses(loss_by_name(name), SOME)) for name in LOSSES}
    assert len(values) == len(LOSSES)


@pytest.mark.parametrize(
    "name", ["", "NDCG", "ndcg@", "ndcg@0", "ndcg@-1", "ndcg@1.5", "ndcg@ten", "map", " ndcg"]
)
def test_unknown_name_is_refused_with_the_names_there_are(name: str) -> None:
    with pytest.raises(ConfigError, match="no loss") as refusal:
        loss_by_name(name)
    assert repr(name) in str(refusal.value)
    assert all(known in str(refusal.value) for known in (*LOSSES, "ndcg@K"))

"""What a job asks of the machine that runs it: memory and time, from the size of its data.

Requests are generous, several times what was measured, since a job that exceeds them is killed.
Every further attempt asks for as much again.
"""

from typing import Any

from arsm_l2r.letor.catalogue import Dataset

UNDESCRIBED_DOCUMENTS = 500_000
"""Documents that a data set is taken to have if its catalogue entry does not count them."""

_MEGABYTE = 2**20


def documents(dataset: Dataset) -> int:
    """How many documents a data set has, as far as its catalogue entry tells."""
    return sum(part.rows for part in dataset.parts) or UNDESCRIBED_DOCUMENTS


def feature_megabytes(dataset: Dataset) -> float:
    """Size of all features of a data set in single precision, in megabytes."""
    return 4 * dataset.features * documents(dataset) / _MEGABYTE


def preparation_memory(dataset: Dataset, attempt: int) -> int:
    """Megabytes for parsing and storing a data set; measured: 321 for MQ2007's 12."""
    return round(attempt * (1_000 + 30 * feature_megabytes(dataset)))


def preparation_minutes(dataset: Dataset, attempt: int) -> int:
    """Minutes for parsing and storing a data set; measured: 0.1 for MQ2007."""
    return round(attempt * (15 + documents(dataset) / 20_000))


def training_memory(dataset: Dataset, attempt: int, *, network: bool) -> int:
    """Megabytes for one training.

    Measured on MQ2007 at their highest: 1,000 with a network, of which TensorFlow takes 734
    before anything is trained; 225 without. Snakemake's own processes in a submitted job take
    200 more.
    """
    at_least = 2_000 if network else 1_000
    return round(attempt * (at_least + 15 * feature_megabytes(dataset)))


def training_minutes(dataset: Dataset, settings: dict[str, Any], attempt: int) -> int:
    """Minutes for one training on one core.

    Measured for the paper's 2,000 epochs: 11 on MQ2007, 4 on OHSUMED; without a network less
    than 1.

    Args:
        dataset: what is trained on.
        settings: the method's settings; `epochs`, `samples`, `members` and `levels` count where it
            has them.
        attempt: 1 for the first.
    """
    passes: float = settings.get("epochs", 200) * settings.get("samples", 1)
    passes *= settings.get("members", 1) * max(1.0, settings.get("levels", 1) / 20) ** 2
    return round(attempt * (30 + passes * documents(dataset) / 4_000_000))

"""How long fetching may take, and how large it may get."""

import json
from typing import Annotated, Any

from pydantic import Field

from arsm_l2r.errors import ConfigError
from arsm_l2r.settings import Positive, Settings, checked

ENVIRONMENT = "ARSM_L2R_FETCHING"
"""The variable that hands the limits to jobs, as JSON."""


class Fetching(Settings):
    """Limits of downloads and of unpacking; they change no result."""

    timeout: Annotated[float, Field(gt=0)] = Field(
        60.0, description="Seconds that a server may send nothing of the file, headers included."
    )
    rate: Annotated[float, Field(gt=0)] = Field(
        1_000.0,
        description="Bytes a second, on average over each `timeout`, below which a try ends.",
    )
    seconds: Annotated[float, Field(gt=0)] = Field(
        7_200.0,
        description="Longest time for the download from one source, all tries together, and for "
        "a program that unpacks RAR.",
    )
    bytes: Positive = Field(
        20_000_000_000,
        description="Largest download, where the catalogue does not have a source's size.",
    )
    unpacked: Positive = Field(
        60_000_000_000, description="Bytes that an archive may be unpacked to."
    )
    ratio: Annotated[float, Field(gt=0)] = Field(
        150.0,
        description="How many times its own size an archive may be unpacked to (LETOR as .tar.xz: "
        "23 and 38).",
    )
    members: Positive = Field(10_000, description="Files and folders that an archive may hold.")


DEFAULTS = Fetching()


def limits_from(text: str | None, source: str) -> Fetching:
    """Limits from JSON, with defaults for those that it leaves out.

    Args:
        text: a JSON object; nothing stands for all defaults.
        source: where it comes from, for messages.

    Raises:
        ConfigError: saying what is wrong with it.
    """
    if not text:
        return DEFAULTS
    try:
        given: Any = json.loads(text)
    except ValueError as error:
        raise ConfigError(f"{source}: not valid JSON: {error}: {text[:80]!r}") from error
    return checked(Fetching, given, source=source)

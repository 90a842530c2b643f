"""The words of figures, as files hold them."""

from arsm_l2r.settings import Settings


class FigureWords(Settings):
    """What is said of a figure."""

    name: str
    title: str
    caption: str
    alternative: str


class Captions(Settings):
    """The words of all figures of a data set."""

    dataset: str
    figures: list[FigureWords]

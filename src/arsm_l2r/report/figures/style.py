"""How figures look: for print, for colour-blind readers, and the same bytes from the same data."""

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.figure import Figure
from matplotlib.style import context
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter, NullLocator

from arsm_l2r.experiments.layout import PICTURES
from arsm_l2r.experiments.methods import method_of
from arsm_l2r.files import written_whole
from arsm_l2r.rankers.method import BROWN, GREY
from arsm_l2r.report.text import printable

FOLD_MARKERS = ("o", "s", "^", "D", "v", "P", "X", "<", ">", "*")

_ENTRIES = 6
"""Of a legend in one row, at most."""

_STYLE_SHEET = Path(__file__).with_name("figures.mplstyle")


@dataclass(frozen=True)
class Drawing:
    """A figure and its words.

    Attributes:
        name: of its files.
        title: of the figure, a few words.
        caption: one sentence that says what is shown.
        alternative: what it shows, for those who cannot see it.
        figure: the drawing itself.
    """

    name: str
    title: str
    caption: str
    alternative: str
    figure: Figure

    @property
    def words(self) -> dict[str, str]:
        """All but the figure itself."""
        return {name: value for name, value in vars(self).items() if name != "figure"}


def method_style(method: str, methods: Iterable[str] = ()) -> dict[str, Any]:
    """Colour, marker and line of a method; those of `methods` without a record share the rest."""
    record = method_of(method)
    if record:
        return {"color": record.colour, "marker": record.marker, "linestyle": record.line}
    strangers = [name for name in methods if method_of(name) is None]
    at = strangers.index(method) if method in strangers else 0
    return {
        "color": (GREY, BROWN)[at % 2],
        "marker": ("*", "<", ">", "h")[at % 4],
        "linestyle": ("-", "--", ":", "-.")[at % 4],
    }


@contextmanager
def figure_style(salt: str) -> Iterator[None]:
    """Draw and save inside of this; `salt` goes into the identifiers in the SVG."""
    with context([_STYLE_SHEET, {"svg.hashsalt": salt}]):
        yield


def new_figure(title: str, width: float = 10.0, height: float = 4.0) -> Figure:
    """A titled figure, in inches, that makes room for what is in it."""
    figure = Figure(figsize=(width, height), layout="constrained")
    figure.suptitle(title, fontweight="bold")
    return figure


def nothing_to_show(figure: Figure, reason: str) -> None:
    """Say so in the place of what cannot be drawn, without taking all of its room."""
    figure.set_size_inches(figure.get_figwidth(), 1.3)
    axes = figure.add_subplot()
    axes.set_axis_off()
    axes.text(0.5, 0.5, reason, ha="center", va="center", color=GREY, transform=axes.transAxes)


def legend_below(figure: Figure, handles: Sequence[Any], labels: Sequence[str]) -> None:
    """A legend below everything, in rows of about the same length, so that it hides nothing."""
    if handles:
        rows = -(-len(handles) // _ENTRIES)
        columns = -(-len(handles) // rows)
        figure.legend(handles, labels, loc="outside lower center", ncols=columns)


def rows_of(axes: Axes, titles: list[str]) -> None:
    """One row per title, the first on top."""
    axes.set_yticks(range(len(titles)), titles)
    axes.set_ylim(len(titles) - 0.5, -0.5)
    axes.grid(visible=False, axis="y")


def plain_numbers(axis: Axis) -> None:
    """Numbers along a logarithmic axis as they are said, without powers."""
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.10g}"))
    axis.set_minor_formatter(NullFormatter())


_MANY = 2e3
"""The highest value as a multiple of the lowest from which on labels at 1, 2 and 5 are too many."""


def ticks_at_1_2_5(axis: Axis) -> None:
    """Ticks at 1, 2, 5, 10, 20 … along a logarithmic axis, whose data are drawn already.

    Where these span many powers of ten, at the powers only: the others would run into each other.
    """
    low, high = axis.get_data_interval()
    many = low > 0 and high > _MANY * low
    axis.set_major_locator(LogLocator(subs=(1,) if many else (1, 2, 5)))
    axis.set_minor_locator(NullLocator())
    plain_numbers(axis)


_OPTIONS: dict[str, Any] = {
    "svg": {"metadata": {"Date": None, "Creator": None}},
    "png": {"metadata": {"Software": None}, "dpi": 200},
}


def save(drawing: Drawing, folder: Path) -> None:
    """Write a drawing in every format, the same bytes whenever the figure is the same."""
    for ending in PICTURES:
        with written_whole(folder / f"{drawing.name}.{ending}") as temporary:
            drawing.figure.savefig(temporary, format=ending, **_OPTIONS[ending])
            if ending == "svg":
                drawn = printable(temporary.read_text("utf-8"))
                temporary.write_text(_rounded(drawn), encoding="utf-8")


_PLACE = re.compile(r' (?:d|x|y)="[^"]+"')
_DIGITS = re.compile(r"(\.\d)\d+")


def _rounded(svg: str) -> str:
    """The drawing with places to a tenth of a point: as good, and much smaller."""
    return _PLACE.sub(lambda place: _DIGITS.sub(r"\1", place[0]), svg)

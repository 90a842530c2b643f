"""Titles and names from data may hold anything; documents of all formats show it as text."""

import csv
import io
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from pathlib import Path
from random import Random
from xml.etree import ElementTree

import polars as pl
import pytest
from markdown_it import MarkdownIt

from arsm_l2r.report.claim_files import claims_markdown
from arsm_l2r.report.comparison_table import comparison_table
from arsm_l2r.report.figures.style import Drawing, figure_style, new_figure, save
from arsm_l2r.report.latex import document, latex
from arsm_l2r.report.markdown import markdown
from arsm_l2r.report.table import Cell, Group, Table
from arsm_l2r.report.table_files import table_texts, write_table
from arsm_l2r.report.tables import datasets_table, performance_table
from arsm_l2r.report.text import one_line

from ..made_up import analysed, description, fold, folds, run
from ..report.pages import METHODS, make_page

CHOSEN = [
    'a "quoted" title',
    "a blank line\n\nbetween",
    "\r\n\ttabs\tand\rreturns\v\f",
    "\\",
    "\\\\[1cm]",
    "[1cm] at the start",
    " [1cm] after a space",
    "* at the start",
    "50% of_a & b #1 {$x^2$} ~5 \\input <a>|",
    "}}}{{{",
    "\\end{table}\\input{/etc/passwd}",
    "% comment",
    "``''--?`!`",
    "[link](javascript:alert(1))",
    "![image](https://example.org/x.png)",
    "x](https://example.org/y.png)",
    "[reference]: https://example.org",
    "<https://example.org> www.example.org http://example.org",
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "<!-- --> <![CDATA[ ]]> <?php ?>",
    "&lt;b&gt; &amp; &#60; &copy;",
    "**bold** __bold__ *it* _it_ ~~gone~~ `code` ***",
    "| a | b |",
    "a \\| b \\\\| c |",
    "ends with \\",
    "# heading",
    "- item",
    "+ item",
    "1. item",
    "1) item",
    "> quotation",
    "---",
    "===",
    "    code",
    "```",
    "~~~",
    "$x$ $$x$$",
    "=1+1",
    "+1+1",
    "-1+1",
    "@SUM(A1)",
    "\t=1+1",
    "\r=1+1",
    "\n=1+1",
    '=HYPERLINK("https://example.org?"&A1,"x")',
    "＝1+1",
    'a,b;c"d',
    "'apostrophe",
    "\x00\x01\x1b[31mred\x7f\x80\x9f",
    "\ufffe\uffff\ufdd0\U0001ffff",
    "\u2028line\u2029paragraph\x85next",
    "\u202eright to left\u2066",
    "",
    " ",
    "Größe – 漢字 ✓ 😀",
]
"""Texts that break, or have broken, some format."""


def drawn(count: int) -> Iterator[str]:
    """Texts made of what has a meaning in some format."""
    random = Random(0)
    pieces = [*"\\{}[]()<>&%$#_^~|*`'\"=+-@!:;,.?/ \n\r\t\x00\x1b\u2028", "a", "b1", "www.", "//"]
    for _ in range(count):
        yield "".join(random.choices(pieces, k=random.randint(1, 24)))


TEXTS = [*CHOSEN, *drawn(80)]


def table(text: str) -> Table:
    """A table with a text wherever data can put one."""
    other = Cell("0.5")
    return Table(
        name="hostile",
        label="tab:hostile",
        caption=f"On {text} dataset.",
        columns=[text, "x"],
        alignment="lr",
        groups=[
            Group([[Cell(text), other], [Cell(text, bold=True), other]], title=text),
            Group([[Cell(text), Cell(text, underlined=True, tone="outside")]], title="b"),
        ],
        notes=[text, f"{text}: fold 1 is missing."],
        data=pl.DataFrame({"text": [text, "x"], text + "2": [-0.0123, float("nan")]}),
    )


CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\ud800-\udfff]")


def no_controls(text: str) -> None:
    text.encode("utf-8")
    assert not CONTROLS.search(text)


# What may stand for text in LaTeX: plain characters, and commands that print one.
LATEX_TEXT = (
    r"(?:[^\\{}&%$#_^~<>|\"\n]|\\[{}&%$#_]|\\textbackslash\{\}|\\textasciicircum\{\}"
    r"|\$(?:\\sim|<|>|\||-|\\pm|\\times|\^\\dagger|\\bullet|\\circ)\$)*"
)
LATEX_CELL = rf"(?:\\(?:textbf|underline)\{{{LATEX_TEXT}\}}|{LATEX_TEXT})"
LATEX_ROW = rf"(?:\{{\}}|(?!\s*[\[*])){LATEX_CELL} ?& {LATEX_CELL} \\\\"
LATEX_LINES = [
    re.escape(r"\begin{table}[t]"),
    rf"\\caption\{{{LATEX_TEXT}\}}",
    *map(re.escape, (r"\label{tab:hostile}", r"\vspace{0.03in}")),
    re.escape(r"\centering\small\setlength{\tabcolsep}{3pt}"),
    *map(re.escape, (r"\sbox0{%", r"\begin{tabular}{lr}", r"\toprule")),
    LATEX_ROW,
    r"\\midrule",
    rf"\\multicolumn\{{2\}}\{{l\}}\{{{LATEX_TEXT}\}} \\\\",
    LATEX_ROW,
    LATEX_ROW,
    r"\\midrule",
    r"\\multicolumn\{2\}\{l\}\{b\} \\\\",
    LATEX_ROW,
    r"\\bottomrule",
]


def check_latex(text: str) -> None:
    made = latex(table(text))
    no_controls(made)
    lines = [line.strip() for line in made.splitlines()]
    for line, pattern in zip(lines, LATEX_LINES, strict=False):
        assert re.fullmatch(pattern, line), line
    first, second = lines[-3:-1]
    assert re.fullmatch(rf"{LATEX_TEXT}\\par", first)
    assert re.fullmatch(rf"{LATEX_TEXT}\\par", second)
    assert lines.count("") == 1  # the one before the notes


class Shown(HTMLParser):
    """The tags of a document, and the text in each table cell and outside of tables."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[str] = []
        self.cells: list[str] = []
        self.text = ""
        self.inside = ""
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [name for name, _ in attrs]
        if tag in ("td", "th"):
            self.cells.append("")
            self.inside = tag

    def handle_endtag(self, tag: str) -> None:
        self.inside = "" if tag == self.inside else self.inside

    def handle_data(self, data: str) -> None:
        self.text += data
        if self.inside:
            self.cells[-1] += data


def words(text: str) -> str:
    """A text as a browser shows it."""
    return " ".join(one_line(text).split())


def check_markdown(text: str) -> None:
    made = markdown(table(text))
    no_controls(made)
    html = MarkdownIt("commonmark").enable(["table", "strikethrough"]).render(made)
    shown = Shown(html)
    allowed = {"p", "strong", "ins", "table", "thead", "tbody", "tr", "th", "td"}
    assert set(shown.tags) <= allowed, set(shown.tags) - allowed
    assert set(shown.attributes) <= {"style"}
    expected = [text, "x", text, "", text, "0.5", text, "0.5", "b", "", text, text]
    assert [words(cell) for cell in shown.cells] == [words(cell) for cell in expected]
    assert html.count("<strong>") == 2 + 2 * bool(words(text))
    assert html.count("<ins>") == html.count("</ins>") == bool(words(text))
    *_, first, second = (words(line) for line in ["", *re.findall("<p>(.*)</p>", html)])
    notes = [words(Shown(note).text) for note in (first, second)]
    assert notes[1] == words(f"{text}: fold 1 is missing.")
    assert notes[0] == words(text) or not words(text)
    assert "://" not in made
    assert "www." not in made.lower()


def check_csv(text: str) -> None:
    made = table_texts(table(text))["csv"]
    no_controls(made)
    rows = list(csv.reader(io.StringIO(made)))
    assert [len(row) for row in rows] == [2, 2, 2]
    shown = rows[1][0]
    assert shown in (one_line(text), f"'{one_line(text)}")
    for cell in (rows[0][1], shown):
        assert not cell.startswith(tuple("=+-@＝＋－＠\t\r")) or re.fullmatch(r"[-+]\d+", cell)
    assert [row[1] for row in rows[1:]] == ["-0.0123", ""]
    frame = pl.read_csv(io.BytesIO(made.encode()), infer_schema=False)
    assert [text or "" for text in frame.row(0)] == [shown, "-0.0123"]
    assert frame.height == 2


def check_html(text: str) -> None:
    made = table_texts(table(text))["html"]
    no_controls(made)
    shown = Shown(made)
    allowed = {"div", "style", "table", "thead", "tbody", "tfoot", "tr", "th", "td", "span"}
    assert set(shown.tags) <= allowed, set(shown.tags) - allowed
    assert not any(name.startswith("on") for name in shown.attributes)
    assert words(text) in words(shown.text)
    assert made.isascii()


def check_svg(text: str, folder: Path) -> None:
    with figure_style(salt="x"):
        figure = new_figure(text, 2, 1)
        save(Drawing("hostile", text, text, text, figure), folder)
    made = (folder / "hostile.svg").read_text(encoding="utf-8")
    assert not re.search("[\x00-\x08\x0b\x0c\x0e-\x1f]", made)
    ElementTree.fromstring(made)


@pytest.mark.filterwarnings("ignore:Glyph")
def test_no_text_breaks_a_table_of_any_format(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arsm_l2r.report.figures.style.PICTURES", ("svg",))
    checks: dict[str, Callable[[str], None]] = {
        "tex": check_latex,
        "md": check_markdown,
        "csv": check_csv,
        "html": check_html,
        "svg": lambda text: check_svg(text, tmp_path),
    }
    broken = []
    for text in TEXTS:
        for ending, check in checks.items():
            try:
                check(text)
            except Exception as error:
                broken.append(f"{ending} of {text!r}: {error!r}")
    print(f"{len(TEXTS)} texts, {len(broken)} broken documents of {len(TEXTS) * len(checks)}")
    assert not broken, "\n".join(broken)


HOSTILE = '"a"\n\nb & <b> [x](//y) | =1+1 \x00\x1b \\ {'


def test_the_real_tables_stay_whole_with_hostile_names(tmp_path: Path) -> None:
    given = folds({"ranksvm": 0.4, HOSTILE: 0.45, f"={HOSTILE}": 0.43, "arsm-l2r": 0.46})
    analysis = analysed(given, title=HOSTILE, rounds=10)
    tables = [
        performance_table(analysis),
        comparison_table(analysis),
        datasets_table([description(title=HOSTILE)]),
    ]
    for each in tables:
        write_table(each, tmp_path)
        texts = {
            ending: (tmp_path / f"{each.name}.{ending}").read_text(encoding="utf-8")
            for ending in ("tex", "md", "csv", "html")
        }
        for text in texts.values():
            no_controls(text)
        assert texts["tex"].count("\n\n") == 1
        assert r"\textquotedbl" not in texts["tex"]
        rows = list(csv.reader(io.StringIO(texts["csv"])))
        assert len(rows) == each.data.height + 1
        assert {len(row) for row in rows} == {each.data.width}
        assert not any(cell.startswith("=") for row in rows for cell in row)
        shown = Shown(MarkdownIt("commonmark").enable("table").render(texts["md"]))
        assert shown.tags.count("table") == 1
        assert "a" not in shown.tags
        assert len(shown.cells) % len(each.columns) == 0


@pytest.mark.filterwarnings("ignore:Glyph")
def test_the_page_stays_whole_with_hostile_names(tmp_path: Path) -> None:
    runs = [
        *(run(name, value) for name, value in METHODS.items()),
        run(HOSTILE, 0.3, device=HOSTILE),
    ]
    given = [fold(number, runs, python=HOSTILE) for number in range(1, 6)]
    html = make_page(tmp_path, given, described=description(title=HOSTILE, source=HOSTILE))
    assert not re.search("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]", html)
    shown = Shown(html)
    assert not {"b", "script", "img"} & set(shown.tags)
    assert shown.tags.count("h1") == 1
    assert words(HOSTILE) in words(shown.text)


def test_claims_in_markdown_show_names_as_text() -> None:
    claim = {
        "name": "x",
        "title": HOSTILE,
        "says": HOSTILE,
        "answer": "holds",
        "because": [HOSTILE, f"# {HOSTILE}"],
        "figure": {"name": "x", "title": f"x](evil.svg) {HOSTILE}", "caption": HOSTILE},
    }
    made = claims_markdown([claim])
    no_controls(made)
    tokens = MarkdownIt("commonmark").enable("table").parse(made)
    inline = [child for token in tokens for child in token.children or []]
    images = [child.attrs["src"] for child in inline if child.type == "image"]
    assert images == ["x.svg"]
    assert not [child for child in inline if child.type in ("link_open", "html_inline")]
    assert len([token for token in tokens if token.type == "heading_open"]) == 1
    assert len([token for token in tokens if token.type == "list_item_open"]) == 2


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="pdflatex is not installed")
def test_latex_takes_every_text_that_its_fonts_have(tmp_path: Path) -> None:
    names = []
    for number, text in enumerate(text for text in TEXTS if text.isascii()):
        names.append(f"t{number}")
        made = latex(table(text)).replace(r"\end{table}", r"\end{table}\clearpage")
        (tmp_path / f"t{number}.tex").write_text(made, encoding="utf-8")
    (tmp_path / "tables.tex").write_text(document(names))
    done = subprocess.run(
        ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "tables.tex"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        errors="replace",
    )
    assert done.returncode == 0, done.stdout[-2000:]

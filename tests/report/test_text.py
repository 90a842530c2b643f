"""Text without what breaks documents."""

import polars as pl
import pytest

from arsm_l2r.report.csv_text import csv_text
from arsm_l2r.report.latex import escaped as latex
from arsm_l2r.report.markdown import escaped, paragraph
from arsm_l2r.report.text import one_line, printable


@pytest.mark.parametrize(
    "code",
    [0, 8, 0x0B, 0x1B, 0x7F, 0x80, 0x9F, 0x202E, 0x2066, 0xD800, 0xDFFF, 0xFDD0, 0xFFFF, 0x1FFFE],
)
def test_what_no_document_may_hold_is_replaced(code: int) -> None:
    assert printable(f"a{chr(code)}b") == "a\ufffdb"


@pytest.mark.parametrize("text", ["a\nb\tc\r\n", "ü – − † 漢 😀 \xa0 \u200d", "\ue000 \ufffd"])
def test_other_text_stays(text: str) -> None:
    assert printable(text) == text


@pytest.mark.parametrize("text", ["a\n\nb", "a \r\n b", "a\tb", "a\vb", "a\x85b", "a\u2028\u2029b"])
def test_lines_become_one(text: str) -> None:
    assert one_line(f" {text}\n") == "a b"


def test_latex_has_no_blank_lines_and_no_quotes_that_its_fonts_lack() -> None:
    assert latex('a "b"\n\nc\x00') == "a ''b'' c?"


def test_markdown_has_no_markup_of_others() -> None:
    assert escaped("[a](b) *c* `d` <e> &lt; f|g") == (r"\[a\](b) \*c\* \`d\` &lt;e> &amp;lt; f\|g")
    assert escaped("https://a www.b") == "https&#58;//a www&#46;b"
    assert escaped("~5 and $6") == r"~5 and \$6"
    assert escaped("~~5~~") == r"\~\~5\~\~"


def test_names_of_settings_stay_readable_in_markdown() -> None:
    assert escaped("learning_rate _a_ b__c") == r"learning_rate \_a\_ b\_\_c"


def test_a_paragraph_of_markdown_is_nothing_else() -> None:
    assert paragraph("# a") == r"\# a"
    assert paragraph("- a") == r"\- a"
    assert paragraph("12. a") == r"12\. a"
    assert paragraph("12 a") == "12 a"


def test_csv_has_numbers_and_no_formulas() -> None:
    frame = pl.DataFrame(
        {"=a": ["=1", "-0.0123", "-1+1", "@b", None, "+5", '\t=c"d'], "x": [-0.0123] + [None] * 6}
    )
    assert csv_text(frame) == (
        "'=a,x\n'=1,-0.0123\n-0.0123,\n'-1+1,\n'@b,\n,\n+5,\n\"'=c\"\"d\",\n"
    )
    assert csv_text(frame.select("x"), decimals=2).startswith("x\n-0.01\n")


def test_columns_of_csv_may_look_the_same() -> None:
    assert csv_text(pl.DataFrame({"a": [1], "a\n": [2]})) == "a,a\n1,2\n"

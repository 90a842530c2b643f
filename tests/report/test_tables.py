"""The paper's tables from made-up results: rows, order, bold, dashes, notes; HTML and CSV."""

from pathlib import Path

import polars as pl
import pytest

from arsm_l2r.errors import UserError
from arsm_l2r.report.comparison_table import comparison_table
from arsm_l2r.report.html import html
from arsm_l2r.report.latex import latex
from arsm_l2r.report.markdown import markdown
from arsm_l2r.report.published_table import published_table
from arsm_l2r.report.table import Cell, Group, Table, best, csv, number
from arsm_l2r.report.table_files import table_named, write_table
from arsm_l2r.report.tables import datasets_table, performance_table

from ..made_up import analysed, description, fold, folds, plan, run, write_results

VALUES = {
    "arsm-l2r": 0.41004,
    "lambdamart": 0.2,
    "own": 0.3,
    "adarank-ndcg": 0.40999,
    "ranksvm": 0.4,
}


def table_of(results, dataset: str = "mq2007", title: str = "MQ2007", **more) -> Table:
    return performance_table(analysed(results, dataset=dataset, title=title, rounds=10, **more))


def texts(table: Table) -> list[list[list[str]]]:
    return [[[cell.text for cell in row] for row in group.rows] for group in table.groups]


def test_rows_are_in_the_papers_order_with_a_rule_above_arsm() -> None:
    groups = texts(table_of(folds(VALUES)))
    assert [[row[0] for row in group] for group in groups] == [
        ["RankSVM", "AdaRank-NDCG", "LambdaMART†", "own†"],
        ["ARSM-L2R"],
    ]
    assert groups[0][0][1:] == ["0.4000"] * 5


def test_columns_are_the_papers() -> None:
    table = table_of(folds(VALUES))
    assert table.columns == ["Method", "NDCG@1", "NDCG@3", "NDCG@5", "NDCG@10", "MAP"]
    assert (table.alignment, table.label) == ("c|c|c|c|c|c", "tab:mq7")


def test_methods_that_are_not_in_the_paper_are_marked_and_explained() -> None:
    assert table_of(folds(VALUES)).notes[1] == "† Not in the paper; added here."
    assert table_of(folds({"ranksvm": 0.4})).notes[1:] == ["MAP counts labels from 1 as relevant."]


def test_ties_after_rounding_are_all_bold_and_nothing_else() -> None:
    table = table_of(folds(VALUES))
    bold = {row[0].text for group in table.groups for row in group.rows if row[1].bold}
    assert bold == {"AdaRank-NDCG", "ARSM-L2R"}
    assert latex(table).count(r"\textbf{0.4100}") == 2 * 5
    assert html(table).split("<table")[1].count("font-weight: bold;") == 2 * 5


def test_the_best_of_the_papers_methods_is_marked_beside_the_best_of_all() -> None:
    table = table_of(folds({"lambdamart": 0.5, "ranksvm": 0.4, "arsm-l2r": 0.3}))
    cells = {row[0].text: row[1] for group in table.groups for row in group.rows}
    assert [name for name, cell in cells.items() if cell.bold] == ["LambdaMART†"]
    assert [name for name, cell in cells.items() if cell.underlined] == ["RankSVM"]
    legend = "Bold: the highest of all methods; underlined: of the paper's methods."
    assert table.notes[0] == legend
    assert latex(table).count(r"\underline{0.4000}") == 5
    assert markdown(table).count("<ins>0.4000</ins>") == 5
    assert html(table).split("<table")[1].count("text-decoration: underline;") == 5
    for text in (latex(table), markdown(table), html(table).replace("&#x27;", "'")):
        assert legend in text


def test_among_the_papers_methods_alone_the_best_is_marked_once() -> None:
    table = table_of(folds({"ranksvm": 0.4, "arsm-l2r": 0.3}))
    assert not any(cell.underlined for group in table.groups for row in group.rows for cell in row)
    assert table.notes[0] == "Bold: the highest of all methods."


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([0.1, 0.3, 0.2], [False, True, False]),
        ([0.30001, 0.29999], [True, True]),
        ([float("nan"), 0.3, None], [False, True, False]),
        ([None, float("nan")], [False, False]),
        ([], []),
    ],
)
def test_best_of_a_column(values: list[float | None], expected: list[bool]) -> None:
    assert best(values) == expected


def test_value_that_is_no_number_is_a_dash_and_an_empty_field() -> None:
    table = table_of(folds({"ranksvm": float("nan"), "listnet": 0.4}))
    assert texts(table)[0][0] == ["RankSVM", "–", "–", "–", "–", "–"]
    assert csv(table).splitlines()[1:] == ["RankSVM,,,,,", "ListNet" + ",0.4000" * 5]


def test_numbers_are_printed_with_a_true_minus() -> None:
    assert number(-0.01234, "+.4f") == "−0.0123"
    assert number(None) == number(float("nan")) == number(float("inf")) == "–"


def test_missing_fold_is_said_below_what_there_is() -> None:
    table = table_of(folds(VALUES)[1:], methods=[*VALUES, "listnet"])
    assert any("fold 1 of 5 is missing" in note for note in table.notes)
    assert any("ListNet is missing" in note for note in table.notes)
    assert texts(table)[1][0][1] == "0.4100"


def test_missing_seed_and_mixed_code_are_said() -> None:
    runs = [run("listnet", 0.4)]
    results = [fold(1, [*runs, run("listnet", 0.4, seed=1)]), fold(2, runs, code="other")]
    notes = " ".join(table_of(results).notes)
    assert "seed 1 is missing for ListNet in fold 2" in notes
    assert "different versions of the code" in notes


def test_what_was_measured_besides_has_a_column_of_its_own() -> None:
    own = run("listnet", 0.4)
    own["test"] = {"letor": {"rr": 0.625, **own["test"]["letor"]}}
    table = table_of([fold(1, [own, run("ranksvm", 0.3)])])
    assert table.columns[-2:] == ["MAP", "RR"]
    assert [row[-1] for row in texts(table)[0]] == ["–", "0.6250"]
    assert table.alignment == "c|c|c|c|c|c|c"
    assert csv(table).splitlines()[0] == "Method,NDCG@1,NDCG@3,NDCG@5,NDCG@10,MAP,RR"


def test_a_table_is_made_by_its_name(tmp_path: Path) -> None:
    made = plan(tmp_path, {"ranksvm": {}, "arsm-l2r": {}})
    write_results(made, folds({"ranksvm": 0.4, "arsm-l2r": 0.3}))
    assert [table_named(name, made).name for name in made.tables] == list(made.tables)
    assert "mq2007_published" in made.tables
    with pytest.raises(UserError, match=r"no table 'ohsumed'; there are datasets, cost, mq2007"):
        table_named("ohsumed", made)


def test_data_set_that_is_not_in_the_paper_has_a_table_too() -> None:
    table = table_of(folds(VALUES, "synthetic"), "synthetic", "Synthetic")
    assert (table.name, table.label) == ("synthetic", "tab:synthetic")


def test_table_1_has_the_papers_numbers_and_what_was_counted() -> None:
    table = datasets_table([description(), description("synthetic", "Synthetic")])
    assert texts(table) == [
        [["MQ2007", "1700", "~25,000,000", "46"]],
        [
            ["MQ2007, judged pairs", "1,692", "69,623", "46"],
            ["Synthetic, judged pairs", "1,692", "69,623", "46"],
        ],
    ]
    assert r"MQ2007 & 1700 & $\sim$25,000,000 & 46 \\" in latex(table)
    assert csv(table).splitlines()[1:3] == [
        'MQ2007,as printed in the paper,1700,"~25,000,000",46',
        "MQ2007,judged pairs here,1692,69623,46",
    ]
    assert "collections" in table.notes[0]


def test_html_is_escaped_and_ascii() -> None:
    nasty = '<script>alert("1")</script> & ü'
    page = html(
        Table(
            name="nasty",
            label="",
            caption=nasty,
            columns=[nasty, nasty],
            alignment="ll",
            groups=[Group([[Cell(nasty), Cell(nasty)]], title=nasty)],
            notes=[nasty],
            data=pl.DataFrame(),
        )
    )
    assert page.isascii()
    assert "<script" not in page
    assert page.count("&lt;script&gt;") == 7
    assert "&amp;lt;" not in page
    assert "http" not in page


def test_html_has_headers_for_rows_and_columns() -> None:
    page = html(table_of(folds({"ranksvm": 0.4, "arsm-l2r": 0.3})))
    assert page.count('scope="col"') == 6
    assert page.count('scope="row"') == 2
    assert 'id="table-mq2007"' in page


def test_html_is_the_same_every_time() -> None:
    assert html(table_of(folds(VALUES))) == html(table_of(folds(VALUES)))


def test_table_is_written_in_every_format(tmp_path: Path) -> None:
    write_table(table_of(folds(VALUES)), tmp_path / "tables")
    assert {path.name for path in (tmp_path / "tables").iterdir()} == {
        "mq2007.tex",
        "mq2007.html",
        "mq2007.csv",
        "mq2007.md",
    }


def test_every_table_says_what_map_counts_as_relevant() -> None:
    own = [fold(number, [run("ranksvm", 0.4, relevant_from=2)]) for number in range(1, 6)]
    said = "MAP counts labels from 2 as relevant."
    for make in (performance_table, comparison_table, lambda each: published_table(each, None)):
        table = make(analysed(own))
        for text in (html(table), latex(table), markdown(table)):
            assert said in text
        assert said.replace("2", "1") in markdown(make(analysed(folds(VALUES))))

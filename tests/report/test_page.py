"""The page: complete in itself, readable by everyone, and honest about what is not there."""

import re
import subprocess
import sys
from html.parser import HTMLParser
from importlib import resources
from itertools import pairwise
from pathlib import Path

import pytest

from arsm_l2r.errors import UserError
from arsm_l2r.experiments.layout import Layout
from arsm_l2r.experiments.plan import Plan
from arsm_l2r.files import read_json, write_json
from arsm_l2r.report.page import render
from arsm_l2r.report.svg import inline_svg

from ..made_up import config_of, description, fold, folds, plan, run, write_measures
from .pages import METHODS, SETTINGS, make_page


class Page(HTMLParser):
    """The tags of a page, and its text."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text += data

    def all(self, name: str) -> list[dict[str, str | None]]:
        return [attributes for tag, attributes in self.tags if tag == name]


@pytest.fixture(scope="module")
def html(tmp_path_factory: pytest.TempPathFactory) -> str:
    return make_page(tmp_path_factory.mktemp("results"))


@pytest.fixture(scope="module")
def page(html: str) -> Page:
    return Page(html)


def test_it_needs_nothing_else(html: str, page: Page) -> None:
    assert not page.all("script")
    assert not page.all("iframe")
    for tag, attributes in page.tags:
        for name, value in attributes.items():
            assert not name.startswith("on"), f"<{tag} {name}>"
            if name in ("src", "srcset", "href", "xlink:href", "data", "poster") and tag != "a":
                assert value is not None
                assert value.startswith(("#", "data:")), f"<{tag} {name}={value!r}>"
    assert "@import" not in html
    assert not re.search(r"url\(\s*['\"]?(?!#|data:)", html)


def test_identifiers_are_unique_and_references_meet_them(page: Page) -> None:
    ids = [attributes["id"] for _, attributes in page.tags if "id" in attributes]
    assert len(ids) == len(set(ids))
    targets = [a.get("href") or a.get("xlink:href") for t, a in page.tags if t in ("a", "use")]
    assert all(target and target[1:] in ids for target in targets)
    for _, attributes in page.tags:
        for value in attributes.values():
            for target in re.findall(r"url\(#([^)]+)\)", value or ""):
                assert target in ids


def test_headings_go_down_one_level_at_a_time(page: Page) -> None:
    levels = [int(tag[1]) for tag, _ in page.tags if re.fullmatch(r"h[1-6]", tag)]
    assert levels.count(1) == 1
    assert levels[0] == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))


def test_landmarks_language_and_names(page: Page) -> None:
    assert page.all("html") == [{"lang": "en"}]
    assert all(len(page.all(name)) == 1 for name in ("header", "nav", "main", "footer", "title"))
    assert page.all("a")[0]["href"] == "#verdict"
    plots = [attributes for attributes in page.all("svg") if attributes.get("role") == "img"]
    assert len(plots) == len(page.all("figure")) == len(page.all("figcaption")) == 6
    assert all(attributes["aria-label"] for attributes in plots)
    regions = [attributes for _, attributes in page.tags if attributes.get("role") == "region"]
    assert regions
    assert all(region["aria-label"] and region["tabindex"] == "0" for region in regions)


def test_the_verdict_comes_first_and_everything_follows(page: Page) -> None:
    order = [attributes["id"] for attributes in page.all("h2")]
    assert order == [
        "verdict",
        "missing",
        "tables",
        "figures",
        "methods",
        "data",
        "provenance",
        "rerun",
    ]
    assert "NDCG@1 is 0.4500" in page.text
    assert "snakemake" in page.text
    assert "Nothing is missing" in page.text
    assert "Nothing is mixed" in page.text
    assert "other settings" not in page.text


def test_what_is_missing_is_said(tmp_path: Path) -> None:
    settings = {**SETTINGS, "lambdamart": {}}
    text = Page(make_page(tmp_path, folds(METHODS)[1:], settings=settings, seeds=[0, 1])).text
    assert "fold 1 of 5 is missing" in text
    assert "LambdaMART is missing" in text
    assert "seed 1 is missing" in text
    assert "Cannot be told" in text
    assert "only 4 of 5 folds" in text
    assert "Nothing is missing" not in text


def test_what_is_mixed_is_said(tmp_path: Path) -> None:
    runs = [run(method, value) for method, value in METHODS.items()]
    given = [fold(number, runs, code="old" if number == 1 else "new") for number in range(1, 6)]
    text = Page(make_page(tmp_path, given)).text
    assert "different versions of the code: new, old" in text
    assert "Nothing is mixed" not in text


def test_settings_that_results_were_not_made_with_are_not_shown_as_theirs(tmp_path: Path) -> None:
    before = plan(tmp_path, SETTINGS)
    given = folds(METHODS, config=config_of(before.methods))
    settings = {**SETTINGS, "arsm-l2r": {"epochs": 4}}
    text = Page(make_page(tmp_path, given, settings=settings)).text
    assert "fold 1 was run with other settings than those of the configuration" in text


def test_names_from_data_stay_text(tmp_path: Path) -> None:
    evil = "<script>alert('x')</script>\"><img src=x onerror=alert(1)>"
    runs = [*(run(method, value) for method, value in METHODS.items()), run(evil, 0.3, device=evil)]
    given = [fold(number, runs, python=evil) for number in range(1, 6)]
    page = Page(make_page(tmp_path, given, described=description(title=evil, source=evil)))
    assert not page.all("script")
    assert not page.all("img")
    assert not any(name.startswith("on") for _, attributes in page.tags for name in attributes)
    assert evil in page.text


def test_without_any_result_the_page_says_so(tmp_path: Path) -> None:
    text = Page(render(plan(tmp_path, SETTINGS))).text
    assert "mq2007: no fold has been measured" in text
    assert "The figures of MQ2007 have not been drawn" in text
    assert "None of the paper's claims has been judged" in text


def test_without_a_configuration_there_is_no_page(tmp_path: Path) -> None:
    make_page(tmp_path)
    Layout(tmp_path).configuration.unlink()
    with pytest.raises(UserError, match=r"configuration\.json: not there"):
        Plan.load(tmp_path)


def test_a_data_set_that_the_paper_lacks(tmp_path: Path) -> None:
    page = Page(make_page(tmp_path, described=description("synthetic", "Synthetic")))
    assert "Which method ranks best on these data?" in page.text
    assert "Does the ARSM-L2R paper hold?" not in page.text
    assert "A reproduction of" not in page.text
    assert "snakemake ablations" not in page.text
    assert "By test NDCG@10, ARSM-L2R on Synthetic (0.4500)." in page.text
    assert "The paper has no results on Synthetic. By test NDCG@10" in page.text
    assert "ARSM-L2R is number 1 of 5" in page.text
    assert "The figures and how sure they are on Synthetic dataset" in page.text
    assert "The paper's figures beside ours" not in page.text
    assert not [one for _, one in page.tags if str(one.get("id")).startswith("claim-")]


def test_claims_that_need_experiments_are_there_when_they_have_been_judged(tmp_path: Path) -> None:
    without = Page(make_page(tmp_path))
    assert "1 holds, 1 holds in part and 1 cannot be told yet." in without.text
    assert "put to the test by snakemake ablations" in without.text
    layout = Layout(tmp_path)
    # As they were published, by the code before this.
    published = Layout(Path(__file__).parents[2] / "docs" / "reproduction")
    for name in ("levels", "scorings", "estimators", "losses", "ties", "entropy"):
        for ending in ("json", "svg"):
            content = published.claim(name, ending).read_bytes()
            layout.claim(name, ending).write_bytes(content)
    page = Page(render(Plan.load(tmp_path)))
    assert "Of 7 claims of the paper" in page.text
    assert "(Ours, not the paper's.)" in page.text
    assert "put to the test by snakemake ablations" not in page.text
    assert "gradient_draws" in page.text
    items = [one["id"] for tag, one in page.tags if tag == "li" and "id" in one]
    assert items == [
        f"claim-{name}"
        for name in (
            *("highest", "comparison", "reproduced"),
            *("levels", "scorings", "estimators", "losses", "ties", "entropy"),
        )
    ]
    ids = [attributes["id"] for _, attributes in page.tags if "id" in attributes]
    assert len(ids) == len(set(ids))
    for attributes in page.all("svg"):
        assert attributes["aria-label"]


def test_searches_are_shown_once_they_have_been_made(tmp_path: Path) -> None:
    search = {"mine": {"method": "arsm-l2r", "vary": {"levels": [5]}}}
    made = plan(tmp_path, {"arsm-l2r": {}}, search=search)
    assert made.searched == {}
    assert "search-mine" not in render(made)
    table = made.layout.search("mine", "html")
    table.parent.mkdir()
    table.write_text("<table><caption>What was sought</caption></table>")
    before = made.searched
    shown = Page(render(made))
    assert "search-mine" in [each.get("id") for each in shown.all("details")]
    assert "What was sought" in shown.text
    table.write_text("<table></table>")
    assert made.searched != before


def test_claims_stay_text(tmp_path: Path) -> None:
    make_page(tmp_path)
    path = Layout(tmp_path).claim("highest", "json")
    write_json(path, {**read_json(path), "because": ["<script>alert(1)</script>"]})
    page = Page(render(Plan.load(tmp_path)))
    assert not page.all("script")
    assert "<script>alert(1)</script>" in page.text


@pytest.mark.slow
def test_the_same_results_make_the_same_page(tmp_path: Path) -> None:
    assert make_page(tmp_path / "one") == make_page(tmp_path / "two")


def test_figures_do_not_get_in_each_others_way() -> None:
    svg = (
        '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
        'width="9pt" height="9pt" viewBox="0 0 9 9"><style>*{stroke: red}</style><script>1</script>'
        '<g id="a" clip-path="url(#c)"/><use xlink:href="#a"/><a href="http://x"/></svg>'
    )
    inlined = inline_svg(svg, "one", 'a "label"')
    assert 'id="one-a"' in inlined
    assert "url(#one-c)" in inlined
    assert 'href="#one-a"' in inlined
    assert "#one *{" in inlined
    assert "script" not in inlined
    assert "http://x" not in inlined
    assert 'aria-label="a &quot;label&quot;"' in inlined
    assert "9pt" not in inlined


def _luminance(colour: str) -> float:
    channels = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_stands_out_from_its_ground(scheme: str) -> None:
    css = resources.files("arsm_l2r.report").joinpath("page.css").read_text("utf-8")
    blocks = re.findall(r":root \{(.*?)\}", css, re.S)
    found = re.findall(r"--([\w-]+): (#[0-9a-f]{6});", blocks[scheme == "dark"])
    colours = {name: _luminance(colour) for name, colour in found}
    for ground in ("paper", "card", "note"):
        for text in ("ink", "soft", "link", "good", "part", "bad", "open"):
            darker, lighter = sorted((colours[ground], colours[text]))
            # WCAG 2, level AA.
            assert (lighter + 0.05) / (darker + 0.05) >= 4.5, f"{text} on {ground}"


def test_what_map_counts_as_relevant_is_said(page: Page, tmp_path: Path) -> None:
    assert "MAP counts labels from 1 as relevant." in page.text
    own = [fold(k, [run(name, 0.4, relevant_from=2) for name in METHODS]) for k in range(1, 6)]
    assert "MAP counts labels from 2 as relevant." in Page(make_page(tmp_path, own)).text


def half_way(results: Path) -> Plan:
    """One fold of one of two data sets, with one seed, as `--config seeds='[0]'` leaves it."""
    made = plan(results, SETTINGS, [0], ["mq2007", "ohsumed"])
    given = folds(METHODS, config=config_of(made.methods))[0]
    for method, value in METHODS.items():
        write_measures(results, 1, method, [value] * 4)
    write_json(made.layout.fold("mq2007", 1), given)
    return made


def of_missing(page: Page) -> str:
    return page.text.partition("What is missing or mixed")[2].partition("Tables")[0]


def test_half_way_the_page_knows_what_was_asked_for(tmp_path: Path) -> None:
    half_way(tmp_path)
    text = of_missing(Page(render(Plan.load(tmp_path))))
    assert "MQ2007 and OHSUMED, 5 methods, seed 0: 50 runs" in text
    assert "mq2007: folds 2, 3, 4 and 5 of 5 are missing" in text
    assert "mq2007: fold 1 has been measured, and has no part in this page yet" in text
    assert "ohsumed: no fold has been measured" in text
    assert "Nothing is" not in text


@pytest.mark.slow
def test_half_way_the_page_shows_what_there_is(tmp_path: Path) -> None:
    half_way(tmp_path)
    done = subprocess.run(
        [sys.executable, "scripts/report.py", "--so-far", "--results", str(tmp_path)],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    page = Page(Layout(tmp_path).report.read_text(encoding="utf-8"))
    text = of_missing(page)
    assert "mq2007: folds 2, 3, 4 and 5 of 5 are missing" in text
    assert "ohsumed: no fold has been measured" in text
    assert "no part in this page" not in text
    assert "Nothing is missing" not in text
    assert "table-mq2007" in [each.get("id") for each in page.all("table") + page.all("div")]
    assert "cannot be told" in page.text
    assert "The tables of OHSUMED have not been made" in page.text
    assert "The figures of OHSUMED have not been drawn" in page.text


def test_a_fold_that_came_after_the_analysis_is_noticed(tmp_path: Path) -> None:
    make_page(tmp_path, folds(METHODS)[:4])
    write_json(Layout(tmp_path).fold("mq2007", 5), folds(METHODS)[4])
    text = of_missing(Page(render(Plan.load(tmp_path))))
    assert "mq2007: fold 5 has been measured, and has no part in this page yet" in text
    assert "missing" not in text.partition("This page shows")[2].partition("Nothing is mixed")[0]


def test_the_page_of_other_data_answers_its_question_first(tmp_path: Path) -> None:
    described = description("synthetic", "Synthetic")
    given = folds({**METHODS, "listnet": 0.46}, "synthetic")
    text = Page(make_page(tmp_path, given, described=described)).text
    answer = "By test NDCG@10, ListNet on Synthetic (0.4600, ARSM-L2R has 0.4500)."
    assert text.index("Which method ranks best") < text.index(answer) < text.index("Tables")
    assert render(plan(tmp_path / "empty", SETTINGS, datasets=["synthetic"])).count("By test") == 0

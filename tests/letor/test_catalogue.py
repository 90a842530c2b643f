"""The catalogue of data sets: what it accepts, fills in, and refuses with which words."""

from pathlib import Path

import pytest

from arsm_l2r.errors import ConfigError
from arsm_l2r.letor.catalogue import Layout, QuerySplit, Source, find_dataset, load_catalogue

ROOT = Path(__file__).parents[2]
FINGERPRINT = "0" * 64

LEAST = """
own:
  title: Own
  sources: [{file: own.txt}]
  layout: {files: "*.txt", split: {}}
  features: 3
  labels: 2
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "datasets.yaml"


def refusal(path: Path, text: str) -> str:
    path.write_text(text)
    with pytest.raises(ConfigError) as caught:
        load_catalogue(path)
    assert str(path) in str(caught.value)
    return str(caught.value)


def test_least_entry_gets_the_defaults(path: Path) -> None:
    path.write_text(LEAST)
    dataset = load_catalogue(path)["own"]
    assert (dataset.name, dataset.title, dataset.archive) == ("own", "Own", "own")
    assert dataset.sources == (Source(file="own.txt"),)
    assert dataset.layout == Layout(files="*.txt", split=QuerySplit(parts=5, seed=0))
    assert (dataset.collection, dataset.home, dataset.terms, dataset.published) == (
        "",
        None,
        None,
        None,
    )
    assert (dataset.query_normalised, dataset.docids, dataset.parts) == (False, False, ())


def test_number_of_parts_comes_from_the_split_the_facts_or_letor(path: Path) -> None:
    with_folds = LEAST.replace('"*.txt", split: {}', '"Fold{fold}/{split}.txt"')
    fact = f"{{rows: 3, queries: 1, labels: [2, 1], fingerprint: '{FINGERPRINT}'}}"
    for text, expected in [
        (LEAST.replace("split: {}", "split: {parts: 4}"), 4),
        (with_folds, 5),
        (f"{with_folds}  parts: [{fact}, {fact}, {fact}]\n", 3),
    ]:
        path.write_text(text)
        assert find_dataset(path, "own").part_count == expected


def test_shipped_catalogue_is_readable() -> None:
    catalogue = load_catalogue(ROOT / "config" / "datasets.yaml")
    assert list(catalogue)[:3] == ["mq2007", "ohsumed", "synthetic"]
    assert [dataset.features for dataset in catalogue.values()][:3] == [46, 45, 46]
    assert all(catalogue[name].part_count == 5 for name in ("mq2007", "ohsumed", "synthetic"))


@pytest.mark.parametrize(
    ("name", "queries", "documents", "features", "folds"),
    [
        ("mq2008", 784, 15_211, 46, 5),
        ("mslr-web10k", 10_000, 1_200_192, 136, 5),
        ("mslr-web30k", 31_531, 3_771_125, 136, 5),
        ("yahoo-set1", 29_921, 709_877, 700, 1),
        ("yahoo-set2", 6_330, 172_870, 700, 1),
        ("istella", 33_018, 10_454_629, 220, 1),
        ("istella-s", 33_018, 3_408_630, 220, 1),
    ],
)
def test_further_collections_are_as_published_and_say_that_nobody_checked(
    name: str, queries: int, documents: int, features: int, folds: int
) -> None:
    dataset = find_dataset(ROOT / "config" / "datasets.yaml", name)
    assert dataset.unverified
    assert dataset.totals is not None
    assert (dataset.totals.queries, dataset.totals.documents) == (queries, documents)
    assert (dataset.features, dataset.fold_count) == (features, folds)
    assert dataset.home is not None
    assert dataset.terms is not None
    for facts, total in (("rows", documents), ("queries", queries)):
        if dataset.parts:
            assert sum(getattr(part, facts) for part in dataset.parts) == total


def test_unknown_name_lists_those_there_are(path: Path) -> None:
    path.write_text(LEAST)
    with pytest.raises(ConfigError, match="no data set 'mq2008'; there are own"):
        find_dataset(path, "mq2008")


def test_unknown_key_is_named_with_those_allowed(path: Path) -> None:
    message = refusal(path, LEAST + "  lables: 3\n")
    assert "own: unknown key 'lables'; allowed are title, collection, home" in message
    message = refusal(path, LEAST.replace("split: {}", "split: {part: 3}"))
    assert "own.layout.split: unknown key 'part'; allowed are parts, seed" in message


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("features: 3", "features: three", "own.features: must be integer, not 'three'"),
        ("features: 3", "features: 3.0", "own.features: must be integer, not 3.0"),
        ("title: Own", "title: 7", "own.title: must be string, not 7"),
        ("labels: 2", "labels: 1", "own.labels: 1 is less than the minimum of 2"),
        ("labels: 2", "labels: 40", "own.labels: 40 is greater than the maximum of 31"),
        (
            "labels: 2",
            "labels: 2\n  relevant_from: 2",
            "relevant_from: 2 is above the highest label",
        ),
        ("labels: 2", "labels: 2\n  relevant_from: 0", "own.relevant_from: 0 is less than"),
        ("split: {}", "split: {parts: 2}", "own.layout.split.parts: 2 is less than"),
        ("{file: own.txt}", "", "own: give 'sources', or a 'home' where a person can get the data"),
        ("{file: own.txt}", "{url: 'ftp://x'}", "own.sources.0.url: 'ftp://x' does not match"),
        ("{file: own.txt}", "{md5: 'x'}", "own.sources.0.md5: 'x' does not match"),
        ("{file: own.txt}", "{}", "own.sources.0: give either 'url' or 'file'"),
        ("  features: 3\n", "", "own: missing features"),
        ("own:", "Own:", "'Own' does not match"),
        ("own:", "2007:", "must be string, not 2007"),
    ],
)
def test_wrong_value_names_key_and_what_it_must_be(
    path: Path, old: str, new: str, expected: str
) -> None:
    assert old in LEAST
    assert expected in refusal(path, LEAST.replace(old, new))


def test_all_wrong_settings_are_told_at_once(path: Path) -> None:
    other = LEAST.replace("own:", "2008:").replace("features: 3", "features: -1")
    message = refusal(path, LEAST.replace("labels: 2", "label: 2") + other)
    assert message.splitlines()[0] == f"{path}: settings that cannot be used"
    for expected in (
        "top level: must be string, not 2008",
        "2008.features: -1 is less than",
        "own: unknown key 'label'",
        "own: missing labels",
    ):
        assert sum(expected in line for line in message.splitlines()) == 1


@pytest.mark.parametrize(
    "layout", ['"*.txt"', '"Fold{fold}/{split}.txt", split: {}', '"{fold}.txt"']
)
def test_layout_needs_either_folds_or_a_split(path: Path, layout: str) -> None:
    message = refusal(path, LEAST.replace('"*.txt", split: {}', layout))
    assert "own.layout: " in message
    assert "{split}" in message


@pytest.mark.parametrize(
    ("fact", "count", "expected"),
    [
        ("{rows: 4, queries: 1, labels: [2, 1]", 5, "label counts of S1 don't sum to its rows"),
        ("{rows: 3, queries: 1, labels: [1, 1, 1]", 5, "label counts of S1 don't sum"),
        ("{rows: 3, queries: 1, labels: [2, 1]", 4, "4 parts described, 5 in the split"),
    ],
    ids=["sum", "levels", "number of parts"],
)
def test_facts_that_contradict_each_other_are_refused(
    path: Path, fact: str, count: int, expected: str
) -> None:
    entry = f"{fact}, fingerprint: '{FINGERPRINT}'}}"
    assert expected in refusal(path, f"{LEAST}  parts: [{', '.join([entry] * count)}]\n")


def test_too_few_parts_for_folds_are_refused(path: Path) -> None:
    entry = f"{{rows: 3, queries: 1, labels: [2, 1], fingerprint: '{FINGERPRINT}'}}"
    with_folds = LEAST.replace('"*.txt", split: {}', '"Fold{fold}/{split}.txt"')
    message = refusal(path, f"{with_folds}  parts: [{entry}, {entry}]\n")
    assert "own: 2 parts don't make folds" in message


@pytest.mark.parametrize("text", ["", "- own", "own: 3"])
def test_file_that_is_no_catalogue_is_refused(path: Path, text: str) -> None:
    assert "must be object" in refusal(path, text)


def test_source_prints_as_its_address() -> None:
    assert str(Source(url="https://example.org/a.zip", md5="0" * 32)) == "https://example.org/a.zip"
    assert str(Source(file="data/a.zip")) == "data/a.zip"


def test_what_is_relevant_is_told_only_where_it_is_not_the_usual(path: Path) -> None:
    path.write_text(LEAST.replace("labels: 2", "labels: 3"))
    usual = load_catalogue(path)["own"]
    path.write_text(LEAST.replace("labels: 2", "labels: 3\n  relevant_from: 2"))
    other = load_catalogue(path)["own"]
    assert (usual.relevant_from, usual.told) == (1, {})
    assert (other.relevant_from, other.told) == (2, {"relevant_from": 2})
    assert "relevant_from" not in usual.about("describe")
    assert usual.about("describe") != other.about("describe")
    for step in ("fetch", "prepare"):
        assert usual.about(step) == other.about(step)

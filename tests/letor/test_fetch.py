"""Fetching: which source is taken, what is found in it, and what a failure leaves behind."""

import json
import shutil
import signal
import subprocess
import sys
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import pytest

from arsm_l2r.errors import FetchError
from arsm_l2r.letor import fetch as module
from arsm_l2r.letor.catalogue import Dataset, Layout, QuerySplit, Source
from arsm_l2r.letor.download import download
from arsm_l2r.letor.fetch import fetch, fetching_minutes, source_of
from arsm_l2r.letor.layout import locate
from arsm_l2r.letor.limits import Fetching

from .rar import rar_of
from .tiny import DATASET, changed, fold_files, part_text, read_files, tar_of, write_files, zip_of
from .web import Answer, serving

FILES = fold_files()
OTHER = {name: text.replace("qid:", "qid:9") for name, text in FILES.items()}
WITHOUT_FOLDS = changed(DATASET, layout=Layout(files="*.txt", split=QuerySplit(parts=3, seed=0)))


@pytest.fixture(autouse=True)
def _no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "download", partial(download, pause=0, attempts=2))


class Place:
    """The folders of one fetch, all below one."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.mirror, self.downloads = root / "mirror", root / "downloads"
        self.text = root / "data" / "tiny" / "text"
        self.mirror.mkdir()

    def fetch(self, dataset: Dataset = DATASET) -> Source:
        return fetch(dataset, self.text, downloads=self.downloads, mirror=self.mirror)

    def fetch_from(self, *urls: str) -> Source:
        sources = tuple(Source(url=url) for url in urls)
        dataset = changed(DATASET, sources=sources)
        return fetch(dataset, self.text, downloads=self.downloads)

    @property
    def beside_text(self) -> list[str]:
        """What lies in the folder that holds the fetched one: nothing half-done, it is hoped."""
        folder = self.text.parent
        return sorted(path.name for path in folder.iterdir()) if folder.exists() else []


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


# ── a mirror, in every form that copies come in ───────────────────────────────────────────


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("TINY.zip", zip_of(FILES)),
        ("tiny.ZIP", zip_of(FILES)),
        ("TINY.tar", tar_of(FILES)),
        ("TINY.tar.gz", tar_of(FILES, "gz")),
        ("TINY.tgz", tar_of(FILES, "gz")),
        ("TINY.tar.bz2", tar_of(FILES, "bz2")),
        ("TINY.tar.xz", tar_of(FILES, "xz")),
    ],
)
def test_mirror_with_an_archive(place: Place, name: str, content: bytes) -> None:
    archive = place.mirror / name
    archive.write_bytes(content)
    assert place.fetch() == Source(file=str(archive))
    assert read_files(place.text) == FILES
    assert source_of(place.text) == str(archive)
    assert place.beside_text == ["text"]


@pytest.mark.parametrize("as_archive", [True, False], ids=["archive", "folder"])
@pytest.mark.parametrize("root", ["", "TINY/", "TINY/TINY/", "some/where/"])
@pytest.mark.parametrize(
    "names",
    [
        {},
        {
            "train.txt": "trainingset.txt",
            "vali.txt": "validationset.txt",
            "test.txt": "testset.txt",
        },
        {"Fold": "FOLD", ".txt": ".TXT"},
    ],
    ids=["usual names", "long names", "upper case"],
)
def test_files_are_found_under_any_root_and_known_names(
    place: Place, as_archive: bool, root: str, names: dict[str, str]
) -> None:
    renamed = {}
    for path, text in FILES.items():
        for usual, other in names.items():
            path = path.replace(usual, other)
        renamed[root + path] = text
    if as_archive:
        (place.mirror / "TINY.zip").write_bytes(zip_of(renamed))
    else:
        write_files(place.mirror / "TINY", renamed)
    place.fetch()
    assert read_files(place.text) == FILES


def test_rar_in_a_mirror_is_unpacked_without_writing_to_the_mirror(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    (place.mirror / "TINY.rar").write_bytes(rar_of(FILES))
    with monkeypatch.context() as patch:
        patch.setattr(shutil, "which", lambda _: None)
        with pytest.raises(FetchError, match="install one of unrar, 7zz, 7z, bsdtar, unar"):
            place.fetch()
    if not any(map(shutil.which, ("bsdtar", "unar"))):
        pytest.skip("neither bsdtar nor unar is installed")
    written_last = place.mirror.stat().st_mtime_ns
    place.fetch()
    assert place.mirror.stat().st_mtime_ns == written_last
    assert read_files(place.text) == FILES
    assert place.beside_text == ["text"]


def test_right_normalisation_is_chosen_among_others() -> None:
    kinds = ["Feature-null", "Feature-min", "QueryLevelNorm"]
    paths = [f"OHSUMED/{kind}/{name}" for kind in kinds for name in FILES]
    dataset = changed(DATASET, layout=Layout(files="QueryLevelNorm/Fold{fold}/{split}.txt"))
    assert locate(dataset, paths) == {name: f"OHSUMED/QueryLevelNorm/{name}" for name in FILES}


def test_clutter_and_similar_names_are_passed_over() -> None:
    clutter = ["__MACOSX/Fold1/train.txt", "Fold1/._train.txt", "Fold11/train.txt"]
    others = ["Fold1/train.txt.bak", "OldFold1/train.txt", "Fold1/train/a.txt", "Fold1/train-txt"]
    assert locate(DATASET, [*clutter, *FILES, *others]) == {name: name for name in FILES}


def test_missing_files_are_all_named() -> None:
    paths = [name for name in FILES if name not in ("Fold2/vali.txt", "Fold5/test.txt")]
    with pytest.raises(FetchError, match=r"has no Fold2/vali\.txt, Fold5/test\.txt \(looked for"):
        locate(DATASET, paths)


def test_file_found_twice_is_refused() -> None:
    with pytest.raises(FetchError, match=r"Fold3/test\.txt more than once: Fold3/.*, b/Fold3/"):
        locate(DATASET, [*FILES, "b/Fold3/test.txt"])


def test_pattern_of_data_without_folds_matches_whole_names() -> None:
    dataset = changed(
        WITHOUT_FOLDS, layout=Layout(files="set?.txt", split=QuerySplit(parts=3, seed=0))
    )
    paths = ["set1.txt", "a/set2.txt", "a/offset3.txt", "a/set.txt", "set1.txt.md5"]
    assert locate(dataset, paths) == {"1-set2.txt": "a/set2.txt", "2-set1.txt": "set1.txt"}
    with pytest.raises(FetchError, match=r"no file that matches 'set\?\.txt'"):
        locate(dataset, ["a/offset3.txt"])


def test_single_text_file_is_a_source(place: Place) -> None:
    file = place.root / "own.txt"
    file.write_text(part_text(1))
    (place.root / "other.txt").write_text("not this one\n")
    place.fetch(changed(WITHOUT_FOLDS, sources=(Source(file=str(file)),)))
    assert read_files(place.text) == {"1-own.txt": part_text(1)}


# ── which source is taken ─────────────────────────────────────────────────────────────────


def test_archive_put_by_hand_into_downloads_is_used(place: Place) -> None:
    place.downloads.mkdir()
    (place.downloads / "TINY.zip").write_bytes(zip_of(FILES))
    assert place.fetch() == Source(file=str(place.downloads / "TINY.zip"))
    assert read_files(place.text) == FILES


def test_folder_unpacked_by_hand_into_downloads_is_used(place: Place) -> None:
    write_files(place.downloads / "TINY", FILES)
    place.fetch()
    assert read_files(place.text) == FILES


def test_mirror_comes_before_what_was_put_by_hand_and_the_web(place: Place) -> None:
    place.downloads.mkdir()
    by_hand, mirrored = place.downloads / "TINY.zip", place.mirror / "TINY.zip"
    by_hand.write_bytes(zip_of(OTHER))
    mirrored.write_bytes(zip_of(FILES))
    with serving({"/tiny.zip": [Answer(zip_of(OTHER))]}) as server:
        dataset = changed(DATASET, sources=(Source(url=server.url("/tiny.zip")),))
        assert place.fetch(dataset) == Source(file=str(mirrored))
        mirrored.unlink()
        assert place.fetch(dataset) == Source(file=str(by_hand))
        assert server.requests == []
        by_hand.unlink()
        assert place.fetch(dataset) == dataset.sources[0]


def test_second_source_is_taken_when_the_first_has_gone(place: Place) -> None:
    script = {"/new/tiny.zip": [Answer(zip_of(FILES))]}
    with serving(script) as server:
        urls = [server.url("/old/tiny.zip"), server.url("/new/tiny.zip")]
        assert place.fetch_from(*urls) == Source(url=urls[1])
    assert server.paths == ["/old/tiny.zip", "/new/tiny.zip"]
    assert read_files(place.text) == FILES
    note = json.loads((place.text / "source.json").read_text())
    assert note["source"] == urls[1]
    assert note["files"]["Fold1/train.txt"] == "Fold1/train.txt"


def test_busy_server_is_asked_again(place: Place) -> None:
    with serving({"/tiny.zip": [Answer(status=503), Answer(zip_of(FILES))]}) as server:
        place.fetch_from(server.url("/tiny.zip"))
    assert read_files(place.text) == FILES


@pytest.mark.parametrize(
    "first",
    [zip_of(FILES)[:-10], b"not an archive", zip_of({"read me": "no data"})],
    ids=["damaged", "no archive", "without the files"],
)
def test_useless_archive_does_not_stand_for_another_of_the_same_name(
    place: Place, first: bytes
) -> None:
    script = {"/a/tiny.zip": [Answer(first)], "/b/tiny.zip": [Answer(zip_of(FILES))]}
    with serving(script) as server:
        place.fetch_from(server.url("/a/tiny.zip"), server.url("/b/tiny.zip"))
    assert read_files(place.text) == FILES


def test_damaged_download_is_fetched_anew_by_the_next_call(place: Place) -> None:
    script = {"/tiny.zip": [Answer(zip_of(FILES)[:-10]), Answer(zip_of(FILES))]}
    with serving(script) as server:
        with pytest.raises(FetchError, match=r"tiny\.zip is damaged"):
            place.fetch_from(server.url("/tiny.zip"))
        place.fetch_from(server.url("/tiny.zip"))
    assert read_files(place.text) == FILES


def test_download_is_kept_for_the_next_call(place: Place) -> None:
    with serving({"/tiny.zip": [Answer(zip_of(FILES))]}) as server:
        place.fetch_from(server.url("/tiny.zip"))
        shutil.rmtree(place.text)
        place.fetch_from(server.url("/tiny.zip"))
    assert len(server.requests) == 1
    assert read_files(place.text) == FILES


@pytest.mark.parametrize("packed", [True, False], ids=["archive", "folder"])
def test_room_on_the_disk_is_looked_at_first(
    place: Place, monkeypatch: pytest.MonkeyPatch, packed: bool
) -> None:
    if packed:
        (place.mirror / "TINY.zip").write_bytes(zip_of(FILES))
    else:
        write_files(place.mirror / "TINY", FILES)
    before = sorted(place.root.rglob("*"))
    size = sum(len(text) for text in FILES.values())

    def usage(_: Path) -> SimpleNamespace:
        return SimpleNamespace(free=size - 1)

    def no_copy(*_: object) -> None:
        raise AssertionError("copied without room")

    monkeypatch.setattr(shutil, "disk_usage", usage)
    monkeypatch.setattr(shutil, "copyfileobj", no_copy)
    with pytest.raises(FetchError, match=f"needs {size:,} bytes, and .* has {size - 1:,} free"):
        place.fetch()
    assert sorted(place.root.rglob("*")) == before


def test_time_of_the_rule_follows_the_limits() -> None:
    sources = (Source(url="http://127.0.0.1/a.zip"), Source(url="http://127.0.0.1/b.zip"))
    dataset = changed(DATASET, sources=sources)
    assert fetching_minutes(dataset, Fetching(seconds=90)) == 30 + 3


def test_trouble_with_the_disk_is_a_reason_like_others(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    write_files(place.mirror / "TINY", FILES)
    monkeypatch.setattr(shutil, "copyfileobj", full)
    with pytest.raises(FetchError, match=r"mirror/TINY\n.*No space left on device"):
        place.fetch()
    assert place.beside_text == []


def test_download_is_kept_when_only_a_program_or_room_is_missing(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    script = {"/tiny.rar": [Answer(rar_of(FILES))], "/tiny.zip": [Answer(zip_of(FILES))]}
    with serving(script) as server, monkeypatch.context() as patch:
        patch.setattr(shutil, "which", lambda _: None)
        patch.setattr(shutil, "copyfileobj", full)
        with pytest.raises(FetchError, match=r"needs a program(.|\n)*No space left"):
            place.fetch_from(server.url("/tiny.rar"), server.url("/tiny.zip"))
    kept = [path.name for path in place.downloads.rglob("tiny.*")]
    assert sorted(kept) == ["tiny.rar", "tiny.zip"]
    assert place.beside_text == []


def test_kept_download_with_a_wrong_checksum_is_fetched_anew(place: Place) -> None:
    with serving({"/tiny.zip": [Answer(zip_of(FILES))]}) as server:
        place.fetch_from(server.url("/tiny.zip"))
        (kept,) = place.downloads.rglob("tiny.zip")
        kept.write_bytes(zip_of(OTHER))
        md5 = "d41d8cd98f00b204e9800998ecf8427e"  # of nothing: neither file has it
        source = Source(url=server.url("/tiny.zip"), md5=md5)
        with pytest.raises(FetchError, match=f"wrong checksum: md5 is .*, should be {md5}"):
            place.fetch(changed(DATASET, sources=(source,)))
    assert len(server.requests) == 2
    assert not kept.exists()


def test_kept_download_of_a_wrong_size_is_fetched_anew(place: Place) -> None:
    content = zip_of(FILES)
    with serving({"/tiny.zip": [Answer(content)]}) as server:
        place.fetch_from(server.url("/tiny.zip"))
        (kept,) = place.downloads.rglob("tiny.zip")
        kept.write_bytes(content + b"\0")
        source = Source(url=server.url("/tiny.zip"), bytes=len(content))
        place.fetch(changed(DATASET, sources=(source,)))
    assert len(server.requests) == 2
    assert kept.read_bytes() == content


def test_file_of_a_wrong_size_is_refused_and_left_alone(place: Place) -> None:
    file = place.root / "own.zip"
    file.write_bytes(zip_of(FILES))
    with pytest.raises(FetchError, match=r"wrong size: .* bytes, should be 10"):
        place.fetch(changed(DATASET, sources=(Source(file=str(file), bytes=10),)))
    assert file.exists()


def test_size_written_down_later_changes_nothing_that_fetching_depends_on() -> None:
    with_size, without = Source(file="a.zip", bytes=10), Source(file="a.zip")
    both = [changed(DATASET, sources=(source,)).about("fetch") for source in (with_size, without)]
    assert both[0] == both[1]
    assert "bytes" not in both[0]


def test_file_with_a_wrong_checksum_is_refused_and_left_alone(place: Place) -> None:
    file = place.root / "own.zip"
    file.write_bytes(zip_of(FILES))
    with pytest.raises(FetchError, match="wrong checksum: sha256"):
        place.fetch(changed(DATASET, sources=(Source(file=str(file), sha256="0" * 64),)))
    assert file.exists()


@pytest.mark.parametrize(
    "path", ["/", "/get?file=tiny.zip", "/a%2F..%2Ftiny.zip", "/a/..", "/%00.zip"]
)
def test_address_without_a_plain_file_name_stays_below_downloads(place: Place, path: str) -> None:
    with serving({path: [Answer(zip_of(FILES))]}) as server:
        place.fetch_from(server.url(path))
    assert read_files(place.text) == FILES
    (kept,) = [file for file in place.downloads.rglob("*") if file.is_file()]
    assert kept.parent.parent == place.downloads / "by-address" / "tiny"


# ── when nothing works ────────────────────────────────────────────────────────────────────


def test_failure_lists_every_source_with_its_reason_and_what_to_do(place: Place) -> None:
    page = Answer(b"<html>accept our terms</html>", kind="text/html")
    with serving({"/page.zip": [page], "/busy.zip": [Answer(status=503)]}) as server:
        urls = [server.url(path) for path in ("/gone.zip", "/page.zip", "/busy.zip")]
        sources = (*(Source(url=url) for url in urls), Source(file="no/such/tiny.zip"))
        with pytest.raises(FetchError) as caught:
            place.fetch(changed(DATASET, sources=sources))
    lines = str(caught.value).splitlines()
    tried = dict(zip(lines[1:11:2], lines[2:11:2], strict=True))
    assert [source.removeprefix("  - ") for source in tried] == [
        f"mirror {place.mirror}",
        *urls,
        "no/such/tiny.zip",
    ]
    reasons = ["has no TINY, as a folder or with .tar.xz", "404", "web page", "503", "no such file"]
    for reason, told in zip(reasons, tried.values(), strict=True):
        assert reason in told
    advice = "\n".join(lines[11:])
    assert DATASET.home in advice
    assert f"into {place.downloads.resolve()} and run again" in advice
    assert "LETOR_MIRROR" in advice
    assert DATASET.terms in advice
    assert not place.text.exists()


def test_mirror_that_is_no_folder_is_told(place: Place) -> None:
    place.mirror.rmdir()
    with pytest.raises(FetchError, match=r"mirror .*\n\s+is not a folder"):
        place.fetch()


@pytest.mark.parametrize(
    "content",
    [
        zip_of({**FILES, "../outside.txt": "x"}),
        tar_of({**FILES, "../outside.txt": "x"}, "gz"),
        tar_of({**FILES, "/outside.txt": "x"}),
        zip_of(FILES)[:-10],
        tar_of(FILES, "xz")[:200],
        b"not an archive",
        zip_of({name: FILES[name] for name in list(FILES)[:14]}),
    ],
    ids=["../ zip", "../ tar", "absolute tar", "cut zip", "cut tar", "no archive", "incomplete"],
)
def test_unusable_archive_leaves_no_trace(place: Place, content: bytes) -> None:
    (place.mirror / "TINY.zip").write_bytes(content)
    place.text.parent.mkdir(parents=True)
    before = sorted(place.root.rglob("*"))
    with pytest.raises(FetchError, match=r"TINY\.zip"):
        place.fetch()
    assert sorted(place.root.rglob("*")) == before


# ── what was there before ─────────────────────────────────────────────────────────────────


def damaged_in_its_last_member() -> bytes:
    content = zip_of(FILES)
    at = content.rindex(b"Fold5/test.txt", 0, content.index(b"PK\x01\x02")) + 30
    return content[:at] + bytes([content[at] ^ 0xFF]) + content[at + 1 :]


def test_new_fetch_replaces_the_previous_one_entirely(place: Place) -> None:
    write_files(place.text, {"Fold1/train.txt": "old", "Fold9/old.txt": "old"})
    (place.mirror / "TINY.zip").write_bytes(zip_of(FILES))
    place.fetch()
    assert read_files(place.text) == FILES
    assert place.beside_text == ["text"]


@pytest.mark.parametrize("content", [b"not an archive", None], ids=["no archive", "gone"])
def test_failed_source_leaves_no_folders(place: Place, content: bytes | None) -> None:
    before = sorted(place.root.rglob("*"))
    script = {"/tiny.zip": [Answer(content)]} if content else {}
    with serving(script) as server, pytest.raises(FetchError, match="could not be fetched"):
        place.fetch_from(server.url("/tiny.zip"))
    assert sorted(place.root.rglob("*")) == before


def test_failed_fetch_leaves_the_previous_folder_intact(place: Place) -> None:
    (place.mirror / "TINY.zip").write_bytes(zip_of(FILES))
    place.fetch()
    (place.mirror / "TINY.zip").write_bytes(damaged_in_its_last_member())
    with pytest.raises(FetchError, match="is damaged"):
        place.fetch()
    assert read_files(place.text) == FILES
    assert place.beside_text == ["text"]


def test_interrupted_fetch_leaves_the_previous_folder_intact(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    (place.mirror / "TINY.zip").write_bytes(zip_of(FILES))
    place.fetch()

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    (place.mirror / "TINY.zip").write_bytes(zip_of(OTHER))
    monkeypatch.setattr(shutil, "copyfileobj", interrupt)
    with pytest.raises(KeyboardInterrupt):
        place.fetch()
    assert read_files(place.text) == FILES
    assert place.beside_text == ["text"]


KILLED_AT_THE_THIRD_FILE = """
import os, shutil, signal, sys
from pathlib import Path
from arsm_l2r.letor.catalogue import find_dataset
from arsm_l2r.letor.fetch import fetch

copy, copied = shutil.copyfileobj, []
def copy_three(incoming, outgoing):
    copied.append(copy(incoming, outgoing))
    if len(copied) == 3:
        os.kill(os.getpid(), signal.SIGKILL)
shutil.copyfileobj = copy_three
catalogue, text, downloads = map(Path, sys.argv[1:])
fetch(find_dataset(catalogue, "tiny"), text, downloads=downloads)
"""


@pytest.mark.parametrize("previous", [True, False], ids=["with a previous folder", "without"])
def test_killed_fetch_leaves_nothing_half_done(place: Place, previous: bool) -> None:
    archive = place.root / "new.zip"
    archive.write_bytes(zip_of(OTHER))
    catalogue = place.root / "datasets.yaml"
    catalogue.write_text(
        "tiny: {title: Tiny, features: 2, labels: 3,"
        f' sources: [{{file: "{archive}"}}], layout: {{files: "Fold{{fold}}/{{split}}.txt"}}}}\n'
    )
    if previous:
        (place.mirror / "TINY.zip").write_bytes(zip_of(FILES))
        place.fetch()
    arguments = [str(path) for path in (catalogue, place.text, place.downloads)]
    killed = subprocess.run([sys.executable, "-c", KILLED_AT_THE_THIRD_FILE, *arguments])
    assert killed.returncode == -signal.SIGKILL
    assert place.text.exists() == previous
    if previous:
        assert read_files(place.text) == FILES
    place.fetch(changed(DATASET, archive="none", sources=(Source(file=str(archive)),)))
    assert read_files(place.text) == OTHER


def test_folder_that_fetch_did_not_fill_is_told(place: Place) -> None:
    write_files(place.text, FILES)
    with pytest.raises(
        FetchError, match=r"was not filled by fetch: .*source\.json: cannot be read"
    ):
        source_of(place.text)

"""Archives that unpack to more than anyone wants, or claim to: refused, and nothing left behind."""

import bz2
import gzip
import lzma
import random
import shutil
import struct
import sys
import tarfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace

import pytest

from arsm_l2r.errors import FetchError
from arsm_l2r.letor.archive import open_archive
from arsm_l2r.letor.catalogue import Source
from arsm_l2r.letor.fetch import fetch
from arsm_l2r.letor.limits import DEFAULTS, Fetching
from arsm_l2r.letor.unpacking import Allowance, DamagedArchiveError
from tests.letor.rar import rar_of
from tests.letor.tiny import DATASET, changed, fold_files, read_files, tar_of, zip_of
from tests.letor.web import Answer, serving

MEGABYTE = 1_000_000
ZEROS = "\0" * (50 * MEGABYTE)
FILES = fold_files()
COMPRESS: dict[str, Callable[[bytes], bytes]] = {
    "tar": bytes,
    "tar.gz": lambda content: gzip.compress(content, 1),
    "tar.bz2": lambda content: bz2.compress(content, 1),
    "tar.xz": lambda content: lzma.compress(content, preset=0),
}


def unpacked(path: Path, limits: Fetching = DEFAULTS) -> dict[str, bytes]:
    with open_archive(path, limits=limits, scratch=path.parent) as archive:
        opened = {}
        for name in archive.paths():
            with archive.open(name) as file:
                opened[name] = file.read()
    return opened


def header(name: str, size: int, **fields: object) -> bytes:
    """The header of a tar member that says it has so many bytes."""
    member = tarfile.TarInfo(name)
    member.size = size
    for field, value in fields.items():
        setattr(member, field, value)
    return member.tobuf(tarfile.GNU_FORMAT)


@dataclass(frozen=True)
class Bomb:
    """An archive, the limits it passes, and what is said of it."""

    content: Callable[[], bytes]
    told: str
    limits: Fetching = DEFAULTS


RATIO = r"50,\d{3},\d{3} bytes or more, and 150 times its [\d,]+ are allowed \(fetching\.ratio\)"
SIZE = r"bytes or more, and 10,000,000 are allowed \(fetching\.unpacked\)"
MEMBERS = r"it holds more than 100 members \(fetching\.members\)"
SMALL = Fetching(unpacked=10 * MEGABYTE, ratio=1e9, members=100)


def with_sparse_map() -> bytes:
    """A sparse member whose map goes on and on, in blocks that are all header."""
    start = bytearray(header("a.txt", 0, type=tarfile.GNUTYPE_SPARSE))
    start[482] = 1  # there is more of the map
    start[148:156] = b" " * 8
    start[148:156] = b"%06o\0 " % sum(start)
    block = bytearray(512)
    block[:24] = b"00000000001\0" * 2
    block[504] = 1
    return bytes(start) + bytes(block) * 20_000


def shrunk(content: bytes, size: int) -> bytes:
    """A zip archive whose members claim to be of another size."""
    changed_ = bytearray(content)
    for signature, at in ((b"PK\x03\x04", 22), (b"PK\x01\x02", 24)):
        found = changed_.find(signature)
        while found >= 0:
            changed_[found + at : found + at + 4] = struct.pack("<I", size)
            found = changed_.find(signature, found + 4)
    return bytes(changed_)


def nested_overlap() -> bytes:
    """A zip archive that lists the same bytes fifty times."""
    content = zip_of({"a": "\0" * MEGABYTE})
    at, end = content.index(b"PK\x01\x02"), content.index(b"PK\x05\x06")
    entries = content[at:end] * 50
    numbers = struct.pack("<HHII", 50, 50, len(entries), at)
    return content[:at] + entries + content[end : end + 8] + numbers + b"\0\0"


BOMBS: dict[str, Bomb] = {
    "zip by ratio": Bomb(lambda: zip_of({"a.txt": ZEROS}), RATIO),
    "zip by size": Bomb(lambda: zip_of({"a.txt": ZEROS}), SIZE, SMALL),
    "zip by members": Bomb(lambda: zip_of(dict.fromkeys(map(str, range(101)), "")), MEMBERS, SMALL),
    "zip with a size that is too large": Bomb(
        lambda: shrunk(zip_of({"a.txt": "x"}), 2**32 - 2), "4,294,967,294 " + SIZE, SMALL
    ),
    "zip with a size that is too small": Bomb(
        lambda: shrunk(zip_of({"a.txt": ZEROS}), 10), "is damaged: Bad CRC", SMALL
    ),
    "zip with overlapping members": Bomb(nested_overlap, "50,000,000 " + SIZE, SMALL),
    **{
        f"{kind} by ratio": Bomb(lambda kind=kind: COMPRESS[kind](tar_of({"a.txt": ZEROS})), RATIO)
        for kind in ("tar.gz", "tar.bz2", "tar.xz")
    },
    **{
        f"{kind} by size": Bomb(
            lambda kind=kind: COMPRESS[kind](tar_of({"a.txt": ZEROS})), SIZE, SMALL
        )
        for kind in COMPRESS
    },
    **{
        f"{kind} by members": Bomb(
            lambda kind=kind: COMPRESS[kind](tar_of(dict.fromkeys(map(str, range(101)), ""))),
            MEMBERS,
            SMALL,
        )
        for kind in COMPRESS
    },
    "tar.gz whose header says 10 GB": Bomb(
        lambda: gzip.compress(header("a.txt", 10_000 * MEGABYTE)), "10,000,000,000 " + SIZE, SMALL
    ),
    "tar.gz with a long name of 100 MB": Bomb(
        lambda: gzip.compress(
            header("././@LongLink", 100 * MEGABYTE, type=tarfile.GNUTYPE_LONGNAME)
        ),
        "headers that are longer",
    ),
    "tar.gz with a comment of 100 MB": Bomb(
        lambda: gzip.compress(header("c", 100 * MEGABYTE, type=tarfile.XHDTYPE)),
        "headers that are longer",
    ),
    "tar.gz with an endless map of a sparse file": Bomb(
        lambda: gzip.compress(with_sparse_map()), "headers that are longer", SMALL
    ),
    "tar of negative size": Bomb(lambda: header("a.txt", -1024) + bytes(2048), "is damaged", SMALL),
}


@pytest.mark.parametrize("bomb", BOMBS.values(), ids=BOMBS)
def test_bomb_is_refused_with_figures(tmp_path: Path, bomb: Bomb) -> None:
    path = tmp_path / "data.archive"
    path.write_bytes(bomb.content())
    with pytest.raises(DamagedArchiveError, match=bomb.told):
        unpacked(path, bomb.limits)
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("kind", ["tar.gz", "tar.bz2", "tar.xz"])
def test_tar_is_refused_before_the_member_is_decompressed(tmp_path: Path, kind: str) -> None:
    """What follows the header is not even there, which nobody gets to notice."""
    path = tmp_path / "data"
    path.write_bytes(COMPRESS[kind](header("a.txt", 100 * MEGABYTE)))
    with pytest.raises(DamagedArchiveError, match="100,000,000 " + SIZE):
        unpacked(path, SMALL)


def test_what_the_issue_saw_is_refused_and_what_letor_is_passes(tmp_path: Path) -> None:
    archive = tmp_path / "a"

    def allowance(size: int) -> Allowance:
        with archive.open("wb") as file:
            file.truncate(size)
        return Allowance(archive, DEFAULTS)

    with pytest.raises(DamagedArchiveError, match=r"fetching\.ratio"):
        allowance(47 * MEGABYTE).check(size=10_000 * MEGABYTE)
    for size, becomes in ((9_435_896, 212_567_580), (1_040_408, 39_761_600)):
        allowance(size).check(members=15, size=3 * becomes)


@pytest.mark.parametrize("kind", ["zip", *COMPRESS])
def test_limits_that_are_just_reached_allow_it(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "data"
    content = zip_of(FILES) if kind == "zip" else COMPRESS[kind](tar_of(FILES))
    path.write_bytes(content)
    size = sum(map(len, FILES.values()))
    limits = Fetching(unpacked=size, members=len(FILES), ratio=1000)
    assert unpacked(path, limits) == {name: text.encode() for name, text in FILES.items()}
    for less in (
        {"unpacked": size - 1},
        {"members": len(FILES) - 1},
        {"ratio": 0.9 * size / len(content)},
    ):
        with pytest.raises(DamagedArchiveError, match=f"fetching.{next(iter(less))}"):
            unpacked(path, limits.model_copy(update=less))


def test_bomb_leaves_the_disk_as_it_was_and_the_next_source_is_taken(tmp_path: Path) -> None:
    bomb = zip_of({**FILES, "a.txt": ZEROS})
    with serving({"/a.zip": [Answer(bomb)], "/b.zip": [Answer(zip_of(FILES))]}) as server:
        sources = [Source(url=server.url(path)) for path in ("/a.zip", "/b.zip")]
        alone = changed(DATASET, sources=(sources[0],))
        with pytest.raises(FetchError, match=r"fetching\.ratio"):
            fetch(alone, tmp_path / "data" / "text", downloads=tmp_path / "kept")
        assert list(tmp_path.iterdir()) == []
        both = changed(DATASET, sources=tuple(sources))
        assert fetch(both, tmp_path / "data" / "text", downloads=tmp_path / "kept") == sources[1]
    assert read_files(tmp_path / "data" / "text") == FILES


def damaged(content: bytes, chance: random.Random) -> bytes:
    """One to eight bytes changed, and now and then the rest cut off."""
    changed_ = bytearray(content)
    for _ in range(chance.randint(1, 8)):
        changed_[chance.randrange(len(changed_))] = chance.randrange(256)
    return bytes(
        changed_[: chance.randrange(8, len(changed_))] if chance.random() < 0.2 else changed_
    )


def test_damaged_archives_are_refused_or_read_but_never_a_traceback(tmp_path: Path) -> None:
    chance = random.Random(0)
    packed = [zip_of(FILES), *(compress(tar_of(FILES)) for compress in COMPRESS.values())]
    path, tries, failures = tmp_path / "data", 0, []
    for content in packed:
        for _ in range(150):
            tries += 1
            path.write_bytes(damaged(content, chance))
            try:
                unpacked(path, SMALL)
            except FetchError:
                pass
            except Exception as error:
                failures.append(repr(error))
    print(f"\n{tries} damaged archives, {len(failures)} tracebacks")
    assert failures == []


# ── RAR, by a program that stands in for one ──────────────────────────────────────────────

STAND_IN = """#!{python}
import os, sys, time
listing = "x" not in sys.argv[1:2]
if not listing:
    folder = sys.argv[-1]
{program}
"""


@pytest.fixture
def stand_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Path]:
    """Put a program on the path as `unrar`; it knows `folder` and whether it is `listing`."""

    def install(program: str) -> Path:
        programs = tmp_path / "programs"
        programs.mkdir()
        script = programs / "unrar"
        script.write_text(STAND_IN.format(python=sys.executable, program=program))
        script.chmod(0o755)
        monkeypatch.setenv("PATH", str(programs))
        place = tmp_path / "place"
        place.mkdir()
        (place / "data.rar").write_bytes(rar_of(FILES))
        return place

    return install


GROWING = """
if listing:
    print("a.txt")
    sys.exit()
with open(os.path.join(folder, "a.txt"), "wb") as file:
    for _ in range(600):
        file.write(bytes(1_000_000))
        file.flush()
        time.sleep(0.1)
"""
MULTIPLYING = """
if listing:
    print("a.txt")
    sys.exit()
for number in range(6000):
    open(os.path.join(folder, str(number)), "w").close()
    time.sleep(0.01)
"""
STUCK = """
if not listing:
    time.sleep(60)
"""
BABBLING = """
while True:
    print("a" * 1000)
"""
STARTING_ANOTHER = """
if listing:
    sys.exit()
other = os.fork()
if other:
    os.waitpid(other, 0)
else:
    for _ in range(600):
        with open("beats", "a") as file:
            file.write("x")
        time.sleep(0.1)
"""


@pytest.mark.parametrize(
    ("program", "limits", "told"),
    [
        (GROWING, Fetching(unpacked=3 * MEGABYTE, ratio=1e9), r"fetching\.unpacked"),
        (GROWING, Fetching(ratio=100), r"times its [\d,]+ are allowed \(fetching\.ratio\)"),
        (MULTIPLYING, Fetching(members=20), r"more than 20 members \(fetching\.members\)"),
        (BABBLING, Fetching(members=20), r"more than 20 members \(fetching\.members\)"),
        (STUCK, Fetching(seconds=1), r"unrar was not done with data\.rar after 1 s"),
        (STARTING_ANOTHER, Fetching(seconds=1), r"unrar was not done with data\.rar after 1 s"),
    ],
    ids=["bytes", "ratio", "members", "names", "never ends", "its own child never ends"],
)
def test_program_that_unpacks_too_much_is_killed(
    stand_in: Callable[[str], Path], program: str, limits: Fetching, told: str
) -> None:
    place = stand_in(program)
    started = time.monotonic()
    with pytest.raises(FetchError, match=told):
        unpacked(place / "data.rar", limits)
    assert time.monotonic() - started < 30, "left alone, it takes 60 seconds"
    left = {path.name: path.stat().st_size for path in place.iterdir()}
    assert set(left) - {"beats"} == {"data.rar"}
    time.sleep(0.5)
    assert {path.name: path.stat().st_size for path in place.iterdir()} == left, "still running"


def test_program_that_unpacks_what_is_allowed_is_left_alone(
    stand_in: Callable[[str], Path],
) -> None:
    place = stand_in(
        'print("a.txt")\nif not listing:\n    open(os.path.join(folder, "a.txt"), "w").write("x")\n'
    )
    assert unpacked(place / "data.rar") == {"a.txt": b"x"}


def test_rar_is_not_unpacked_without_room(
    stand_in: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    place = stand_in("open('started', 'w')")
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=100))
    with pytest.raises(FetchError, match=r"needs [\d,]+ bytes, and .* has 100 free") as caught:
        unpacked(place / "data.rar")
    assert not isinstance(caught.value, DamagedArchiveError), "or it would be downloaded again"
    assert [path.name for path in place.iterdir()] == ["data.rar"]


def test_program_is_killed_before_the_disk_is_full(
    stand_in: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    place = stand_in(GROWING)

    def usage(_: Path) -> SimpleNamespace:
        return SimpleNamespace(free=5 if list(place.rglob("a.txt")) else 10**12)

    monkeypatch.setattr(shutil, "disk_usage", usage)
    with pytest.raises(FetchError, match="has 5 free"):
        unpacked(place / "data.rar", Fetching(ratio=1e9))
    assert not list(place.rglob("a.txt"))

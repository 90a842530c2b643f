"""Archives of every kind: whole, damaged, and made to write where they must not."""

import shutil
import subprocess
import tarfile
from contextlib import suppress
from pathlib import Path

import pytest

from arsm_l2r.errors import FetchError
from arsm_l2r.letor import rar as module
from arsm_l2r.letor.archive import open_archive
from arsm_l2r.letor.rar import RAR_PROGRAMS
from arsm_l2r.letor.unpacking import DamagedArchiveError

from .rar import rar_of
from .tiny import tar_of, zip_of

FILES = {"T/Fold1/train.txt": "1 qid:1 1:0.5\n" * 30, "T/read me.txt": "é\n"}


def contents(path: Path) -> dict[str, str]:
    with open_archive(path) as archive:
        opened = {}
        for name in archive.paths():
            with archive.open(name) as file:
                opened[name] = file.read().decode()
    return opened


def everything(folder: Path) -> set[Path]:
    return set(folder.rglob("*"))


@pytest.fixture
def packed(tmp_path: Path) -> Path:
    """Where to put an archive: deep enough for `../` to stay inside the test's own folder."""
    folder = tmp_path / "outer" / "inner"
    folder.mkdir(parents=True)
    return folder / "data.archive"


@pytest.mark.parametrize(
    "content",
    [zip_of(FILES), *(tar_of(FILES, kind) for kind in ("", "gz", "bz2", "xz"))],
    ids=["zip", "tar", "tar.gz", "tar.bz2", "tar.xz"],
)
def test_archive_is_known_by_its_content_not_its_name(packed: Path, content: bytes) -> None:
    packed.write_bytes(content)
    assert contents(packed) == FILES


@pytest.mark.parametrize("name", ["../x.txt", "T/../../x.txt", "/x.txt", "..\\x.txt", "C:\\x.txt"])
@pytest.mark.parametrize("pack", [zip_of, tar_of])
def test_member_that_would_land_outside_is_refused(packed: Path, pack, name: str) -> None:
    packed.write_bytes(pack({**FILES, name: "out"}))
    with pytest.raises(FetchError, match="would land outside its folder") as caught:
        contents(packed)
    assert repr(name) in str(caught.value)


@pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.LNKTYPE], ids=["symbolic", "hard"])
def test_tar_with_a_link_is_refused(packed: Path, kind: bytes) -> None:
    link = tarfile.TarInfo("T/link.txt")
    link.type, link.linkname = kind, "/etc/hosts"
    packed.write_bytes(tar_of(FILES, links=(link,)))
    with pytest.raises(FetchError, match=r"holds a link.*'T/link\.txt'"):
        contents(packed)


def encrypted(content: bytes) -> bytes:
    """Set the flag "encrypted" in each header of a zip archive."""
    marked = bytearray(content)
    for signature, flags in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        at = marked.find(signature)
        while at >= 0:
            marked[at + flags] |= 1
            at = marked.find(signature, at + 4)
    return bytes(marked)


def flipped(content: bytes, at: int) -> bytes:
    return content[:at] + bytes([content[at] ^ 0xFF]) + content[at + 1 :]


@pytest.mark.parametrize(
    "content",
    [
        zip_of(FILES)[:-10],
        flipped(zip_of(FILES), 60),
        encrypted(zip_of(FILES)),
        tar_of(FILES)[:700],
        *(tar_of(FILES, kind)[:100] for kind in ("gz", "bz2", "xz")),
        flipped(tar_of(FILES, "xz"), 60),
    ],
    ids=[
        *["cut zip", "changed zip", "encrypted zip", "cut tar"],
        *["cut gz", "cut bz2", "cut xz", "changed xz"],
    ],
)
def test_damaged_archive_is_refused(packed: Path, content: bytes) -> None:
    packed.write_bytes(content)
    with pytest.raises(DamagedArchiveError, match=r"^data\.archive is damaged: \S[^\n]*$"):
        contents(packed)


@pytest.mark.parametrize("content", [b"", b"hello, world"])
def test_file_that_is_no_archive_is_refused_with_its_first_bytes(
    packed: Path, content: bytes
) -> None:
    packed.write_bytes(content)
    with pytest.raises(DamagedArchiveError) as caught:
        contents(packed)
    assert str(caught.value) == f"data.archive is not an archive; it begins with {content[:8]!r}"


def test_full_disk_is_not_called_a_damaged_archive(packed: Path) -> None:
    packed.write_bytes(zip_of(FILES))
    with pytest.raises(FetchError, match="No space left") as caught, open_archive(packed):
        raise OSError(28, "No space left on device")
    assert not isinstance(caught.value, DamagedArchiveError)


# ── RAR, which needs a program ────────────────────────────────────────────────────────────


@pytest.fixture(params=list(RAR_PROGRAMS))
def program(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Each program that is installed, as if it were the only one."""
    name: str = request.param
    if not shutil.which(name):
        pytest.skip(f"{name} is not installed")
    if name.startswith("7z") and b"Rar5" not in subprocess.check_output([name, "i"]):
        pytest.skip(f"this build of {name} does not read RAR")
    monkeypatch.setattr(module, "RAR_PROGRAMS", {name: RAR_PROGRAMS[name]})
    return name


def test_rar_is_unpacked(packed: Path, program: str) -> None:
    packed.write_bytes(rar_of(FILES))
    before = everything(packed.parent)
    assert contents(packed) == FILES
    assert everything(packed.parent) == before


def test_rar_is_unpacked_in_the_given_folder_which_is_left_empty(
    packed: Path, program: str, tmp_path: Path
) -> None:
    packed.write_bytes(rar_of(FILES))
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    with open_archive(packed, scratch=scratch) as archive:
        assert sorted(archive.paths()) == sorted(FILES)
        assert any(path.name == "read me.txt" for path in scratch.rglob("*"))
    assert everything(scratch) == set()


@pytest.mark.parametrize("name", ["../x.txt", "T/../../x.txt", "/x.txt"])
def test_rar_member_that_would_land_outside_is_refused_before_unpacking(
    packed: Path, program: str, name: str, tmp_path: Path
) -> None:
    packed.write_bytes(rar_of({**FILES, name: "out"}))
    before = everything(tmp_path)
    with pytest.raises(FetchError, match="would land outside its folder"):
        contents(packed)
    assert everything(tmp_path) == before


def test_link_in_a_rar_is_not_followed(packed: Path, program: str, tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("secret")
    packed.write_bytes(rar_of(FILES, links={"T/link.txt": str(secret)}))
    opened: dict[str, str] = {}
    with suppress(FetchError):  # some programs leave links out, with the others it is refused
        opened = contents(packed)
    assert "secret" not in opened.values()


def test_cut_rar_is_refused(packed: Path, program: str) -> None:
    packed.write_bytes(rar_of(FILES)[:200])
    with pytest.raises(FetchError, match=r"could not read data\.archive: \S"):
        contents(packed)


def test_rar_that_one_program_cannot_read_is_given_to_the_next(
    packed: Path, program: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "RAR_PROGRAMS", {"false": ([], []), program: RAR_PROGRAMS[program]})
    packed.write_bytes(rar_of(FILES))
    assert contents(packed) == FILES
    monkeypatch.setattr(module, "RAR_PROGRAMS", {"false": ([], [])})
    with pytest.raises(FetchError, match=r"false could not read data\.archive: exit code 1"):
        contents(packed)


def test_rar_without_a_program_says_what_to_install(
    packed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shutil, "which", lambda _: None)
    packed.write_bytes(rar_of(FILES))
    with pytest.raises(FetchError) as caught:
        contents(packed)
    for expected in (*RAR_PROGRAMS, "apt install libarchive-tools", "brew install unar"):
        assert expected in str(caught.value)
    assert not isinstance(caught.value, DamagedArchiveError)

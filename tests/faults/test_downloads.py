"""Hostile servers: each fails with a sentence, in time, and leaves the disk as it was."""

import json
import re
import socket
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from arsm_l2r.errors import ConfigError, FetchError
from arsm_l2r.letor import fetch as fetching
from arsm_l2r.letor.catalogue import Source
from arsm_l2r.letor.download import download
from arsm_l2r.letor.fetch import fetch
from arsm_l2r.letor.limits import limits_from
from tests.letor.tiny import DATASET, changed, fold_files, read_files, zip_of
from tests.letor.web import Answer, serving

from .hostile import HASTY, HOSTILE, PATIENT, Hostile

ROOT = Path(__file__).parents[2]
IN_TIME = 20
"""Seconds, for what takes two; the margin is for a busy machine. Left alone, servers take 60."""

quickly = partial(download, attempts=2, pause=0.01)


def everything(folder: Path) -> set[Path]:
    return set(folder.rglob("*"))


@pytest.mark.parametrize("hostile", HOSTILE.values(), ids=HOSTILE)
def test_hostile_server_is_a_failed_source(tmp_path: Path, hostile: Hostile) -> None:
    before = everything(tmp_path)
    started = time.monotonic()
    with serving({"/data.zip": hostile.answers()}) as server:
        with pytest.raises(FetchError) as caught:
            quickly(
                server.url("/data.zip"),
                tmp_path / "new" / "data.zip",
                size=hostile.size,
                limits=hostile.limits,
            )
        assert time.monotonic() - started < IN_TIME
    said = str(caught.value)
    assert re.search(hostile.told, said)
    assert said.isprintable()
    assert len(said) < 500
    if hostile.stays:
        assert {path.name for path in everything(tmp_path) - before} == {
            *("new", "data.zip.part", "data.zip.part.json")
        }
    else:
        assert everything(tmp_path) == before


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_server_that_only_listens_is_a_failed_source(tmp_path: Path, scheme: str) -> None:
    started = time.monotonic()
    with socket.create_server(("127.0.0.1", 0)) as listening:
        url = f"{scheme}://127.0.0.1:{listening.getsockname()[1]}/data.zip"
        with pytest.raises(FetchError, match="timed out"):
            quickly(url, tmp_path / "data.zip", limits=HASTY)
    assert time.monotonic() - started < IN_TIME
    assert everything(tmp_path) == set()


def after(hostile: Hostile, folder: Path) -> str | None:
    """What went wrong when a source was hostile and the next one was not."""
    files = fold_files()
    script = {"/data.zip": hostile.answers(), "/good.zip": [Answer(zip_of(files))]}
    started = time.monotonic()
    with serving(script) as server:
        good = Source(url=server.url("/good.zip"))
        bad = Source(url=server.url("/data.zip"), bytes=hostile.size)
        dataset = changed(DATASET, sources=(bad, good))
        try:
            taken = fetch(
                dataset, folder / "text", downloads=folder / "kept", limits=hostile.limits
            )
        except Exception as error:
            return repr(error)
        if time.monotonic() - started > IN_TIME:
            return f"took {time.monotonic() - started:.1f} s"
    if taken != good or read_files(folder / "text") != files:
        return f"{taken} was taken"
    left = {path.name for path in folder.rglob("*.zip*")} - {"good.zip"}
    return None if bool(left) == hostile.stays else f"left {left}"


def test_after_every_hostile_server_the_next_source_is_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def patient_with_the_good(url: str, target: Path, **options: Any) -> None:
        quickly(url, target, **options | ({"limits": PATIENT} if "/good" in url else {}))

    monkeypatch.setattr(fetching, "download", patient_with_the_good)
    folders = [tmp_path / str(number) for number in range(len(HOSTILE))]
    with ThreadPoolExecutor(8) as pool:  # they mostly wait
        problems = list(pool.map(after, HOSTILE.values(), folders))
    failures = {name: told for name, told in zip(HOSTILE, problems, strict=True) if told}
    print(f"\n{len(HOSTILE)} hostile servers, {len(failures)} tracebacks or overruns")
    assert failures == {}


@pytest.mark.parametrize("url", ["http://[", "http://", "http://127.0.0.1:port/x", "http://a b/"])
def test_address_that_is_none_is_a_failed_source(tmp_path: Path, url: str) -> None:
    with serving({"/good.zip": [Answer(zip_of(fold_files()))]}) as server:
        good = Source(url=server.url("/good.zip"))
        dataset = changed(DATASET, sources=(Source(url=url), good))
        assert fetch(dataset, tmp_path / "text", downloads=tmp_path / "kept") == good


def run_script(
    folder: Path, urls: list[str], *options: str, **environment: str
) -> subprocess.CompletedProcess[str]:
    catalogue = folder / "datasets.yaml"
    sources = ", ".join(f'{{url: "{url}"}}' for url in urls)
    catalogue.write_text(
        "tiny: {title: Tiny, features: 2, labels: 3,"
        f' sources: [{sources}], layout: {{files: "Fold{{fold}}/{{split}}.txt"}}}}\n'
    )
    paths = ["--catalogue", catalogue, "--output", folder / "text", "--downloads", folder / "kept"]
    return subprocess.run(
        [sys.executable, ROOT / "scripts" / "fetch.py", "--dataset", "tiny", *paths, *options],
        capture_output=True,
        text=True,
        env={"PYTHONPATH": str(ROOT / "src"), **environment},
    )


@pytest.mark.parametrize("way", ["option", "variable", "option before variable"])
def test_script_is_given_limits_and_takes_the_second_source(tmp_path: Path, way: str) -> None:
    small = json.dumps({"bytes": 300_000})
    options = ["--limits", small] if "option" in way else []
    variable = small if way == "variable" else json.dumps({"bytes": 1})
    environment = {} if way == "option" else {"ARSM_L2R_FETCHING": variable}
    endless = HOSTILE["body never ends"].answers()
    with serving({"/data.zip": endless, "/good.zip": [Answer(zip_of(fold_files()))]}) as server:
        urls = [server.url("/data.zip"), server.url("/good.zip")]
        done = run_script(tmp_path, urls, *options, **environment)
    assert done.returncode == 0, done.stderr
    assert f"{urls[0]}: " in done.stderr
    assert "bytes are too many: 300,000 (fetching.bytes)" in done.stderr
    assert f"Tiny: fetched from {urls[1]}" in done.stderr
    assert read_files(tmp_path / "text") == fold_files()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{timeout: 1}", r"^given: not valid JSON: .*'\{timeout: 1\}'$"),
        ("[]", r"^given: settings that cannot be used\n  - top level: must be object"),
        ('{"timeout": "soon"}', "timeout: must be number, not 'soon'"),
        ('{"timeout": 0}', "timeout: 0 must be more than 0"),
        ('{"timeout": NaN}', "timeout: must be a finite number, not nan"),
        ('{"members": 1.5}', "members: must be integer, not 1.5"),
        ('{"speed": 1}', "unknown key 'speed'; allowed are timeout, rate, seconds, bytes"),
    ],
)
def test_malformed_limits_are_told(text: str, said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        limits_from(text, "given")


def test_malformed_variable_is_told_without_a_traceback(tmp_path: Path) -> None:
    done = run_script(tmp_path, ["http://127.0.0.1/"], ARSM_L2R_FETCHING="{")
    assert done.returncode == 1
    assert done.stderr.startswith("error: ARSM_L2R_FETCHING: not valid JSON: ")
    assert "Traceback" not in done.stderr

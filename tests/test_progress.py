"""Progress: lines in a log, a bar on a terminal."""

import io
import sys

import pytest

from arsm_l2r import progress as module
from arsm_l2r.progress import Progress, progress_shown


class Clock:
    """A clock that stands still until it is told to go on."""

    def __init__(self) -> None:
        self.now = 1000.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(module, "time", clock)
    return clock


Captured = pytest.CaptureFixture[str]


def test_log_has_a_line_at_the_start_and_one_at_the_end(capsys: Captured, clock: Clock) -> None:
    with Progress("Training", 3, unit="epoch") as progress:
        for _ in range(3):
            clock.now += 1
            progress.advance(1)
    captured = capsys.readouterr()
    assert captured.err.splitlines() == [
        "Training: epoch 0 of 3 (0%)",
        "Training: epoch 3 of 3 (100%)",
    ]
    assert captured.out == ""


def test_log_has_a_line_at_most_every_some_seconds(capsys: Captured, clock: Clock) -> None:
    with Progress("Training", 100, unit="epoch", seconds=10) as progress:
        capsys.readouterr()
        shown = []
        for epoch in range(1, 41):
            clock.now += 1
            progress.advance(1)
            if capsys.readouterr().err:
                shown.append(epoch)
    assert shown == [10, 20, 30, 40]


def test_line_tells_the_time_left(capsys: Captured, clock: Clock) -> None:
    with Progress("Training", 100, unit="epoch") as progress:
        clock.now += 30
        progress.advance(20)
        assert capsys.readouterr().err.splitlines()[-1] == (
            "Training: epoch 20 of 100 (20%), about 2 min 00 s left"
        )
        clock.now += 8970
        progress.advance(40)
        assert capsys.readouterr().err.endswith("about 1 h 40 min left\n")


def test_resumed_work_is_not_taken_for_fast(capsys: Captured, clock: Clock) -> None:
    with Progress("Training", 100, unit="epoch", done=90) as progress:
        assert capsys.readouterr().err == "Training: epoch 90 of 100 (90%)\n"
        clock.now += 10
        progress.advance(5)
        assert capsys.readouterr().err.endswith("epoch 95 of 100 (95%), about 10 s left\n")


def test_bytes_are_shown_as_megabytes(capsys: Captured, clock: Clock) -> None:
    with Progress("Downloading a.zip", 4_000_000, unit="B") as progress:
        progress.advance(1_500_000)
    assert (
        capsys.readouterr()
        .err.splitlines()[-1]
        .startswith("Downloading a.zip: 1.5 of 4.0 MB (38%)")
    )


def test_unknown_total_and_notes(capsys: Captured, clock: Clock) -> None:
    with Progress("Downloading a.zip", None, unit="B", seconds=0) as progress:
        progress.advance(1_500_000, note="slow")
        progress.advance(1_234_000_000)
    assert capsys.readouterr().err.splitlines() == [
        "Downloading a.zip: 0.0 MB",
        "Downloading a.zip: 1.5 MB, slow",
        "Downloading a.zip: 1,235.5 MB, slow",
        "Downloading a.zip: 1,235.5 MB, slow",
    ]


def test_failed_work_has_no_line_at_the_end(capsys: Captured, clock: Clock) -> None:
    with pytest.raises(RuntimeError), Progress("Training", 3, unit="epoch"):
        raise RuntimeError
    assert capsys.readouterr().err.count("\n") == 1


def test_terminal_gets_a_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    with Progress("Training", 4, unit="epoch", done=2) as progress:
        progress.advance(2, note="loss 0.5")
    last = terminal.getvalue().rpartition("\r")[2]
    assert "Training: 100%" in last
    assert "4/4" in last
    assert "loss 0.5" in last


def test_compiling_is_told_and_no_part_of_the_time_left(capsys: Captured, clock: Clock) -> None:
    with Progress("Training", 100, unit="epoch") as progress:
        with progress.prepare("compiling"):
            clock.now += 3000
        progress.advance(1, timed=False)
        assert capsys.readouterr().err.splitlines() == [
            "Training: epoch 0 of 100 (0%)",
            "Training: compiling",
        ]
        clock.now += 20
        progress.advance(10)
        line = capsys.readouterr().err
    assert line == "Training: epoch 11 of 100 (11%), about 2 min 58 s left\n"


def test_nothing_is_shown_where_that_is_not_wanted(capsys: Captured, clock: Clock) -> None:
    with progress_shown(False), Progress("Training", 2, unit="epoch") as progress:
        with progress.prepare("compiling"):
            clock.now += 100
        progress.advance(1)
    assert capsys.readouterr().err == ""


def test_a_bar_goes_on_where_compiling_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = io.StringIO()
    monkeypatch.setattr(terminal, "isatty", lambda: True)
    monkeypatch.setattr(sys, "stderr", terminal)
    with Progress("Training", 4, unit="epoch") as progress:
        with progress.prepare("compiling"):
            assert "compiling" in terminal.getvalue()
        progress.advance(1, timed=False)
        progress.advance(3, "loss 0.5")
    assert "4/4" in terminal.getvalue()
    assert "loss 0.5" in terminal.getvalue()


def test_a_notebook_has_its_own_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    class Shell:
        kernel = object()

    class IPython:
        @staticmethod
        def get_ipython() -> Shell:
            return Shell()

    monkeypatch.setitem(sys.modules, "IPython", IPython)
    from tqdm.auto import tqdm

    assert module._kind_of_bar() is tqdm

"""How advice is printed."""

import warnings

import pytest

from arsm_l2r.advice import print_advice_as_lines
from arsm_l2r.errors import Advice


@pytest.fixture
def printing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Warnings as a program prints them; those of a test are caught otherwise."""
    monkeypatch.setattr(warnings, "showwarning", lambda message, *_: print(f"as usual: {message}"))
    monkeypatch.setattr(warnings, "filters", [("always", None, Warning, None, 0)])


def test_advice_is_one_line_and_other_warnings_stay_as_they_are(
    printing: None, capsys: pytest.CaptureFixture[str]
) -> None:
    print_advice_as_lines()
    warnings.warn("set something else", Advice, stacklevel=1)
    warnings.warn("something", UserWarning, stacklevel=1)
    done = capsys.readouterr()
    assert done.err == "warning: set something else\n"
    assert done.out == "as usual: something\n"

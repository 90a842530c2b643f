"""The errors that a user can act on.

Command-line programs print these without a traceback; anything else is a bug and shows one.
"""


class UserError(Exception):
    """Something outside the program is wrong: a file, an argument, a network, a setting."""


class ParseError(UserError):
    """A line of a LETOR file that cannot be read; names file, line and text."""


class FetchError(UserError):
    """A data set that no source could provide, or an archive that must not be used."""


class ValidationError(UserError):
    """Data that are readable but not what they should be; lists every violation found."""

    def __init__(self, subject: str, violations: list[str]) -> None:
        self.violations = violations
        count = f"{len(violations)} violation" + ("s" if len(violations) != 1 else "")
        super().__init__("\n  - ".join([f"{subject}: {count}", *violations]))


class ConfigError(UserError):
    """A setting that is missing, unknown or out of range; names the key and what is allowed."""


class Advice(UserWarning):
    """Something that is allowed, and probably not what is wanted; says what to set instead.

    Command-line programs print it as one line.
    """

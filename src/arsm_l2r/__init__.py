"""Learning to rank on metrics that have no gradient."""

from importlib.metadata import version

__version__ = version("arsm-l2r")

"""The version of this package."""

from .._version import __version__

__all__ = ["__version__"]

"""The release of this package, which is that of the binary it comes with."""

__version__ = "0.1.0"

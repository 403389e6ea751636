"""The exceptions of the stores of files."""

from __future__ import annotations

from ..exceptions import OptunaError


class ArtifactNotFound(OptunaError):
    """The store has no file of this id."""


__all__ = ["ArtifactNotFound"]

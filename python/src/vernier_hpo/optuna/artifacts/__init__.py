"""Files of trials and studies, which are copied to a folder under names of their own."""

from __future__ import annotations

import dataclasses
import json
import mimetypes
import os
import shutil
import uuid
from typing import IO, Any, List, Optional, Union

from .._frozen_trial import FrozenTrial
from .._study import Study
from .._trial import Trial
from .._not_served import not_served
from . import exceptions
from .exceptions import ArtifactNotFound

_PREFIX = "artifacts:"


@dataclasses.dataclass
class ArtifactMeta:
    """What is known of a file."""

    artifact_id: str
    filename: str
    mimetype: str
    encoding: Optional[str]


class FileSystemArtifactStore:
    """Keeps files in a folder, which must be there."""

    def __init__(self, base_path: Union[str, "os.PathLike[str]"]) -> None:
        self._folder = os.fspath(base_path)

    def open_reader(self, artifact_id: str) -> IO[bytes]:
        """The file of this id. ArtifactNotFound."""
        try:
            return open(self._path(artifact_id), "rb")
        except FileNotFoundError:
            raise ArtifactNotFound(
                f"{self._folder} has no artifact {artifact_id!r}") from None

    def write(self, artifact_id: str, content_body: IO[bytes]) -> None:
        """Keeps a file under this id."""
        with open(self._path(artifact_id), "wb") as file:
            shutil.copyfileobj(content_body, file)

    def remove(self, artifact_id: str) -> None:
        """Removes the file of this id. ArtifactNotFound."""
        try:
            os.remove(self._path(artifact_id))
        except FileNotFoundError:
            raise ArtifactNotFound(
                f"{self._folder} has no artifact {artifact_id!r}") from None

    def _path(self, artifact_id: str) -> str:
        if not artifact_id or os.path.basename(artifact_id) != artifact_id or (
                artifact_id in (os.curdir, os.pardir)):
            raise ValueError(f"an artifact's id is no path: {artifact_id!r}")
        return os.path.join(self._folder, artifact_id)


def upload_artifact(*, artifact_store: FileSystemArtifactStore,
                    file_path: Union[str, "os.PathLike[str]"],
                    study_or_trial: Union[Trial, Study], storage: Any = None,
                    mimetype: Optional[str] = None, encoding: Optional[str] = None) -> str:
    """Copies a file into the store, and returns its id, which the trial or study keeps."""
    if not isinstance(study_or_trial, (Trial, Study)):
        raise TypeError(f"an artifact is uploaded with a Study, or with the Trial that an "
                        f"objective was called with: {study_or_trial!r}")
    path = os.fspath(file_path)
    guessed, compressed = mimetypes.guess_type(path)
    found = ArtifactMeta(str(uuid.uuid4()), os.path.basename(path),
                         mimetype or guessed or "application/octet-stream",
                         encoding or compressed)
    with open(path, "rb") as file:
        artifact_store.write(found.artifact_id, file)
    study_or_trial.set_system_attr(_PREFIX + found.artifact_id,
                                   json.dumps(dataclasses.asdict(found)))
    return found.artifact_id


def download_artifact(*, artifact_store: FileSystemArtifactStore,
                      file_path: Union[str, "os.PathLike[str]"], artifact_id: str) -> None:
    """Copies a file out of the store. FileExistsError; ArtifactNotFound."""
    with artifact_store.open_reader(artifact_id) as kept, open(file_path, "xb") as file:
        shutil.copyfileobj(kept, file)


def get_all_artifact_meta(study_or_trial: Union[Trial, FrozenTrial, Study], *,
                          storage: Any = None) -> List[ArtifactMeta]:
    """What is known of the files of a trial or study, in their order."""
    return [ArtifactMeta(**json.loads(value))
            for key, value in study_or_trial.system_attrs.items() if key.startswith(_PREFIX)]


def __getattr__(name: str) -> Any:
    raise not_served(name, f"artifacts.{name} is not served: there are {', '.join(__all__)}")


__all__ = ["ArtifactMeta", "ArtifactNotFound", "FileSystemArtifactStore",
           "download_artifact", "exceptions", "get_all_artifact_meta", "upload_artifact"]

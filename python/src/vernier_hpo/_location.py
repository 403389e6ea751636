"""Which service to talk to, its address, and the token for it."""

from __future__ import annotations

import os
import tempfile
from dataclasses import dataclass
from typing import List, Optional, Union

from ._binary import described_by_binary, run_binary
from .errors import FailedPreconditionError, UnauthenticatedError

TOKEN_LIFETIME = "90d"

# What the public functions take as `storage`.
Folder = Union[str, "os.PathLike[str]"]


@dataclass(frozen=True)
class Address:
    """The base of the service's URLs ("http://HOST:PORT"), and a token."""

    url: str
    token: str


@dataclass(frozen=True)
class Location:
    """A service by name: an endpoint, or the data directory of one of our own.

    Without either it is $VERNIER_ENDPOINT, else the service of the default data
    directory. One of our own is started if it does not run.
    """

    endpoint: str = ""
    data_dir: str = ""
    project: str = "default"

    def named_endpoint(self) -> str:
        """The endpoint that was given, or the environment's, or an empty text."""
        if self.endpoint or self.data_dir:
            return self.endpoint
        return os.environ.get("VERNIER_ENDPOINT", "")

    def flags(self) -> List[str]:
        """What tells the command line to use this service."""
        words = ["--project", self.project]
        endpoint = self.named_endpoint()
        if endpoint.startswith(("http://", "https://")):
            raise FailedPreconditionError(
                f"jobs are submitted by the command line, which does not call "
                f"{endpoint}: name the gRPC endpoint (HOST:PORT or unix:PATH)")
        if endpoint:
            words += ["--endpoint", endpoint]
        elif self.data_dir:
            words += ["--data-dir", self.data_dir]
        return words

    def find(self) -> Address:
        """Asks for the service's address; starts a service of our own if need be.

        The question goes through the unix socket, whose folder nobody else can
        write: a token is never sent to a port that another user's service has.
        Raises UnavailableError with the service's own words.
        """
        endpoint = self.named_endpoint()
        if endpoint.startswith(("http://", "https://")):
            return Address(endpoint.rstrip("/"), _given_token())
        info = described_by_binary(["info", *self.flags()])
        url = info.get("httpUrl", "")
        if not url:
            raise FailedPreconditionError(
                "the service has no HTTP interface (vernier serve --http off)")
        if endpoint and not endpoint.startswith("unix:"):
            return Address(url, _given_token())
        return Address(url, self._own_token(info["dataDir"]))

    def forget_token(self) -> None:
        """Has the next find() make another token, because one was refused.

        Raises UnauthenticatedError if the token was not made here.
        """
        endpoint = self.named_endpoint()
        if endpoint and not endpoint.startswith("unix:"):
            raise UnauthenticatedError("the service refused the token in VERNIER_TOKEN")
        info = described_by_binary(["info", *self.flags()])
        try:
            os.remove(self._token_file(info["dataDir"]))
        except FileNotFoundError:
            pass

    def _token_file(self, data_dir: str) -> str:
        return os.path.join(data_dir, f"python-{self.project}.token")

    def _own_token(self, data_dir: str) -> str:
        """The token that Python programs of this user share, made if need be."""
        path = self._token_file(data_dir)
        try:
            with open(path, encoding="ascii") as file:
                return file.read()
        except FileNotFoundError:
            pass
        token = run_binary([
            "tokens", "create", "--scope", "project-write", "--may-run", "--label",
            "python", "--lifetime", TOKEN_LIFETIME, "--format", "value(secret)",
            *self.flags()]).strip()
        handle, draft = tempfile.mkstemp(dir=data_dir)  # Mode 0600.
        with os.fdopen(handle, "w", encoding="ascii") as file:
            file.write(token)
        os.replace(draft, path)
        return token


def _given_token() -> str:
    token = os.environ.get("VERNIER_TOKEN", "")
    if token:
        return token
    raise UnauthenticatedError(
        "calls over TCP need a token: set VERNIER_TOKEN (vernier tokens create)")


def location_of(endpoint: Optional[str] = None, storage: Optional[Folder] = None,
                project: Optional[str] = None) -> Location:
    """The location for the arguments of the public functions. ValueError."""
    if endpoint and storage:
        raise ValueError("give endpoint or storage, not both")
    return Location(endpoint=endpoint or "",
                    data_dir=_data_dir(storage) if storage else "",
                    project=project or os.environ.get("VERNIER_PROJECT") or "default")


def _data_dir(storage: Folder) -> str:
    path = os.fspath(storage)
    if "://" in path:
        raise ValueError(f"storage is a folder, whose service keeps the studies: {path!r}")
    return os.path.abspath(os.path.expanduser(path))

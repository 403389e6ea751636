"""The service's methods for one study whose clients run the trials."""

from __future__ import annotations

import json
import math
import urllib.parse
import uuid
import warnings
from typing import Any, Dict, List, Mapping, Optional

from ._space import plain
from ._transport import PATIENCE_SECONDS, Transport
from .errors import (AlreadyExistsError, FailedPreconditionError, IgnoredArgumentWarning,
                     InvalidArgumentError, NotFoundError, UnimplementedError,
                     VernierError)

Json = Dict[str, Any]

PLACE = "locations/local"
# A result may be worth hours of training, so it waits longer for the service.
RESULT_PATIENCE_SECONDS = 600.0
# Training goes on without the service; a report that is lost is one point of a curve.
REPORT_PATIENCE_SECONDS = 10.0
_PAGE = 250  # More are no quicker, and the service needs memory for each.
# Why a study is closed that a program closed: the next one to use it opens it again.
CLOSED = "closed by a program"


def native(transport: Transport, service: str, method: str, body: Json) -> Json:
    """Calls a method of vernier.v1 in proto3's JSON form."""
    return transport.call("POST", f"/ui/rpc/vernier.v1.{service}/{method}", body)


def full_name(project: str, name: str) -> str:
    """The resource name of a study: itself, or that of a plain name in the project."""
    is_text = isinstance(name, str)
    if is_text and name.startswith("projects/") and "/studies/" in name:
        return name
    if not is_text or not name or "/" in name:
        raise InvalidArgumentError(
            f"a study's name is a text without '/', or projects/P/locations/L/studies/S: "
            f"{name!r}")
    return f"projects/{project}/{PLACE}/studies/{name}"


def number_json(value: float) -> Any:
    """A double in proto3's JSON, which has texts for what is not finite."""
    number = float(value)
    if math.isfinite(number):
        return number
    return "NaN" if math.isnan(number) else ("Infinity" if number > 0 else "-Infinity")


def measurement(values: Mapping[str, float], step: Optional[int]) -> Json:
    """A Measurement of the API: values by metric at a step, or at none."""
    made: Json = {"metrics": [{"metric": name, "value": number_json(value)}
                                     for name, value in values.items()]}
    if step is not None:
        made["stepCount"] = str(int(step))
    return made


def create_study(transport: Transport, name: str, config: Json) -> bool:
    """Makes a study; False if there is one of this name already.

    A seed that an older service has no place for is left out, with a warning, and its
    stopping rule is the median rule.
    """
    parent, _, short = name.partition("/studies/")
    path = f"/v1/{_quoted(parent)}/studies?studyId={urllib.parse.quote(short, safe='')}"
    try:
        transport.call("POST", path, {"studyConfig": config})
    except AlreadyExistsError:
        return False
    except InvalidArgumentError as error:
        own = config.get("vernier")
        for field in ("clientData", "defaults"):
            if own is not None and f"{field}: Cannot find field" in str(error):
                shorter = {key: value for key, value in own.items() if key != field}
                return create_study(transport, name, {**config, "vernier": shorter})
        if own is None or "vernier: Cannot find field" not in str(error):
            raise
        if "algorithm" in own:
            raise UnimplementedError(
                f"this service makes no study with the algorithm {own['algorithm']}"
            ) from None
        if "seed" in own:
            warnings.warn(
                f"this service draws the seed of a study itself: seed={own['seed']} has "
                f"no effect", IgnoredArgumentWarning, stacklevel=3)
        older = {key: value for key, value in config.items() if key != "vernier"}
        if "earlyStopping" in own:
            older["automatedStoppingConfig"] = {"medianAutomatedStoppingConfig": {}}
            if own["earlyStopping"] not in ({"rule": "AUTO"}, {"rule": "MEDIAN"}):
                warnings.warn(
                    "this service has the median rule only: early_stopping="
                    f"{own['earlyStopping']} has no other effect",
                    IgnoredArgumentWarning, stacklevel=3)
        return create_study(transport, name, older)
    return True


def get_config(transport: Transport, name: str) -> Json:
    """The StudyConfig of a study. NotFoundError."""
    config = transport.call("GET", f"/v1/{_quoted(name)}").get("studyConfig", {})
    return dict(config)


def is_study_of_clients(transport: Transport, project: str, name: str) -> bool:
    """Whether there is a study of this name whose trials programs run."""
    try:
        return bool(describe(transport, full_name(project, name)).get("runByClients", False))
    except VernierError:
        return False


def is_job(transport: Transport, name: str) -> bool:
    """Whether there is a job of this name, or of the last part of a resource name."""
    try:
        about = describe(transport, name.rsplit("/studies/", 1)[-1])
    except VernierError:
        return False
    return not about.get("runByClients", False)


def delete_study(transport: Transport, name: str) -> None:
    """Removes a study with its trials. NotFoundError."""
    native(transport, "StudyService", "DeleteStudy", {"study": name})


class StudyCalls:
    """The calls for one study. Thread-safe.

    Each may be repeated: a client's suggestion is its open trial, if it has one, and
    all else that would be done twice carries a request id.
    """

    def __init__(self, transport: Transport, name: str) -> None:
        self.transport = transport
        self.name = name
        self._path = "/v1/" + _quoted(name)

    def _write(self, method: str, path: str, body: Json,
               patience: float = PATIENCE_SECONDS) -> Json:
        """A call that needs an open study: one that a program closed is opened again."""
        try:
            return self.transport.call(method, path, body, patience=patience)
        except FailedPreconditionError:
            about = self.describe()
            if about.get("stateReason") != CLOSED or about.get("state") == "ACTIVE":
                raise
        self.set_state("ACTIVE", "")
        return self.transport.call(method, path, body, patience=patience)

    def suggest(self, client: str, count: int = 1) -> List[Json]:
        """Trials of this client; fewer than `count` if the space is used up."""
        answer = self._write("POST", self._path + "/trials:suggest",
                                     {"suggestionCount": count, "clientId": client})
        return list(answer.get("response", {}).get("trials", []))

    def create_trial(self, trial: Json, request_id: str = "") -> Json:
        """Adds a trial that the caller made; with a `request_id` once."""
        return self._write(
            "POST", f"{self._path}/trials?requestId={request_id or uuid.uuid4().hex}", trial)

    def add_measurement(self, number: int, values: Mapping[str, float],
                        step: int) -> None:
        """Stores a report; waits for the service for seconds only."""
        self._write(
            "POST", f"{self._one(number)}:addMeasurement?fields=name&requestId="
            f"{uuid.uuid4().hex}", {"measurement": measurement(values, step)},
            patience=REPORT_PATIENCE_SECONDS)

    def complete(self, number: int, values: Optional[Mapping[str, float]],
                 step: Optional[int] = None) -> None:
        """Ends a trial with these values, or else with its last report."""
        body: Json = {}
        if values is not None:
            body["finalMeasurement"] = measurement(values, step)
        self._end(number, body)

    def complete_infeasible(self, number: int, reason: str) -> None:
        """Ends a trial whose parameters could not be evaluated."""
        self._end(number, {"trialInfeasible": True, "infeasibleReason": reason})

    def _end(self, number: int, body: Json) -> None:
        self._write(
            "POST", f"{self._one(number)}:complete?fields=name&requestId="
            f"{uuid.uuid4().hex}", body, patience=RESULT_PATIENCE_SECONDS)

    def request_stop(self, number: int) -> None:
        """Marks a trial as one that is being stopped early."""
        self._write("POST", self._one(number) + ":stop?fields=name", {})

    def should_stop(self, number: int) -> bool:
        """Whether the study's rule says that the trial should end now."""
        answer = self._write(
            "POST", self._one(number) + ":checkEarlyStoppingState", {},
            patience=REPORT_PATIENCE_SECONDS)
        return bool(answer.get("response", {}).get("shouldStop", False))

    def delete_trial(self, number: int) -> None:
        """Removes a trial, open or not. A trial that is gone already is fine."""
        try:
            self.transport.call("DELETE", self._one(number))
        except NotFoundError:
            pass

    def describe(self) -> Json:
        """The study: state, counts, best trial."""
        return describe(self.transport, self.name)

    def set_attributes(self, number: int, attributes: Mapping[str, Any]) -> None:
        """Sets attributes of a trial, or with 0 of the study."""
        Pen(self.transport, self.name).set_attributes(number, attributes)

    def attributes(self, number: int) -> Json:
        """The attributes of a trial."""
        found = self.list_trials(f"trial={number}", limit=1)
        return attributes_in(found[0]) if found else {}

    def set_state(self, state: str, reason: str) -> None:
        """Closes the study, or opens it again."""
        native(self.transport, "StudyService", "SetStudyState", {
            "study": self.name, "state": state, "reason": reason})

    def edit(self, fields: Json, client_data: str) -> List[str]:
        """Changes the search by the fields of a job; returns what changed, in words."""
        answer = native(self.transport, "StudyService", "EditStudy", {
            "study": self.name, "requestId": uuid.uuid4().hex, "clientData": client_data,
            "edit": fields})
        return [str(each) for each in answer.get("changes", [])]

    def get_trial(self, number: int) -> Json:
        """A trial as the REST API has it: all metrics, all measurements."""
        return self.transport.call("GET", self._one(number))

    def optimal_trials(self) -> List[int]:
        """Numbers of the trials that no other one beats."""
        answer = self.transport.call(
            "POST", self._path + "/trials:listOptimalTrials?fields=trials.name", {})
        return [int(each["name"].rsplit("/", 1)[1]) for each in answer.get("trials", [])]

    def list_trials(self, query: str = "", sort: str = "", limit: int = 0) -> List[Json]:
        """Trials as vernier.v1.Trial, by number unless sorted; 0: all."""
        return self.complete_trials(
            list_trials(self.transport, self.name, query, sort, limit))

    def complete_trials(self, trials: List[Json]) -> List[Json]:
        """Trials with what only those have that clients run: ClientTrial's fields."""
        found: Dict[str, Json] = {}
        numbers = [str(each["trialId"]) for each in trials]
        for start in range(0, len(numbers), _PAGE):
            try:
                answer = native(self.transport, "StudyService", "ListClientTrials", {
                    "study": self.name, "trialIds": numbers[start:start + _PAGE]})
            except (NotFoundError, UnimplementedError):
                break  # A service that is older than this package.
            found.update((str(each["trialId"]), each) for each in answer.get("trials", []))
        return [{**each, **found.get(str(each["trialId"]), {})} for each in trials]

    def list_measurements(self, number: int, metric: str = "") -> List[Json]:
        """What a trial has reported, by metric and step."""
        answer = native(self.transport, "JobService", "ListMeasurements", {
            "jobId": self.name, "trialId": str(number), "metric": metric,
            "limit": 100000})
        return list(answer.get("measurements", []))

    def _one(self, number: int) -> str:
        return f"{self._path}/trials/{number}"


class Pen:
    """Writes about a study, or that of a job, and its trials."""

    def __init__(self, transport: Transport, study: str) -> None:
        self._transport = transport
        self._study = study

    def set_attributes(self, number: int, attributes: Mapping[str, Any]) -> None:
        """Sets attributes of a trial, or with 0 of the study."""
        native(self._transport, "StudyService", "SetAttributes", {
            "study": self._study, "trialId": str(number),
            "attributes": {name: attribute_json(name, value)
                           for name, value in attributes.items()}})

    def propose(self, point: Json, source: str) -> None:
        """Adds a point that the source thinks worth a trial."""
        native(self._transport, "StudyService", "ProposePoints", {
            "study": self._study, "source": source, "points": [point],
            "requestId": uuid.uuid4().hex})

    def write_note(self, number: int, text: str) -> None:
        """Writes the note of a trial anew, or with 0 of the study. TypeError."""
        if not isinstance(text, str):
            raise TypeError(f"a note is a text: {text!r}")
        native(self._transport, "StudyService", "WriteNote",
               {"study": self._study, "trialId": str(number), "note": text})


def describe(transport: Transport, name: str) -> Json:
    """A study, or that of a job: state, counts, best trial."""
    return native(transport, "StudyService", "GetStudy", {"study": name})


def attributes_in(message: Json) -> Json:
    """The attributes of a study or a trial, which the service keeps as JSON texts."""
    return {name: json.loads(value)
            for name, value in sorted(message.get("attributes", {}).items())}


def attribute_json(name: str, value: Any) -> str:
    """An attribute as the service keeps it. TypeError for what JSON cannot say."""
    if not isinstance(name, str):
        raise TypeError(f"an attribute's name is a text: {name!r}")
    try:
        return json.dumps(plain(value), allow_nan=False, default=_listed)
    except (TypeError, ValueError) as error:
        raise TypeError(f"the attribute {name!r} is nothing that JSON can say: {value!r} "
                        f"({error})") from None


def _listed(value: Any) -> Any:
    """An array or a number of numpy as JSON has it."""
    to_list = getattr(value, "tolist", None)
    if callable(to_list):
        return to_list()
    raise TypeError(f"{type(value).__name__} has no form in JSON")


def list_trials(transport: Transport, study: str, query: str = "", sort: str = "",
                limit: int = 0) -> List[Json]:
    """Trials of a study or a job as vernier.v1.Trial; all of them in pages."""
    if limit or sort:
        return list(native(transport, "JobService", "ListTrials", {
            "jobId": study, "filter": query, "sort": sort, "limit": limit}
        ).get("trials", []))
    found: List[Json] = []
    page = query  # As it was given, so that an error names its place in it.
    while True:
        trials = native(transport, "JobService", "ListTrials", {
            "jobId": study, "filter": page, "limit": _PAGE}).get("trials", [])
        found.extend(trials)
        if len(trials) < _PAGE:
            return found
        page = f"trial>{trials[-1]['trialId']}" + (f" AND ({query})" if query else "")


def _quoted(name: str) -> str:
    return urllib.parse.quote(name, safe="/")

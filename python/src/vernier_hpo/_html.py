"""A study or a job as a notebook shows it."""

from __future__ import annotations

import html
from typing import Any, Iterable, List, Mapping, Sequence

from ._frozen_trial import FrozenTrial

Json = Mapping[str, Any]


def study_html(name: str, about: Json, best: Sequence[FrozenTrial],
               newest: Sequence[FrozenTrial], metrics: Iterable[str],
               names: Iterable[str]) -> str:
    """Counts, the best trial and the newest ones. Names and values are escaped."""
    count = int(about.get("trialCount", 0))
    left = int(about.get("openTrialCount", 0))
    idle = "; nobody works on it" if about.get("idle") else ""
    lines = [f"<p><b>{html.escape(name)}</b>: {count} trials, {left} open{idle}</p>"]
    metrics, names = list(metrics), list(names)
    if best:
        lines.append("<p>best</p>" + _table(best, metrics, names))
    if newest:
        lines.append("<p>newest</p>" + _table(newest, metrics, names))
    return "<div>" + "".join(lines) + "</div>"


def job_html(name: str, about: Json, best: Sequence[FrozenTrial],
             metrics: Iterable[str], names: Iterable[str]) -> str:
    """The state of a job, how many of its trials have ended, and the best ones."""
    section = about.get("vernier", {})
    counts = section.get("trialCounts", {})
    ended = sum(count for state, count in counts.items()
                if state not in ("requested", "active", "stopping"))
    state = shown_state(about).lower()
    why = about.get("errorMessage") or section.get("waitingFor") or ""
    lines = [f"<p><b>{html.escape(name)}</b>: {html.escape(state)}, {ended} of "
             f"{section.get('maxTrials', 0)} trials have ended</p>"]
    if why:
        lines.append(f"<p>{html.escape(why)}</p>")
    if best:
        lines.append("<p>best</p>" + _table(best, list(metrics), list(names)))
    return "<div>" + "".join(lines) + "</div>"


def shown_state(about: Json) -> str:
    """The state of a job as people read it: the API has none for a pause."""
    state = str(about.get("state", ""))
    pauses = about.get("vernier", {}).get("wanted") == "PAUSE"
    return "PAUSED" if pauses and state in ("QUEUED", "PREPARING", "RUNNING") else state


def _table(trials: Sequence[FrozenTrial], metrics: List[str], names: List[str]) -> str:
    head = "".join(f"<th>{html.escape(each)}</th>"
                   for each in ["trial", "state", *metrics, *names])
    rows = []
    for trial in trials:
        cells = [str(trial.number), str(trial.state)]
        cells += [_text(trial.metrics.get(metric)) for metric in metrics]
        cells += [_text(trial.params.get(name)) if name in trial.params else ""
                  for name in names]
        rows.append("<tr>" + "".join(f"<td>{html.escape(each)}</td>" for each in cells) +
                    "</tr>")
    return f"<table><tr>{head}</tr>{''.join(rows)}</table>"


def _text(value: object) -> str:
    if value is None:
        return ""
    return f"{value:.6g}" if isinstance(value, float) else str(value)

"""A study or a job as a notebook shows it."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, Iterable, List

if TYPE_CHECKING:
    from ._frozen_trial import FrozenTrial
    from ._job import Job
    from ._study import Study

_NEWEST = 8
_BEST = 5


def study_html(study: "Study") -> str:
    """Counts, the best trial and the newest ones. Names and values are escaped."""
    about = study._calls.describe()
    count = int(about.get("trialCount", 0))
    newest = study._freeze(study._calls.list_trials("", "-trial", _NEWEST))[::-1]
    running = int(about.get("openTrialCount", 0))
    lines = [f"<p><b>{html.escape(study.name)}</b>: {count} trials, {running} open</p>"]
    if "bestTrial" in about:
        best = study._freeze([about["bestTrial"]])
        lines.append("<p>best</p>" + _table(best, study.metrics, study.space))
    if newest:
        lines.append("<p>newest</p>" + _table(newest, study.metrics, study.space))
    return "<div>" + "".join(lines) + "</div>"


def job_html(job: "Job") -> str:
    """The state of a job, how many of its trials have ended, and the best ones."""
    about = job.describe()
    section = about.get("vernier", {})
    counts = section.get("trialCounts", {})
    ended = sum(count for state, count in counts.items()
                if state not in ("requested", "active", "stopping"))
    state = str(about.get("state", "")).lower()
    why = about.get("errorMessage") or section.get("waitingFor") or ""
    lines = [f"<p><b>{html.escape(job.name)}</b>: {html.escape(state)}, {ended} of "
             f"{section.get('maxTrials', 0)} trials have ended</p>"]
    if why:
        lines.append(f"<p>{html.escape(why)}</p>")
    best = job._best(_BEST)
    if best:
        names = list(job.space) or list(dict.fromkeys(
            name for trial in best for name in trial.params))
        lines.append("<p>best</p>" + _table(best, job.metrics, names))
    return "<div>" + "".join(lines) + "</div>"


def _table(trials: "List[FrozenTrial]", metrics: Iterable[str],
           names: Iterable[str]) -> str:
    metrics, names = list(metrics), list(names)
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

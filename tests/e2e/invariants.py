"""Checks a service's data folder against its invariants, from the outside.

Reads the database with SQL of its own and replays the event table; it shares
no code with the service. The service must not be running.
"""

import collections
import json
import os
import shutil
import sqlite3
import tempfile

JOB_WANTED = {1: "run", 2: "pause", 3: "stop", 4: "fail"}
TRIAL_STATES = {1: "requested", 2: "active", 3: "stopping", 4: "completed",
                5: "stopped", 6: "infeasible", 7: "failed"}
ATTEMPT_STATES = {1: "intended", 2: "launching", 3: "running", 4: "exited",
                  5: "killed", 6: "lost"}
JOB_STATES = {1: "QUEUED", 2: "PREPARING", 3: "RUNNING", 4: "CANCELLING",
              5: "SUCCEEDED", 6: "FAILED", 7: "CANCELLED"}

# Written a second time on purpose: the program's own tables may be wrong.
TRIAL_EDGES = {
    "requested": {"active", "stopped"},
    "active": {"completed", "infeasible", "failed", "stopping"},
    "stopping": {"completed", "stopped"},
}
ATTEMPT_EDGES = {
    "intended": {"launching", "running", "exited", "killed", "lost"},
    "launching": {"running", "exited", "killed", "lost"},
    "running": {"exited", "killed", "lost"},
}


class State:
    """What the database holds."""

    def __init__(self):
        self.jobs = {}      # By study id.
        self.trials = []
        self.attempts = []
        self.leases = []
        self.queued = []    # Points given by hand that wait to be trials.
        self.proposed = []  # Points that the search may try.
        self.events = []
        self.sound = []     # Complaints of SQLite itself.


class History:
    """What earlier checks saw, to tell what must never change again."""

    def __init__(self):
        self.finals = {}       # (study, trial): row.
        self.parameters = {}   # (study, trial): text.
        self.events = []       # Rows.
        self.attempts_seen = 0


def read(data_dir):
    """Reads a copy, so that looking changes nothing."""
    copy = tempfile.mkdtemp(prefix="vernier-check-")
    try:
        for name in os.listdir(data_dir):
            if name.startswith("vernier.db"):
                shutil.copy(os.path.join(data_dir, name), copy)
        database = sqlite3.connect(os.path.join(copy, "vernier.db"))
        database.row_factory = sqlite3.Row
        state = State()
        tables = {row[0] for row in database.execute("SELECT name FROM sqlite_schema")}
        if "job" in tables:
            read_tables(database, state)
            # The newest schema's; a service may have ended before it made them.
            if "proposed_point" in tables:
                state.proposed = [dict(row) for row in database.execute(
                    "SELECT study, number, source, parameters FROM proposed_point"
                    " ORDER BY study, number")]
        elif "study" in tables:
            # A service makes its tables schema by schema and serves after that:
            # whoever killed it in between finds no study.
            studies = database.execute("SELECT count(*) FROM study").fetchone()[0]
            if studies:
                state.sound.append(f"{studies} studies in tables of an earlier schema")
        database.close()
        return state
    finally:
        shutil.rmtree(copy)


def read_tables(database, state):
    for row in database.execute("PRAGMA integrity_check"):
        if row[0] != "ok":
            state.sound.append(row[0])
    for row in database.execute("PRAGMA foreign_key_check"):
        state.sound.append(f"foreign key of {row[0]} row {row[1]}")
    for row in database.execute(
            "SELECT job.*, id, name, version FROM study JOIN job ON job.study = id"):
        job = dict(row)
        job["wanted"] = JOB_WANTED[job["wanted"]]
        job["state"] = JOB_STATES[job["state"]]
        state.jobs[job["id"]] = job
    for row in database.execute("SELECT * FROM trial ORDER BY study, number"):
        trial = dict(row)
        trial["state"] = TRIAL_STATES[trial["state"]]
        trial["is_terminal"] = row["state"] >= 4
        state.trials.append(trial)
    for row in database.execute("SELECT * FROM attempt ORDER BY study, trial, number"):
        attempt = dict(row)
        attempt["state"] = ATTEMPT_STATES[attempt["state"]]
        attempt["is_terminal"] = row["state"] >= 4
        state.attempts.append(attempt)
    state.leases = [dict(row) for row in database.execute("SELECT * FROM lease")]
    state.queued = [dict(row) for row in database.execute(
        "SELECT study, trial, parameters FROM queued_point ORDER BY study, trial")]
    state.events = [tuple(row) for row in database.execute(
        "SELECT seq, study, trial, attempt, kind, payload FROM event ORDER BY seq")]


def check(state, history):
    """Returns what is wrong, as lines that begin with the invariant's number."""
    problems = [f"I19: {text}" for text in state.sound]
    problems += check_history(state, history)
    problems += check_rows(state)
    problems += check_events(state)
    problems += check_queue(state)
    problems += check_proposals(state)
    return problems


def check_history(state, history):
    problems = []
    trials = {(t["study"], t["number"]): t for t in state.trials}
    for key, final in history.finals.items():
        if trials.get(key) != final:
            problems.append(f"I5: final trial {key} changed")
    for key, parameters in history.parameters.items():
        if key not in trials or trials[key]["parameters"] != parameters:
            problems.append(f"I4: parameters of trial {key} changed")
    if state.events[:len(history.events)] != history.events:
        problems.append("I1: the history of events changed")
    for key, trial in trials.items():
        history.parameters[key] = trial["parameters"]
        if trial["is_terminal"]:
            history.finals[key] = trial
    history.events = state.events
    history.attempts_seen = len(state.attempts)
    return problems


def check_rows(state):
    problems = []
    numbers = collections.defaultdict(list)
    for trial in state.trials:
        numbers[trial["study"]].append(trial["number"])
    for study, job in state.jobs.items():
        if numbers[study] != list(range(1, len(numbers[study]) + 1)):
            problems.append(f"I3: trials of study {study} are {numbers[study]}")
        if len(numbers[study]) > job["max_trials"]:
            problems.append(f"I12: study {study} has more than max_trials trials")
    live = collections.Counter()
    by_trial = collections.defaultdict(list)
    nonces = collections.Counter()
    for attempt in state.attempts:
        key = (attempt["study"], attempt["trial"])
        by_trial[key].append(attempt)
        nonces[attempt["nonce"]] += 1
        live[attempt["study"]] += not attempt["is_terminal"]
    for study, count in live.items():
        # A new version may allow fewer than run.
        if (state.jobs[study]["code_version"] == 1
                and count > state.jobs[study]["max_parallel_trials"]):
            problems.append(f"I7: study {study} has {count} live attempts")
    for key, attempts in by_trial.items():
        if [a["number"] for a in attempts] != list(range(1, len(attempts) + 1)):
            problems.append(f"I9: attempts of trial {key} are not 1, 2, ...")
        if any(not a["is_terminal"] for a in attempts[:-1]):
            problems.append(f"I9: trial {key} has an older attempt alive")
    problems += [f"I8: nonce {n} was used twice" for n, c in nonces.items() if c > 1]
    terminal = {(t["study"], t["number"]) for t in state.trials if t["is_terminal"]}
    for attempt in state.attempts:
        if not attempt["is_terminal"] and (attempt["study"], attempt["trial"]) in terminal:
            problems.append(f"I9: final trial has live attempt {attempt['nonce']}")
    alive = {(a["study"], a["trial"], a["number"]) for a in state.attempts
             if not a["is_terminal"]}
    held = collections.Counter()
    for lease in state.leases:
        if lease["released_at_us"] is None:
            held[lease["device"]] += 1
            if (lease["study"], lease["trial"], lease["attempt"]) not in alive:
                problems.append(f"I11: {lease['device']} is leased by a dead attempt")
    problems += [f"I11: {d} is leased {c} times" for d, c in held.items() if c > 1]
    return problems


def check_events(state):
    """Replays the events: legal edges only, the cap at every prefix, and the
    tables as the outcome."""
    problems = []
    trials, attempts, live = {}, {}, collections.Counter()
    for position, (seq, study, trial, attempt, kind, payload) in enumerate(state.events):
        if seq != position + 1:
            problems.append(f"I17: event {position + 1} has number {seq}")
        details = json.loads(payload)
        noun, _, what = kind.partition(".")
        if noun == "trial" and what == "created":
            trials[study, trial] = "requested"
        elif noun == "trial" and "to" in details:
            before = trials.get((study, trial))
            if details["to"] not in TRIAL_EDGES.get(before, ()):
                problems.append(f"I6: trial {study}/{trial}: {before} to {details['to']}")
            trials[study, trial] = details["to"]
        elif noun == "attempt" and what == "intended":
            attempts[study, trial, attempt] = "intended"
            live[study] += 1
        elif noun == "attempt" and "to" in details:
            key = (study, trial, attempt)
            before = attempts.get(key)
            if details["to"] not in ATTEMPT_EDGES.get(before, ()):
                problems.append(f"I6: attempt {key}: {before} to {details['to']}")
            attempts[key] = details["to"]
            live[study] -= details["to"] in ("exited", "killed", "lost")
        if (study in state.jobs and state.jobs[study]["code_version"] == 1
                and live[study] > state.jobs[study]["max_parallel_trials"]):
            problems.append(f"I7: {live[study]} live attempts after event {seq}")
    for trial in state.trials:
        if trials.get((trial["study"], trial["number"])) != trial["state"]:
            problems.append(f"I18: trial {trial['study']}/{trial['number']} is not "
                            "what its events say")
    for attempt in state.attempts:
        key = (attempt["study"], attempt["trial"], attempt["number"])
        if attempts.get(key) != attempt["state"]:
            problems.append(f"I18: attempt {key} is not what its events say")
    return problems


def check_proposals(state):
    """A proposed point is never lost, and never changes."""
    said = collections.defaultdict(list)
    for _, study, _, _, kind, payload in state.events:
        if kind == "point.proposed" and study in state.jobs:
            details = json.loads(payload)
            said[study].append((details["source"], details["parameters"]))
    kept = collections.defaultdict(list)
    for row in state.proposed:
        if row["study"] not in state.jobs:
            continue
        kept[row["study"]].append((row["source"], json.loads(row["parameters"])))
    return [] if said == kept else [f"I25: {kept} proposed, but by the events {said}"]


def check_queue(state):
    """A queued point is the very next trial that has none before it, becomes
    that trial unchanged, and is never lost."""
    problems = []
    waiting = {}  # (study, trial): parameters, by the events.
    for _, study, trial, _, kind, payload in state.events:
        details = json.loads(payload)
        if kind == "point.queued":
            waiting[study, details["for_trial"]] = details["parameters"]
        elif kind == "trial.created" and (study, trial) in waiting:
            if waiting.pop((study, trial)) != details["parameters"]:
                problems.append(f"I24: trial {study}/{trial} is not its queued point")
    rows = {(q["study"], q["trial"]): json.loads(q["parameters"]) for q in state.queued}
    kept = {key: point for key, point in waiting.items() if key[0] in state.jobs}
    if rows != kept:
        problems.append(f"I24: {rows} wait, but by the events {kept}")
    created = collections.Counter(trial["study"] for trial in state.trials)
    for study, job in state.jobs.items():
        numbers = [key[1] for key in sorted(rows) if key[0] == study]
        first = created[study] + 1
        if numbers != list(range(first, first + len(numbers))):
            problems.append(f"I24: study {study} has {created[study]} trials and "
                            f"points for {numbers}")
        if numbers and numbers[-1] > job["max_trials"]:
            problems.append(f"I24: study {study} has points beyond max_trials")
    return problems

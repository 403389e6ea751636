#!/usr/bin/python3
"""Turns a file of results into tables.

usage: bench/duel/report.py FILE... [--subject vernier] [--json OUT]

bench/duel/README.md tells what the tables mean.
"""

import argparse
import json
import math
import sys

import comparison
import results


def build(rows, subject, reference):
    """Everything that the report says, as JSON."""
    compared = comparison.Comparison(rows)
    longest = max(row["trials"] for row in compared.rows)
    checkpoints = [trial for trial in comparison.CHECKPOINTS
                   if trial <= longest] or [longest]
    last = checkpoints[-1]
    report = {
        "mode": compared.rows[0]["mode"],
        "workers": compared.rows[0]["workers"],
        "parts": sorted({row["part"] for row in compared.rows}),
        "subject": subject, "reference": reference, "trials": last,
        "problems": len(compared.problems), "runs": len(compared.rows),
        "against_reference": _against_reference(compared, reference,
                                                checkpoints),
        "families": _families(compared, last),
        "effort": {name: _effort(compared, name, last)
                   for name in compared.optimizers},
        "errors": _errors(compared),
    }
    if subject in compared.optimizers:
        report["duels"] = _duels(compared, subject, checkpoints)
        report["best_peers"] = _best_peers(compared, subject, last)
        report["by_problem"] = _by_problem(compared, subject, last)
    return report


def _effort(compared, name, trial):
    """What an optimizer takes, and what it is."""
    rows = [row for row in compared.rows if row["optimizer"] == name]
    return {**compared.latency(name), "versions": rows[-1]["versions"],
            "flattens": rows[-1]["flattens"],
            "share_of_trials": compared.share_of_trials(name, trial)}


def _against_reference(compared, reference, checkpoints):
    return {name: {trial: compared.difference(name, reference, trial)
                   for trial in checkpoints}
            for name in compared.optimizers if name != reference}


def _families(compared, trial):
    """Mean decades by family, over the problems that everyone has run."""
    table = {}
    for family in compared.families():
        problems = compared.shared_problems(compared.problems_of(family), trial)
        table[family] = {
            "problems": len(problems),
            "decades": {name: compared.decades(name, trial, problems)
                        for name in compared.optimizers}}
    return table


def _duels(compared, subject, checkpoints):
    return {peer: {trial: compared.difference(subject, peer, trial)
                   for trial in checkpoints}
            for peer in compared.optimizers if peer != subject}


def _best_peers(compared, subject, trial):
    """The subject against the best peer of each family."""
    table = {}
    for family in compared.families():
        problems = compared.problems_of(family)
        peer = compared.best_peer(subject, problems, trial)
        if peer:
            table[family] = {"peer": peer, "difference": compared.difference(
                subject, peer, trial, problems)}
    return table


def _by_problem(compared, subject, trial):
    """The subject against the best peer of each problem, worst first."""
    table = []
    for problem in compared.problems:
        peer = compared.best_peer(subject, [problem], trial)
        own = compared.decades(subject, trial, [problem])
        if peer and own is not None:
            theirs = compared.decades(peer, trial, [problem])
            table.append({"problem": problem, "subject": own, "peer": peer,
                          "peer_decades": theirs, "difference": own - theirs})
    return sorted(table, key=lambda row: -row["difference"])


def _errors(compared):
    return [{"problem": row["problem"], "optimizer": row["optimizer"],
             "seed": row["seed"], "after": len(row["values"]),
             "error": row["error"]} for row in compared.rows if row["error"]]


def to_markdown(report):
    sections = [_heading(report), _reference_section(report)]
    if "duels" in report:
        sections += [_duel_section(report), _best_peer_section(report),
                     _problem_section(report)]
    sections += [_family_section(report), _effort_section(report),
                 _version_section(report)]
    return "\n\n".join(section for section in sections if section) + "\n"


def _heading(report):
    workers = (f"{report['workers']} workers, {report['mode']}"
               if report["workers"] > 1 else "one trial at a time")
    return (f"# {report['problems']} problems, {report['runs']} runs, "
            f"{workers}\n\nPart: {', '.join(report['parts'])}. Decades are log10 "
            "of normalised regret; less is better. Brackets hold 95 % "
            "intervals.")


def _table(header, rows):
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines)


def _difference(cell):
    if cell is None:
        return ""
    return (f"{cell['decades']:+.2f} [{cell['low']:+.2f}, {cell['high']:+.2f}]")


def _difference_table(title, first, rows):
    """One row an optimizer, one column a number of trials."""
    trials = list(next(iter(rows.values()))) if rows else []
    body = []
    for name, cells in rows.items():
        last = cells[trials[-1]]
        record = (f"{last['wins']} / {last['losses']} of {last['problems']}"
                  if last else "")
        body.append([name, *(_difference(cells[trial]) for trial in trials),
                     record])
    header = [first, *(f"{trial} trials" for trial in trials), "wins / losses"]
    return f"## {title}\n\n" + _table(header, body) if body else ""


def _reference_section(report):
    def standing(item):
        last = item[1][report["trials"]]
        return last["decades"] if last else math.inf

    rows = dict(sorted(report["against_reference"].items(), key=standing))
    return _difference_table(
        f"Every optimizer against {report['reference']}", "optimizer", rows)


def _duel_section(report):
    return _difference_table(f"{report['subject']} against each peer", "peer",
                             report["duels"])


def _best_peer_section(report):
    rows = [[family, cell["peer"], _difference(cell["difference"]),
             f"{cell['difference']['wins']} / {cell['difference']['losses']}"
             f" of {cell['difference']['problems']}"]
            for family, cell in report["best_peers"].items()
            if cell["difference"]]
    return (f"## {report['subject']} against the best peer of each family\n\n"
            + _table(["family", "best peer", f"{report['trials']} trials",
                      "wins / losses"], rows))


def _problem_section(report):
    rows = [[row["problem"], f"{row['subject']:.2f}", row["peer"],
             f"{row['peer_decades']:.2f}", f"{row['difference']:+.2f}"]
            for row in report["by_problem"]]
    return ("## Each problem, worst first\n\n"
            + _table(["problem", report["subject"], "best peer", "its decades",
                      "difference"], rows))


def _family_section(report):
    names = list(report["effort"])
    rows = [[family, cell["problems"],
             *("" if cell["decades"][name] is None
               else f"{cell['decades'][name]:.2f}" for name in names)]
            for family, cell in report["families"].items()]
    return ("## Decades by family, over problems that all have run\n\n"
            + _table(["family", "problems", *names], rows))


def _effort_section(report):
    rows = []
    for name, cell in report["effort"].items():
        share = cell["share_of_trials"]
        rows.append([
            name,
            *(_seconds(cell["ask_seconds"][key])
              for key in ("p50", "p99", "late_p50", "late_p99")),
            *(_seconds(cell["ask_cpu_seconds"][key])
              for key in ("p50", "late_p50")),
            cell["slow_asks"], f"{cell['errors']} of {cell['runs']}",
            f"{share['share']:.2f} ({share['reached']} of {share['problems']})"
            if share else ""])
    return ("## Latency of a suggestion, and trials needed\n\n" + _table(
        ["optimizer", "p50", "p99", "p50 past trial 50", "p99 past trial 50",
         "CPU p50", "CPU p50 past trial 50", "over 60 s", "failed runs",
         "share of trials to the best peer's last value (reached)"], rows))


def _seconds(seconds):
    if seconds is None:
        return ""
    return f"{seconds * 1e3:.3g} ms" if seconds < 1 else f"{seconds:.3g} s"


def _version_section(report):
    lines = []
    for name, cell in report["effort"].items():
        versions = ", ".join(f"{package} {version}" for package, version
                             in cell["versions"].items()) or "ours"
        note = ("; sees conditional parameters flattened"
                if cell["flattens"] else "")
        lines.append(f"- {name}: {versions}{note}")
    lines += [f"- failed: {row['optimizer']} on {row['problem']}, seed "
              f"{row['seed']}, after {row['after']} trials: {row['error']}"
              for row in report["errors"]]
    return "## Versions and failures\n\n" + "\n".join(lines)


def main(words):
    parser = argparse.ArgumentParser(description="Tables of results.")
    parser.add_argument("files", nargs="+")
    parser.add_argument("--subject", default="vernier")
    parser.add_argument("--reference", default="optuna")
    parser.add_argument("--optimizers", default="", help="only these")
    parser.add_argument("--problems", default="", help="only these families")
    parser.add_argument("--mode", default="sequential")
    parser.add_argument("--parallel", type=int, default=1)
    parser.add_argument("--json", help="also write the report here")
    arguments = parser.parse_args(words)
    rows = [row for path in arguments.files for row in results.read(path)
            if row["mode"] == arguments.mode
            and row["workers"] == arguments.parallel]
    for name, column in (("optimizers", "optimizer"), ("problems", "family")):
        wanted = getattr(arguments, name)
        if wanted:
            rows = [row for row in rows if row[column] in wanted.split(",")]
    if not rows:
        print("report.py: no such rows", file=sys.stderr)
        return 1
    report = build(rows, arguments.subject, arguments.reference)
    if arguments.json:
        with open(arguments.json, "w", encoding="utf-8") as file:
            json.dump(report, file, indent=1)
    print(to_markdown(report), end="")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""What the scripts that compare conditions of one engine print alike."""

import math
import statistics


def print_differences(logs, groups):
    """The mean difference of each condition from `none` after each number of trials, with
    a 95 % interval. `logs` has a list by (group, condition, seed); `groups` is what they are.
    """
    conditions = list(dict.fromkeys(condition for _, condition, _ in logs))
    if "none" not in conditions:
        return
    print(f"\ndifference from none, all {groups}")
    for condition in conditions:
        if condition == "none":
            continue
        pairs = [(row, logs[group, "none", seed])
                 for (group, each, seed), row in logs.items() if each == condition]
        cells = []
        for i in range(len(pairs[0][0])):
            gaps = [row[i] - none[i] for row, none in pairs]
            spread = 1.96 * statistics.stdev(gaps) / math.sqrt(len(gaps)) if len(gaps) > 1 else 0
            cells.append(f"{statistics.fmean(gaps):5.2f} ±{spread:.2f}")
        print(f"{condition:10} " + "  ".join(cells))

"""Small data sets in the form of those that the programs would download.

Iris is the real one, which scikit-learn ships; the others are drawn at random
with a dependence that can be learnt.
"""

import os
import random


def make_iris(folder):
    from sklearn.datasets import load_iris
    iris = load_iris()
    rows = [",".join(map(str, [*features, label]))
            for features, label in zip(iris.data, iris.target)]
    random.Random(1).shuffle(rows)
    paths = {}
    for name, part in (("train", rows[:120]), ("eval", rows[120:])):
        paths[name] = os.path.join(folder, f"iris_{name}.csv")
        with open(paths[name], "w", encoding="utf-8") as file:
            file.write(f"{len(part)},4,setosa,versicolor,virginica\n")
            file.write("\n".join(part) + "\n")
    return paths


CENSUS = (
    (["Private", "State-gov", "Federal-gov"], 1),
    (["Divorced", "Never-married", "Married-civ-spouse"], 2),
    (["Sales", "Craft-repair", "Tech-support", "Exec-managerial"], 3),
    (["Husband", "Own-child", "Unmarried", "Wife"], 1),
    (["White", "Black", "Other"], 0),
)


def census_row(draw):
    score = 0
    words = []
    for values, weight in CENSUS:
        value = draw.randrange(len(values))
        score += weight * value / len(values)
        words.append(values[value])
    age, years, hours = draw.randint(17, 90), draw.randint(1, 16), draw.randint(1, 99)
    score += years / 4 + hours / 50 + draw.gauss(0, 0.5)
    return list(map(str, [
        age, words[0], draw.randint(10000, 900000), "Bachelors", years, words[1],
        words[2], words[3], words[4], draw.choice(["Male", "Female"]),
        draw.randint(0, 9999), draw.randint(0, 999), hours,
        "United-States", ">50K" if score > 6 else "<=50K"]))


def make_census(folder, separator=","):
    """Where the programs look for what they downloaded before."""
    draw = random.Random(2)
    place = os.path.join(folder, "tmp", "census_data")
    os.makedirs(place)
    paths = {"tmp": os.path.join(folder, "tmp")}
    for name, file_name, count in (("train", "adult.data.csv", 2000),
                                   ("eval", "adult.test.csv", 500)):
        paths[name] = os.path.join(place, file_name)
        with open(paths[name], "w", encoding="utf-8") as file:
            file.writelines(separator.join(census_row(draw)) + "\n"
                            for _ in range(count))
    return paths


def make_census_with_spaces(folder):
    """As the data set is published."""
    return make_census(folder, ", ")


def make_sonar(folder):
    draw = random.Random(3)
    with open(os.path.join(folder, "sonar.all-data"), "w", encoding="utf-8") as file:
        for _ in range(208):
            mine = draw.random() < 0.5
            values = [min(1, max(0, draw.gauss(0.55 if mine == (i < 30) else 0.4, 0.2)))
                      for i in range(60)]
            file.write(",".join(f"{value:.4f}" for value in values)
                       + (",M\n" if mine else ",R\n"))
    return {}


TAXI = ["tip", "trip_miles", "trip_seconds", "fare", "trip_start_month",
        "trip_start_hour", "trip_start_day", "pickup_community_area",
        "dropoff_community_area", "pickup_census_tract", "dropoff_census_tract",
        "pickup_latitude", "pickup_longitude", "dropoff_latitude",
        "dropoff_longitude", "payment_type", "company"]


def make_taxi(folder):
    draw = random.Random(4)
    paths = {}
    for name, count in (("train", 1500), ("eval", 300)):
        paths[name] = os.path.join(folder, f"taxi_{name}.csv")
        with open(paths[name], "w", encoding="utf-8") as file:
            file.write(",".join(TAXI) + "\n")
            for _ in range(count):
                miles, card = draw.expovariate(0.3), draw.random() < 0.5
                fare = 3 + 2 * miles + draw.gauss(0, 1)
                row = [int(card and fare > 6 + draw.gauss(0, 1)), round(miles, 2),
                       int(200 * miles), round(fare, 2), draw.randint(1, 12),
                       draw.randint(0, 23), draw.randint(1, 7), draw.randint(1, 70),
                       draw.randint(1, 70), draw.randint(1, 900), draw.randint(1, 900),
                       41.8, -87.6, 41.9, -87.7,
                       "Credit Card" if card else "Cash", "Flash Cab"]
                file.write(",".join(map(str, row)) + "\n")
    return paths


MAKERS = {"iris": make_iris, "census": make_census,
          "census_with_spaces": make_census_with_spaces, "sonar": make_sonar,
          "taxi": make_taxi}


def make(name, folder):
    """Writes the data set below `folder`; words for the program's arguments."""
    return MAKERS[name](folder) if name else {}

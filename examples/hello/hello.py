"""The smallest training program: one parameter in, one metric out."""

import argparse
import json
import os
import time

parser = argparse.ArgumentParser()
parser.add_argument("--x", type=float, required=True)
x = parser.parse_args().x

score = 1.0 - (x - 0.3) ** 2  # Best at 0.3; a real program would train here.
print(f"x = {x}: score {score}")

# What the cloudml-hypertune package would write.
with open(os.environ["CLOUD_ML_HP_METRIC_FILE"], "w") as file:
    json.dump({"timestamp": time.time(), "trial": os.environ["CLOUD_ML_TRIAL_ID"],
               "score": str(score), "global_step": "1"}, file)
    file.write("\n")

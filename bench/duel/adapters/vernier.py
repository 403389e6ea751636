"""Vernier's own engine: becomes `vernier suggest`, which speaks the protocol.

usage: vernier.py COMMAND...     (the words of the engine's command line)
"""

import json
import os
import subprocess
import sys


def main():
    command = [word for word in sys.argv[1:] if word != "--describe"]
    if "--describe" not in sys.argv:
        os.execv(command[0], command)
    version = subprocess.run([command[0], "--version"], check=True,
                             capture_output=True, text=True).stdout.strip()
    print(json.dumps({"versions": {"vernier": version}, "flattens": False}))


if __name__ == "__main__":
    main()

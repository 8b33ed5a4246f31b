"""`sinter plan` on instances of others: MiniMalloc's fit their capacity, networks take the lower bound.

    test_plan_data.py SINTER FOLDER
FOLDER has minimalloc/*.CAPACITY.csv and networks/*.csv; where it does not, the test is passed over.
"""
import glob
import json
import os
import subprocess
import sys

from command import check

MOST_NODES = 110000  # that an instance takes; the hardest took 102,659


def plan(path, *arguments):
    done = subprocess.run([sys.argv[1], "plan", path, "--format", "json", *arguments], capture_output=True, text=True, timeout=300)
    check(done.returncode == 0, path, done)
    return json.loads(done.stdout), done


def overlap(a, b):
    return (a["lower"] < b["upper"] and b["lower"] < a["upper"] and a["offset"] < b["offset"] + b["size"]
            and b["offset"] < a["offset"] + a["size"])


def check_apart(found, done):
    requests = found["requests"]
    check(not any(overlap(a, b) for i, a in enumerate(requests) for b in requests[:i]), "an overlap", done)
    check(max(r["offset"] + r["size"] for r in requests) == found["total_bytes"], "the total", done)


if __name__ == "__main__":
    instances = sorted(glob.glob(os.path.join(sys.argv[2], "minimalloc", "*.csv")))
    networks = sorted(glob.glob(os.path.join(sys.argv[2], "networks", "*.csv")))
    if not instances or not networks:
        print(f"no instances in {sys.argv[2]}")
        sys.exit(77)
    for path in instances:
        capacity = path.split(".")[-2]
        found, done = plan(path, "--capacity", capacity)
        check_apart(found, done)
        check(found["total_bytes"] <= int(capacity), "it does not fit", done)
        smallest, done = plan(path, "--minimise")
        check_apart(smallest, done)
        greedy, _ = plan(path, "--strategy", "greedy")
        check(smallest["total_bytes"] <= greedy["total_bytes"], "worse than the portfolio", done)
        check(smallest["optimal"], "no proof", done)
        check(max(found["nodes"], smallest["nodes"]) <= MOST_NODES, "the search takes more nodes than it did", done)
    for path in networks:
        found, done = plan(path, "--repeat-ids")
        check_apart(found, done)
        check(found["total_bytes"] == found["bound_bytes"] and found["optimal"], "more than the bound", done)

"""The fusion report of `sinter eval` and `sinter bench`: for each launch its schedule, what it should take, what it
took, and what that is of the bandwidth. Times are compared with each other and with a profile made up here, never
with what is fast.

  test_report.py SINTER [DEVICE]    a device with kernels; without it, the host reference device alone
"""
import json
import os
import re
import subprocess
import sys
import tempfile

from command import check, write_npy

SINTER = os.path.abspath(sys.argv[1])
DEVICE = sys.argv[2] if len(sys.argv) > 2 else "host"
PROGRAM = "y = exp(x) * 2; m = x @ x; s = sum(m * m, axis=0)"
UNITS = {"ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9}
FIGURES = {"copy_near": 1000, "copy_far": 500, "read_near": 2000, "read_far": 1000, "launch": 4000000}


def run(*arguments, folder, profile="none", **more):
    environment = dict(os.environ, SINTER_CACHE_DIR=folder, SINTER_PROFILE=profile, **more)
    return subprocess.run([SINTER, *arguments], capture_output=True, text=True, timeout=200, env=environment)


def nanoseconds(text):
    number, unit = text.split()
    return float(number) * UNITS[unit]


def groups_of(text):
    """The groups of a report, each as a dictionary of what was found."""
    for part in re.split(r"^  group \d+: ", text, flags=re.M)[1:]:
        bytes_moved = sum(int(n) for n in re.search(r"read (\d+) bytes, written (\d+) bytes", part).groups())
        found = {"operations": re.search(r"\((.*)\)", part).group(1), "bytes": bytes_moved,
                 "launches": int((re.search(r"launches (\d+)", part) or [0, "0"])[1]),
                 "schedules": re.findall(r"^    (?:schedule|then): (.+)$", part, re.M),
                 "predicted": re.findall(r"^    predicted ([\d.]+ \w+)$", part, re.M),
                 "measured": re.findall(r"^    measured ([\d.]+ \w+), ([\d.]+) GB/s(?:, (\d+) % of the measured "
                                        r"bandwidth)?$", part, re.M)}
        found["ns"] = nanoseconds(found["measured"][0][0]) if found["measured"] else None
        yield found


SCHEDULE = re.compile(r"interpreted, an element at a time|(?:rows|flat|bands of \d+ rows|tiles of \d+ x \d+(?: in blocks of [^;]*)?|"
                      r"reduction along rows|reduction down columns|the tree over \d+ parts), .*\d.*; "
                      r"\d+ items? in groups of \d+")


def check_group(group, done):
    check(all(SCHEDULE.fullmatch(s) for s in group["schedules"]), "the schedules", done)
    check(len(group["schedules"]) == group["launches"] > 0, "a schedule for each launch", done)
    check(len(group["measured"]) == 1 and group["ns"] > 0, "a time for each group", done)
    rate = float(group["measured"][0][1])
    near = 0.05 * 10 ** max(len(group["measured"][0][0].split(".")[0]) - 1, 0)  # what is not printed
    wanted = group["bytes"] / group["ns"]
    check(abs(rate - wanted) <= 0.011 + near * wanted, f"{rate} GB/s, and {wanted}", done)


def without_a_profile_nothing_is_compared(folder, x, style):
    done = run("eval", "--device", DEVICE, "--style", style, "--report", "--repeat", "3", PROGRAM, f"x={x}",
               folder=folder)
    check(done.returncode == 0, "eval", done)
    groups = list(groups_of(done.stdout))
    check(len(groups) == 3, "three groups", done)
    for group in groups:
        check_group(group, done)
        check(not group["predicted"] and group["measured"][0][2] == "", "no profile, nothing to compare with", done)
    text = " ".join(s for g in groups for s in g["schedules"])
    words = ["rows,", "down columns", "tiles of"] if DEVICE != "host" else ["interpreted"]
    check(all(word in text for word in words), f"one of {words}", done)


def a_profile_predicts(folder, x):
    """Sizes so small that only the bandwidth in the caches and the launch count."""
    done = run("doctor", "--device", DEVICE, "--seconds", "0", "--json", folder=folder)
    kept = json.loads(done.stdout)["written"]
    with open(kept, encoding="utf-8") as f:
        text = f.read()
    profile = os.path.join(folder, "made_up")
    with open(profile, "w", encoding="utf-8") as f:
        f.write(text + "".join(f"{name} = {value}\n" for name, value in FIGURES.items()) +
                "cost_add = 0, 0, 0, 0, 50000\ncost_exp = 0, 0, 0, 0, 70000\n")
    done = run("eval", "--device", DEVICE, "--report", "--repeat", "3", "y = copy(x) + 1; z = exp(y)", f"x={x}",
               folder=folder, profile=profile)
    check(done.returncode == 0, "eval", done)
    (group,) = groups_of(done.stdout)
    check_group(group, done)
    elements = 64 * 64
    check(group["bytes"] == 3 * 4 * elements, "the bytes", done)
    # x is copied to one result, the other is written: all of it counts as copied, at 1000 MB/s.
    transfer = 3 * 4 * elements
    work = transfer + elements * (50 + 70)
    check(group["predicted"] == [f"{(FIGURES['launch'] + work) / 1e6:.1f} ms"], "what was predicted", done)
    percent = int(group["measured"][0][2])
    check(abs(percent - 100 * transfer / group["ns"]) <= 1 + 0.06 * percent, "percent", done)


def a_trace_tells_the_same_launches(folder, x):
    path = os.path.join(folder, "trace.json")
    done = run("eval", "--device", DEVICE, "--report", "--repeat", "3", "--trace", path, PROGRAM, f"x={x}",
               folder=folder)
    check(done.returncode == 0, "eval", done)
    with open(path, encoding="utf-8") as f:
        launches = [e for e in json.load(f)["traceEvents"] if e.get("cat") == "launch"]
    groups = list(groups_of(done.stdout))
    check(len(launches) == 3 * sum(g["launches"] for g in groups), "launches of the trace", done)
    ends = [e["ts"] + e["dur"] for e in launches]
    check(all(a <= b["ts"] + 0.001 for a, b in zip(ends, launches[1:])), "one after the other", done)
    for i, (group, event) in enumerate(zip(groups, launches[-3:]) if len(launches) == 9 else []):
        check_group(group, done)
        if DEVICE != "host":  # in a trace a launch begins when the one before has ended, whatever the clocks say
            over = event["dur"] * 1e3 - group["ns"]
            near = 0.06 * group["ns"] + 60
            check(over <= near and (i > 0 or over >= -near), "the time", done)


def debug_level_3_has_no_times(folder, x):
    done = run("eval", "--device", DEVICE, "--debug", "3", PROGRAM, f"x={x}", folder=folder)
    check(done.returncode == 0 and done.stderr.count("    schedule: ") == 3, "the schedules", done)
    check("measured " not in done.stderr, "the text is written before it runs", done)


def a_workload_of_the_benchmark(folder):
    done = run("bench", "--device", DEVICE, "--quick", "--report", "--filter", "chain-2/", "--seconds", "0.01",
               folder=folder)
    check(done.returncode == 0, "bench", done)
    (group,) = groups_of(done.stdout)
    check_group(group, done)
    check("replayed from the plan store" in done.stdout, "the steady state", done)
    done = run("bench", "--report", "--json", folder=folder)
    check(done.returncode == 2 and "--report" in done.stderr, "a report is no JSON", done)


with tempfile.TemporaryDirectory() as scratch:
    array = os.path.join(scratch, "x.npy")
    write_npy(array, (64, 64), [i / 4096 for i in range(4096)])
    without_a_profile_nothing_is_compared(scratch, array, "cpu")
    without_a_profile_nothing_is_compared(scratch, array, "gpu")
    a_profile_predicts(scratch, array)
    a_trace_tells_the_same_launches(scratch, array)
    debug_level_3_has_no_times(scratch, array)
    a_workload_of_the_benchmark(scratch)

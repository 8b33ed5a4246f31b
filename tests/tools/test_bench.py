"""`sinter bench`: the list, the JSON lines, the exit statuses.

    test_bench.py SINTER [CLBLAST]
The device is that of SINTER_DEVICE; CLBLAST is the one for tests, where there is a device that may use it.
"""
import collections
import json
import os
import re
import subprocess
import sys
import tempfile

from command import check

KEYS = ["workload", "size", "variant", "detail", "device", "mode", "elements", "launches", "bytes_moved", "bytes_bound",
        "median_ms", "p10_ms", "p90_ms", "gb_per_s", "copy_gb_per_s", "read_gb_per_s", "compile_ms",
        "repetitions"]
WORKLOADS = ["chain-2", "chain-8", "chain-32", "chain-8-f16", "bias-gelu", "gelu", "gelu-tanh", "silu-gate", "adam",
             "adamw", "adam-8", "black-scholes", "tone-curve", "strided", "broadcast", "row-sum", "whole-sum",
             "column-sum", "plane-sum", "cumsum", "cumsum-down", "mean-variance", "softmax", "softmax-down", "log-softmax",
             "layer-norm", "rms-norm", "matmul", "perceptron"]


def run(*arguments, **environment):
    return subprocess.run([sys.argv[1], "bench", *arguments], capture_output=True, text=True,
                          env=dict(os.environ, **environment))


def check_list():
    done = run("--list")
    check(done.returncode == 0, "--list fails", done)
    names = {line.split("/")[0] for line in done.stdout.splitlines()}
    check(names == set(WORKLOADS), f"--list shows {sorted(names)}", done)
    large = run("--large", "--list")
    check({line.split("/")[0] for line in large.stdout.splitlines()} == set(WORKLOADS), "--large --list", large)
    both = set(done.stdout.splitlines()) & set(large.stdout.splitlines())
    check(not both, f"sizes of both lists: {sorted(both)}", large)


def check_peers():
    """bench/peers/ measures the same workloads at the same sizes; its list needs NumPy."""
    try:
        import numpy  # noqa: F401
    except ImportError:
        return
    sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../bench/peers"))
    import workloads
    for large in False, True:
        done = run("--list", *["--large"] * large)
        found = {line.split()[0] for line in done.stdout.splitlines()}
        wanted = workloads.labels(large)
        check(found == wanted, f"bench/peers/workloads.py differs: {sorted(found ^ wanted)}", done)


def check_math():
    done = run("--math", "--list")
    names = [line.split("/")[0] for line in done.stdout.splitlines()]
    check(done.returncode == 0 and "exp" in names and "pow" in names and "adam" not in names, "--math --list", done)
    done = run("--math", "--quick", "--filter", "exp2", "--filter", "pow", "--json")
    rows = {json.loads(line)["workload"] for line in done.stdout.splitlines()}
    check(done.returncode == 0 and rows == {"exp2", "pow"}, "--math fails", done)


def check_plan():
    """The planner of memory: each strategy in turn, none beyond the one before it but the first."""
    names = ["partition", "greedy", "exact", "refit"]
    done = run("--plan", "--quick", "--json", "--filter", "chain", "--filter", "binding")
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    bound = [r["strategy"] for r in rows if r["instance"] == "binding/1000"]
    rows = [r for r in rows if r["instance"] != "binding/1000"]
    check(bound == ["resolve", "greedy", "refit"], "a schema's new binding", done)
    check(done.returncode == 0 and [r["strategy"] for r in rows] == names, "--plan fails", done)
    for i, row in enumerate(rows):
        check(row["total_bytes"] >= row["bound_bytes"] > 0 and row["median_ms"] > 0, "bytes", done)
        check(abs(row["ratio"] - row["total_bytes"] / row["bound_bytes"]) < 1e-5, "ratio", done)
        check(row["optimal"] or row["total_bytes"] > row["bound_bytes"], "optimal", done)
        of = rows[i // 4 * 4]["total_bytes"]
        check(abs(row["to_partition"] - row["total_bytes"] / of) < 1e-5, "to_partition", done)
        check(i % 4 == 0 or row["total_bytes"] <= rows[i - 1]["total_bytes"], "a strategy that is worse", done)
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "a.csv"), "w", encoding="utf-8") as f:
            f.write("id,lower,upper,size\nx,0,2,5\nx,1,3,7\n")
        done = run("--plan", "--quick", "--folder", folder)
        check(done.returncode == 0 and len(done.stdout.splitlines()) == 5 and "a.csv" in done.stdout, "--folder", done)
    done = run("--plan", "--quick", "--folder", "/nowhere")
    check(done.returncode == 1, "no folder", done)


def check_row(row, done, mode="reproducible"):
    check(list(row) == KEYS, f"keys are {list(row)}", done)
    check(row["mode"] == mode, "the mode", done)
    only_reads = row["workload"] in ("row-sum", "whole-sum", "column-sum", "plane-sum", "mean-variance")
    check((row["read_gb_per_s"] or 0) > 0 if only_reads else row["read_gb_per_s"] is None, "the reading", done)
    check(row["elements"] == 65536, "wrong number of elements", done)
    check(row["p10_ms"] <= row["median_ms"] <= row["p90_ms"], "the quantiles are out of order", done)
    check(row["median_ms"] > 0 and row["gb_per_s"] > 0 and row["copy_gb_per_s"] > 0, "a figure is not positive", done)
    check(row["compile_ms"] >= 0 and row["repetitions"] >= 3, "wrong compile time or repetitions", done)
    check(row["bytes_moved"] >= row["bytes_bound"] > 0, "fewer bytes than the bound", done)


def check_reading():
    """What only reads is compared with reading as well: in JSON, in the table, whose header has both bandwidths."""
    done = run("--quick", "--seconds", "0.02", "--filter", "whole-sum", "--json")
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    check(done.returncode == 0 and len(rows) >= 2, "--json of a sum", done)
    for row in rows:
        check_row(row, done)
    done = run("--quick", "--seconds", "0.02", "--filter", "whole-sum", "--filter", "chain-2/")
    check(done.returncode == 0, "the table", done)
    lines = done.stdout.splitlines()
    for name in "copy", "read":
        far, near = re.search(rf"^{name} +([\d.]+) GB/s out of cache \(.+\), ([\d.]+) GB/s in cache$", done.stdout,
                              re.M).groups()
        check(float(far) > 0 and float(near) > 0, f"{name} bandwidth", done)
    at = next(line for line in lines if line.startswith("workload "))
    copy, read = at.index("copy") + 4, at.index("read") + 4
    rows = {line.split("/")[0]: line for line in lines if re.match(r"(whole-sum|chain-2)/", line)}
    cells = {name: [line[:end].split()[-1] for end in (copy, read)] for name, line in rows.items()}
    check(re.fullmatch(r"\d+%", cells["whole-sum"][0]) and re.fullmatch(r"\d+%", cells["whole-sum"][1]), "a sum", done)
    check(re.fullmatch(r"\d+%", cells["chain-2"][0]) and cells["chain-2"][1] == "-", "what writes as well", done)


def check_modes():
    """Results that may differ a little where the mode lets them; and that the mode is the one of sinter's contexts."""
    for mode in "native", "relaxed":
        done = run("--quick", "--seconds", "0.02", "--mode", mode, "--filter", "chain-8-f16", "--filter", "silu-gate",
                   "--json")
        rows = [json.loads(line) for line in done.stdout.splitlines()]
        check(done.returncode == 0 and len(rows) >= 4, f"--mode {mode}", done)
        check({r["workload"] for r in rows} == {"chain-8-f16", "silu-gate"}, f"--mode {mode}: rows", done)
        for row in rows:
            check_row(row, done, mode)
            if row["variant"] == "fused":
                check(row["launches"] == 1 and row["bytes_moved"] == row["bytes_bound"], "fused", done)
    if len(sys.argv) < 3:
        return
    with tempfile.TemporaryDirectory() as folder:
        doctor = subprocess.run([sys.argv[1], "doctor", "--seconds", "0", "--json"], capture_output=True, text=True,
                                env=dict(os.environ, SINTER_CACHE_DIR=folder))
        profile = json.loads(doctor.stdout)["written"]
        with open(profile, "a", encoding="utf-8") as f:
            f.write("clblast_f32 = 1\n")
        for mode in "reproducible", "native", "relaxed":
            done = run("--quick", "--seconds", "0.02", "--mode", mode, "--filter", "matmul", "--report",
                       SINTER_PROFILE=profile, SINTER_CLBLAST_LIB=sys.argv[2])
            check(done.returncode == 0, f"--mode {mode} --report", done)
            check((f", mode {mode}," in done.stdout) == (mode != "reproducible"), "the options", done)
            check(("by CLBlast: 256 x 256 x 256" in done.stdout) == (mode != "reproducible"), "who computes", done)


def check_json():
    done = run("--quick", "--filter", "chain-8", "--filter", "silu-gate", "--json")
    check(done.returncode == 0, "the smoke run fails", done)
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    unfused = {"chain-8": 8, "chain-8-f16": 8, "silu-gate": 2}
    variants = ["fused", "unfused"] + (["handwritten", "same"] if os.environ.get("SINTER_DEVICE") != "host" else [])
    wanted = [(w, v) for w in unfused for v in variants]
    check([(r["workload"], r["variant"]) for r in rows] == wanted, "wrong rows", done)
    for row in rows:
        check_row(row, done)
    for row in rows:
        launches = unfused[row["workload"]] if row["variant"] == "unfused" else 1
        check(row["launches"] == launches, "wrong number of launches", done)
        if row["variant"] == "fused":
            check(row["bytes_moved"] == row["bytes_bound"], "fused moves more than the bound", done)


def check_trace():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "trace.json")
        done = run("--quick", "--filter", "chain-8/", "--seconds", "0.01", "--trace", path)
        check(done.returncode == 0, "--trace fails", done)
        with open(path, encoding="utf-8") as file:
            events = json.load(file)["traceEvents"]
    processes = [e["args"]["name"].split()[-1] for e in events if e["name"] == "process_name"]
    check(processes == ["fused", "unfused"], f"processes {processes}", done)
    counts = collections.Counter((e["pid"], e["cat"]) for e in events if e["ph"] == "X")
    check(counts[2, "launch"] == counts[2, "call"] > 0, "unfused: a launch for each call", done)
    check(counts[1, "launch"] * 8 == counts[1, "call"] > 0, "fused: a launch for eight calls", done)
    check(counts[1, "plan"] >= 1 and counts[1, "wait"] > counts[1, "plan"], "plans and waits", done)
    check((counts[1, "build"] > 0) == (os.environ.get("SINTER_DEVICE") != "host"), "builds", done)
    check(all(e["dur"] >= 0 for e in events if e["ph"] == "X"), "a time is negative", done)
    done = run("--quick", "--filter", "chain-8/", "--trace", "/nonexistent/trace.json")
    check(done.returncode == 1 and "/nonexistent/trace.json" in done.stderr, "a trace nowhere", done)


def check_replay():
    done = run("--replay", "--quick", "--json")
    check(done.returncode == 0, "--replay fails", done)
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    on_cl = os.environ.get("SINTER_DEVICE") != "host"
    segments = [row for row in rows if row["replay"] != "launches"]
    check(len(rows) == len(segments) + on_cl, "wrong number of rows", done)
    names = ["chain", "numbers", "rows", "mixed"]
    wanted = [(name, count, 1) for name in [*names, "text"] for count in (8, 64, 512)]
    wanted += [("loop", 64, segments) for segments in (2, 3, 4)]
    wanted += [("prefix", 64, plans) for plans in (1, 16, 16, 256, 256)]
    wanted += [(name, count, 0) for name in names for count in (64, 512)]
    check([(r["replay"], r["operations"], r["plans"]) for r in segments] == wanted, "wrong rows", done)
    check(all(r["first"] == (r["plans"] == 0) for r in segments), "planned at the wrong place", done)
    check(all(r["queue_ns"] > 0 and r["cut_ns"] > 0 and r["repetitions"] >= 3 for r in segments),
          "a figure is not positive", done)
    if on_cl:
        launches = rows[-1]
        check(launches["launches"] == 100 and min(launches["bare_us"], launches["bare_at_once_us"]) > 0,
              "wrong launches", done)


def check_streams():
    """Each stream alone, and all together in two ways; two streams of a single device. Then the host's copies."""
    parts = os.environ.get("SINTER_DEVICE") != "host"
    for arguments, device in [([], os.environ.get("SINTER_DEVICE"))] + [(["--device", "0:0/2"], "0:0/2.1")] * parts:
        done = run("--streams", "--quick", "--json", "--filter", "chain-8/", *arguments)
        check(done.returncode == 0, "--streams fails", done)
        rows = [json.loads(line) for line in done.stdout.splitlines()]
        ways = ["alone", "alone", "2, from a thread", "2, from 2 threads"]
        ways += ["alone", "alone", "2, from 2 threads"]
        check([r["how"] for r in rows] == ways, "rows", done)
        check([r["streams"] for r in rows] == [1, 1, 2, 2, 1, 1, 2], "streams", done)
        check([r["workload"] == "memcpy/16Mi" for r in rows] == [False] * 4 + [True] * 3, "workloads", done)
        check(rows[1]["device"] == device, "wrong device", done)
        check(all(r["median_ms"] > 0 and r["repetitions"] >= 3 for r in rows), "a figure is not positive", done)
        for of_one, together in [(rows[0:2], rows[2:4]), (rows[4:6], rows[6:])]:
            alone = (of_one[0]["median_ms"] + of_one[1]["median_ms"]) / 2
            fits = [abs(r["speed"] - 2 * alone / r["median_ms"]) < 1e-3 * r["speed"] for r in together]
            check(all(fits), "speed", done)
    done = run("--streams", "--math")
    check(done.returncode == 2 and "--streams" in done.stderr, "--streams --math", done)


def check_together():
    """Several devices: each alone, all together, the best of fixed splits; what has no rows is left out."""
    on_host = os.environ.get("SINTER_DEVICE") == "host"
    devices, names = ("host,host", ["host", "host"]) if on_host else ("0:0/2", ["0:0/2.0", "0:0/2.1"])
    done = run("--device", devices, "--quick", "--json", "--filter", "chain-8/", "--filter", "row-sum", "--filter",
               "column-sum", "--filter", "adam/", "--sweep")
    check(done.returncode == 0, "several devices", done)
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    ways = names + ["all together", "best of 17 splits"]
    wanted = [(w, how) for w in ("chain-8/64Ki", "row-sum/64x1024") for how in ways]
    check([(r["workload"], r["how"]) for r in rows] == wanted, "wrong rows", done)
    for i, row in enumerate(rows):
        check(row["median_ms"] > 0 and row["repetitions"] >= 3, "a figure is not positive", done)
        shares = row["shares"]
        check(shares == [] if i % 4 < 2 else len(shares) == 2 and abs(sum(shares) - 1) < 1e-3, "shares", done)
        best = min(r["median_ms"] for r in rows[i // 4 * 4:i // 4 * 4 + 2])
        check(abs(row["speed"] - best / row["median_ms"]) < 1e-3 * row["speed"] + 1e-4, "speed", done)
    done = run("--device", "all", "--quick", "--json", "--filter", "chain-8/")
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    check(done.returncode == 0 and rows[-1]["how"] == "all together" and len(rows) >= 2, "all devices", done)
    check(len(rows) == len(rows[-1]["shares"]) + 1, "a row for each of all devices", done)
    done = run("--device", devices, "--quick", "--math")
    check(done.returncode == 2 and "one device" in done.stderr, "--math of several devices", done)


def check_startup():
    env = {name: value for name, value in os.environ.items() if name != "SINTER_NO_CACHE"}
    done = subprocess.run([sys.argv[1], "bench", "--startup"], env=env, capture_output=True, text=True)
    if env.get("SINTER_DEVICE") == "host":
        check(done.returncode == 1 and "compiles nothing" in done.stderr, "--startup on the host", done)
        return
    check(done.returncode == 0, "--startup fails", done)
    rows = re.findall(r"^(.+?) {2,}[\d.]+ +[\d.]+ +(\d+) +(\d+)$", done.stdout, re.M)
    check([(name, int(built) > 0, int(kept) > 0) for name, built, kept in rows] ==
          [("sinter, nothing kept", True, False), ("sinter, after that", False, True),
           ("OpenCL alone, a kept binary", False, False)], "wrong rows", done)


def check_wrong_arguments():
    for arguments in (["--nonsense"], ["--seconds", "none"], ["--style", "tpu"], ["--mode", "fast"], ["--filter"],
                      ["--replay", "--trace", "t.json"], ["--large", "--quick"], ["--filter", "no such workload"]):
        done = run(*arguments)
        check(done.returncode == 2 and done.stderr and not done.stdout, f"{arguments}: not refused", done)
    done = run("--device", "no such device", "--quick")
    check(done.returncode == 1 and "no such device" in done.stderr, "an unknown device is not refused", done)


check_list()
check_peers()
check_math()
check_plan()
check_json()
check_reading()
check_modes()
check_trace()
check_replay()
check_streams()
check_together()
check_startup()
check_wrong_arguments()

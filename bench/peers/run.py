#!/usr/bin/env python3
"""Measures the workloads of `sinter bench` in other libraries and prints one table.

    bench/peers/run.py [--filter TEXT ...] [--driver NAME ...] [--peer NAME ...] [--seconds S] [--sinter PATH]
                       [--threads N] [--mode MODE] [--gpu] [--json FILE] [--write]

Every library runs in a process of its own, on the same data and as many threads. A workload is measured in all of
them before the next one begins: the peers in turns, `sinter bench` on each driver, the peers once more. What is missing
or fails is left out with a word. --write puts table and plot into bench/README.md and docs/images/peers.svg.

--mode: what sinter's results mean, `relaxed` say, which is nearest to what the others compute (docs/guide.md).

--gpu: JAX and PyTorch as they are installed for this Python, on CUDA, and the sizes of `sinter bench --large`, beside
sinter on the device that it takes by itself.
"""
import argparse
import collections
import datetime
import json
import os
import pathlib
import platform
import select
import statistics
import subprocess
import sys

from report import DRIVERS

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
PYTHON = ROOT / ".cache/peers/bin/python"
NAMES = {"jax": "JAX", "torch": "PyTorch", "inductor": "PyTorch inductor", "tinygrad": "tinygrad", "numexpr": "numexpr"}
ON_GPU = ["jax", "torch", "inductor"]
ROUNDS = 2  # of the peers
PATIENCE_S = 240


def say(text):
    print(f"peers: {text}", file=sys.stderr, flush=True)


def environment(driver, threads, gpu):
    env = dict(os.environ, OMP_NUM_THREADS=str(threads), OMP_WAIT_POLICY="passive", NUMEXPR_MAX_THREADS=str(threads),
               TF_CPP_MIN_LOG_LEVEL="3")
    if gpu:
        return dict(env, PEERS_GPU="1")
    env.setdefault("POCL_AFFINITY", "1")  # as `sinter bench` has it: docs/decisions/pinned-threads.md
    env["LD_LIBRARY_PATH"] = f"{ROOT}/.cache/peers/cuda_stand_ins:{env.get('LD_LIBRARY_PATH', '')}"
    if driver:
        env["OCL_ICD_VENDORS"] = str(ROOT / "build/vendors" / driver)
    if driver == "rusticl":
        env["RUSTICL_ENABLE"] = "llvmpipe"
    return env


class Worker:
    """A library in its process; `key` is ("tinygrad", "pocl") or ("jax", "")."""

    def __init__(self, key, options):
        self.key, self.process = key, None
        self.name = NAMES[key[0]] + (f", {DRIVERS.get(key[1], key[1])}" if key[1] else "")
        try:
            self.process = subprocess.Popen(
                [sys.executable, HERE / "worker.py", key[0], str(options.threads)],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                stderr=subprocess.PIPE if not os.environ.get("PEERS_DEBUG") else None, text=True, cwd=ROOT,
                env=environment(key[1], options.threads, options.gpu))
        except OSError as error:
            say(f"{self.name} is left out: {error}; bench/peers/setup.sh installs it")
            return
        self.version = self.ask("version")
        if self.version is None:
            self.stop("it is not installed, or does not start; bench/peers/setup.sh installs it")

    def stop(self, why):
        if self.process is not None:
            say(f"{self.name} is left out: {why}")
            self.process.kill()
            self.process.wait()
        self.process = None

    def ask(self, request):
        """What is said after "ok", or None with a word about it."""
        if self.process is None:
            return None
        try:
            self.process.stdin.write(request + "\n")
            self.process.stdin.flush()
        except OSError:
            self.stop("it has ended")
            return None
        ready, _, _ = select.select([self.process.stdout], [], [], PATIENCE_S)
        answer = self.process.stdout.readline() if ready else ""
        if not answer:
            self.stop(f"no answer in {PATIENCE_S} s" if not ready else f"it ended with {self.process.wait()}")
            return None
        if answer.startswith("no "):
            say(f"{self.name}: {request}: {answer[3:].strip()}")
            return None
        return answer[2:].strip()


def run_sinter(options, driver, label):
    """Rows of `sinter bench` by variant: seconds."""
    done = subprocess.run([options.sinter, "bench", "--json", "--seconds", str(options.seconds), "--filter", label,
                           *options.mode, *options.large],
                          capture_output=True, text=True, env=environment(driver, options.threads, options.gpu))
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    rows = {r["variant"]: r["median_ms"] * 1e-3 for r in rows if f"{r['workload']}/{r['size']}" == label}
    if done.returncode != 0 or "fused" not in rows:
        say(f"sinter on {driver}: {label}: {done.stderr.strip()[:200]}")
        return {}
    return rows


def measure(options, workers, label):
    """Medians of a workload in seconds, by column: ("sinter", driver), ("same", driver), ..., a worker's key."""
    ready = [w for w in workers if w.ask("prepare " + label.replace("/", " ")) is not None]
    times = collections.defaultdict(list)

    def turn():
        for worker in ready:
            answer = worker.ask(f"turn {options.seconds / ROUNDS / 2}")
            times[worker.key] += [float(t) for t in (answer or "").split()]

    turn()  # before and behind sinter's: a machine's memory may be half as fast ten seconds later
    for driver in options.driver:
        for variant, seconds in run_sinter(options, driver, label).items():
            times["sinter" if variant == "fused" else variant, driver].append(seconds)
    turn()
    return {key: statistics.median(t) for key, t in times.items() if t}


def sinter_list(options):
    done = subprocess.run([options.sinter, "bench", "--list", *options.large],
                          capture_output=True, text=True, check=True)
    return [line.split()[0] for line in done.stdout.splitlines()]


def check_lists(labels, large):
    sys.path.insert(0, str(HERE))
    import workloads
    mine = workloads.labels(large)
    if mine != set(labels):
        sys.exit(f"peers: not the workloads of sinter bench: {sorted(mine ^ set(labels))}")


def read_options():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--filter", action="append", default=[])
    parser.add_argument("--driver", action="append", default=[])
    parser.add_argument("--peer", action="append", default=[])
    parser.add_argument("--seconds", type=float, default=0.4)
    parser.add_argument("--sinter", default=str(ROOT / "build/sinter"))
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--mode", choices=["reproducible", "native", "relaxed"], default="reproducible")
    parser.add_argument("--gpu", action="store_true")
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    there = [""] if options.gpu else [d for d in ("pocl", "intel") if (ROOT / "build/vendors" / d).is_dir()]
    options.driver = options.driver or there
    options.peer = options.peer or (ON_GPU if options.gpu else list(NAMES))
    if options.write and options.mode != "reproducible":
        parser.error("--write takes the mode that sinter has by itself, reproducible")
    options.about = "" if options.mode == "reproducible" else f", sinter's mode {options.mode}"
    options.mode = ["--mode", options.mode]
    options.large = ["--large"] if options.gpu else []
    return options


def processor():
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":")[1].strip()
    return platform.processor()


def main():
    options = read_options()
    if not options.gpu:
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:options.threads])
    labels = sinter_list(options)
    check_lists(labels, options.gpu)
    labels = [x for x in labels if not options.filter or any(f in x for f in options.filter)]
    keys = [(p, d) for p in options.peer for d in (options.driver if p == "tinygrad" else [""])]
    workers = [w for w in [Worker(key, options) for key in keys] if w.process]
    results = {}
    where = "on a GPU" if options.gpu else f"{processor()}, {options.threads} threads"
    about = f"{where}, {datetime.date.today()}{options.about}; " + ", ".join(w.version for w in workers if w.version)
    done = {"about": about, "drivers": options.driver, "peers": [(w.key, w.name) for w in workers], "results": results}
    for i, label in enumerate(labels):
        say(f"{i + 1}/{len(labels)} {label}")
        results[label] = [(*key, t) for key, t in measure(options, workers, label).items()]
        if options.json:  # each time: a run takes long, and what it has is a table for report.py
            options.json.write_text(json.dumps(done, indent=1) + "\n")
    for worker in workers:
        if worker.process:
            worker.process.kill()
    command = [sys.executable, HERE / "report.py"] + (["--write"] if options.write else [])
    subprocess.run(command, input=json.dumps(done), text=True, check=True)


if __name__ == "__main__":
    # The data is made with NumPy, which setup.sh has brought.
    if PYTHON.exists() and sys.prefix == sys.base_prefix and "--gpu" not in sys.argv:
        os.execv(PYTHON, [PYTHON, *sys.argv])
    main()

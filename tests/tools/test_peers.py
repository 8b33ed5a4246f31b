#!/usr/bin/env python3
"""bench/peers/run.py beside a library that this plays: what is measured, and what is left out with which word.

    test_peers.py SINTER

The library is numexpr's name and one function, on NumPy: right, wrong, crashing, or not to be imported. sinter runs on
the host reference device. SciPy is played too, since no function of it is called here. Exits with 77 where NumPy is missing.
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

from command import check

try:
    import numpy  # noqa: F401
except ImportError:
    print("python3-numpy is not installed: skipped")
    sys.exit(77)

ROOT = pathlib.Path(__file__).resolve().parents[2]
RUN = ROOT / "bench/peers/run.py"
LABEL = "chain-2/16Ki"
PLAYED = """
import os
import numpy
__version__ = "0"
def set_num_threads(count): pass
def evaluate(text, names): return {evaluated}
"""
SCIPY = """
class special: erf = erfc = expit = softmax = log_softmax = None
"""
RIGHT = "eval(text, dict(names, where=numpy.where))"

# Bandwidths are measured in each run of `sinter bench`, so what it says is kept for the next that asks the same.
KEEPING = """#!/bin/sh
echo "$@" >>"{folder}/asked"
kept="{folder}/$(echo "$@" | cksum | tr " " -)"
[ -f "$kept" ] || "{sinter}" "$@" >"$kept" || exit
cat "$kept"
"""
FOLDER = tempfile.TemporaryDirectory()
SINTER = pathlib.Path(FOLDER.name, "sinter")
SINTER.write_text(KEEPING.format(folder=FOLDER.name, sinter=os.path.abspath(sys.argv[1])), encoding="utf-8")
SINTER.chmod(0o700)


def run(played, *arguments):
    """run.py with `played` as numexpr; also what --json left, or None."""
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, "numexpr.py").write_text(played, encoding="utf-8")
        pathlib.Path(folder, "scipy.py").write_text(SCIPY, encoding="utf-8")
        kept = pathlib.Path(folder, "kept.json")
        env = dict(os.environ, SINTER_DEVICE="host", PYTHONPATH=folder)
        done = subprocess.run(
            [sys.executable, RUN, "--sinter", SINTER, "--driver", "none", "--peer", "numexpr", "--seconds", "0.02",
             "--filter", LABEL, "--json", kept, *arguments], capture_output=True, text=True, env=env)
        return done, json.loads(kept.read_text()) if kept.exists() else None


def columns(kept):
    """Those of the one workload: its times are positive."""
    assert all(seconds > 0 for _, _, seconds in kept["results"][LABEL])
    return {(name, driver) for name, driver, _ in kept["results"][LABEL]}


def check_measured():
    done, kept = run(PLAYED.format(evaluated=RIGHT))
    check(done.returncode == 0 and list(kept["results"]) == [LABEL], "a run fails", done)
    check(columns(kept) == {("sinter", "none"), ("unfused", "none"), ("numexpr", "")}, "wrong columns", done)
    rows = [line for line in done.stdout.splitlines() if line.startswith("| " + LABEL)]
    times = {name: seconds for name, _, seconds in kept["results"][LABEL]}
    check(len(rows) == 1, "not one row", done)
    cells = rows[0].strip("| ").split(" | ")
    # sinter's time, nothing by hand, the library's, and theirs over sinter's.
    check(cells[2:4] == ["-", "-"] and cells[5] == f"{times['numexpr'] / times['sinter']:.2f}", "wrong row", done)
    check("numexpr 0" in done.stdout, "the library's version is not named", done)


def check_left_out():
    """A library that is not there, gives something else, or ends, costs a word and its column, no more."""
    played = [("raise ImportError", "is left out", ()),
              (PLAYED.format(evaluated=RIGHT + " + 0.001"), "differ", ("numexpr",)),
              (PLAYED.format(evaluated="os._exit(3)"), "it ended with 3", ("numexpr",))]
    for text, word, named in played:
        done, kept = run(text)
        check(done.returncode == 0 and word in done.stderr, f"no word: {word}", done)
        check(columns(kept) == {("sinter", "none"), ("unfused", "none")}, "a library that failed has a column", done)
        check([key[0] for key, _ in kept["peers"]] == list(named), "wrong libraries", done)
    done, kept = run(PLAYED.format(evaluated=RIGHT), "--sinter", os.path.join(FOLDER.name, "none"))
    check(done.returncode != 0 and kept is None, "no sinter, and a table", done)


def check_mode():
    done, kept = run(PLAYED.format(evaluated=RIGHT), "--mode", "relaxed")
    check(done.returncode == 0 and "sinter's mode relaxed" in kept["about"], "the mode is not named", done)
    asked = pathlib.Path(FOLDER.name, "asked").read_text(encoding="utf-8").splitlines()
    check("--mode relaxed" in asked[-1] and "--mode reproducible" in asked[-3], "sinter runs in another mode", done)
    before = (ROOT / "bench/README.md").read_text(encoding="utf-8")
    done, kept = run(PLAYED.format(evaluated=RIGHT), "--mode", "relaxed", "--write")
    check(done.returncode == 2 and kept is None, "--mode relaxed --write is not refused", done)
    check((ROOT / "bench/README.md").read_text(encoding="utf-8") == before, "bench/README.md was written", done)


check_measured()
check_left_out()
check_mode()

"""Plants faults, one at a time, and sees which test finds each.

    mutants.py --check [NAME ...]            that each text to be replaced is in its file exactly once
    mutants.py --check --build BUILD         and that the build in BUILD has the tests
    mutants.py FOLDER [--jobs N] [NAME ...]  in a copy of the source tree, which it makes in FOLDER

README.md says what a file of a fault is like. Exit status 0: all were found.
"""
import argparse
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
SOURCE = HERE.parent.parent
LEFT_OUT = shutil.ignore_patterns("build", "build-*", ".git", ".cache", "__pycache__")
LIMIT_S = 120  # of a test: a fault may make it run for ever


class Mutant:
    def __init__(self, path):
        head, change = path.read_text().split("\n<<<<\n")
        old, new = change.split("\n====\n")
        about, where, tests = head.split("\n")
        self.name, self.about = path.stem, about
        self.file = where.removeprefix("file ")
        self.tests = tests.removeprefix("found by ").split()
        self.old, self.new = old, new.removesuffix("\n>>>>\n")

    def apply(self, text):
        """The text with the fault; it fits in one place, or the file has changed and the fault must be written anew."""
        if text.count(self.old) != 1:
            sys.exit(f"{self.name}: its text is {text.count(self.old)} times in {self.file}")
        return text.replace(self.old, self.new)


def run(command, log, limit_s=None, environment=None):
    """The exit status of a command; one that takes longer is ended, with what it started, and has failed."""
    log.write(f"$ {' '.join(command)}\n")
    log.flush()
    with subprocess.Popen(command, stdout=log, stderr=log, start_new_session=True, env=environment) as process:
        try:
            return process.wait(limit_s)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            return 1


def targets_of(test):
    """What it runs; on a driver through the OpenCL library for tests."""
    own = "sinter_cli" if test.startswith("campaign.") else test.split(".")[0]
    return [own, "sinter_test_cl"] if ".pocl" in test else [own]


def tests_of(build, *chosen):
    """What ctest says of the tests of a build."""
    command = ["ctest", "--test-dir", str(build), "--show-only=json-v1", *chosen]
    return json.loads(subprocess.run(command, check=True, capture_output=True).stdout)["tests"]


class Tree:
    def __init__(self, folder, jobs):
        self.source, self.build = folder / "tree", folder / "tree" / "build"
        self.jobs = str(jobs)
        self.log = open(folder / "mutants.log", "w", encoding="utf-8")
        shutil.rmtree(self.source, ignore_errors=True)
        shutil.copytree(SOURCE, self.source, ignore=LEFT_OUT)
        if run(["cmake", "-S", str(self.source), "-B", str(self.build), "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release"],
               self.log) != 0:
            sys.exit(f"the copy cannot be configured: see {self.log.name}")

    def test_of(self, name):
        """The command and the environment of a test that has been built."""
        test = tests_of(self.build, "-R", f"^{name}$")[0]
        settings = next(p["value"] for p in test["properties"] if p["name"] == "ENVIRONMENT")
        return test["command"], dict(os.environ, **dict(s.split("=", 1) for s in settings))

    def finds(self, test):
        """Whether the test fails; a tree that does not build says nothing."""
        build = ["cmake", "--build", str(self.build), "-j", self.jobs, "--target", *targets_of(test)]
        if run(build, self.log) != 0:
            sys.exit(f"it does not build: see {self.log.name}")
        command, environment = self.test_of(test)
        status = run(command, self.log, LIMIT_S, environment)
        if status == 77:
            sys.exit(f"{test} is skipped here")
        return status != 0


def plant(tree, mutant):
    """The test that finds the fault; None: none does."""
    path = tree.source / mutant.file
    right = path.read_text()
    path.write_text(mutant.apply(right))
    try:
        return next((test for test in mutant.tests if tree.finds(test)), None)
    finally:
        path.write_text(right)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--build")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("rest", nargs="*")
    args = parser.parse_intermixed_args()
    names = args.rest if args.check else args.rest[1:]
    mutants = [m for m in map(Mutant, sorted(HERE.glob("*.mutant"))) if not names or m.name in names]
    for m in mutants:
        m.apply((SOURCE / m.file).read_text())
    if args.build:
        there = {t["name"] for t in tests_of(args.build)}
        drivers = {name.split(".")[1] for name in there if "." in name}
        missing = {t for m in mutants for t in m.tests if ".pocl" not in t or "pocl" in drivers} - there
        if missing:
            sys.exit(f"no such test: {' '.join(sorted(missing))}")
    if args.check:
        print(f"{len(mutants)} faults can be planted")
        return 0
    folder = pathlib.Path(args.rest[0]).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    tree = Tree(folder, args.jobs)
    for test in sorted({test for m in mutants for test in m.tests}):
        if tree.finds(test):
            sys.exit(f"{test} fails with no fault planted")
    found = 0
    for m in mutants:
        finder = plant(tree, m)
        found += finder is not None
        print(f"{'found by ' + finder if finder else 'NOT FOUND':32} {m.name}: {m.about}", flush=True)
    print(f"{found} of {len(mutants)} found")
    return 0 if found == len(mutants) else 1


if __name__ == "__main__":
    sys.exit(main())

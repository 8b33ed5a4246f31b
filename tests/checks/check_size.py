#!/usr/bin/env python3
"""Files below 1,000 lines, functions below 60, and no path of one machine.

    check_size.py SOURCE_FOLDER
"""
import os
import re
import shutil
import subprocess
import sys

FILE_LINES = 1000
GENERATED = ("include/sinter/ops.h",)  # as long as the op table makes it
FUNCTION_LINES = 60
KINDS = (".c", ".h", ".def", ".cl", ".py", ".cmake", ".sh", ".txt", ".md", ".in", ".json", ".yml")
# A home folder, or a checkout's; a sentence may name /tmp and /usr.
MACHINE = re.compile(r"(?<![\w.])/(root|home|work|Users|mnt|srv)/[\w.]+")


def tracked(root):
    for at, folders, files in os.walk(root):
        folders[:] = sorted(f for f in folders if not f.startswith("build") and f not in (".git", ".cache"))
        for name in sorted(files):
            yield os.path.join(at, name)


def file_faults(root, path):
    with open(path, encoding="utf-8") as f:
        lines = f.read().split("\n")
    shown = os.path.relpath(path, root)
    if len(lines) > FILE_LINES and shown not in GENERATED:
        yield f"{shown}: {len(lines) - 1} lines"
    for number, line in enumerate(lines, 1):
        if MACHINE.search(line) and shown != "tests/checks/check_size.py":
            yield f"{shown}:{number}: a path of one machine: {line.strip()}"


def function_faults(root, paths):
    listed = subprocess.run(["ctags", "-x", "--c-kinds=f", "--_xformat=%{end}\t%{line}\t%N\t%F", "-L", "-"],
                            input="\n".join(paths), check=True, capture_output=True, text=True).stdout
    for row in listed.splitlines():
        end, first, name, path = row.split("\t")
        # A macro that makes a function looks like one that ends with the next real one.
        if name.isupper() or not end:
            continue
        if int(end) - int(first) + 1 >= FUNCTION_LINES:
            yield f"{os.path.relpath(path, root)}:{first}: {name} has {int(end) - int(first) + 1} lines"


def main():
    root = os.path.abspath(sys.argv[1])
    paths = [p for p in tracked(root) if p.endswith(KINDS)]
    faults = [fault for path in paths for fault in file_faults(root, path)]
    c_files = [p for p in paths if p.endswith(".c")]
    universal = shutil.which("ctags") and "Universal" in subprocess.run(
        ["ctags", "--version"], capture_output=True, text=True).stdout
    if universal:
        faults += function_faults(root, c_files)
    if len(c_files) < 50:
        faults.append(f"{root}: only {len(c_files)} sources were found")
    print("\n".join(faults) if faults else f"{len(paths)} files")
    if not faults and not universal:
        print("skipped: functions were not measured (Debian: universal-ctags)")
        return 77
    return 1 if faults else 0


sys.exit(main())

#!/usr/bin/env python3
"""What the documentation says of the code, compared with the code.

    check_docs.py SOURCE_FOLDER SINTER GEN_OPS

Names, files, options and texts are compared; whether a sentence is true, no test can say. Each check is a function
that gives lines; no line at all is a pass.
"""
import os
import re
import shlex
import subprocess
import sys
import tempfile

import accuracy

FIELDS = ["shapes", "units", "dtype", "owns", "errors", "thread"]
ALWAYS = {"owns", "errors", "thread"}


def read(path):
    with open(path, encoding="utf-8") as f:
        return f.read()


def tracked(folder="."):
    """Files of the source tree, without what is built or hidden."""
    for at, folders, files in os.walk(folder):
        folders[:] = sorted(f for f in folders if not f.startswith((".", "build")))
        for name in sorted(files):
            yield os.path.normpath(os.path.join(at, name))


def both_ways(what, documented, real):
    for name in sorted(set(real) - set(documented)):
        yield f"{what}: '{name}' is not documented"
    for name in sorted(set(documented) - set(real)):
        yield f"{what}: '{name}' does not exist"


def rows(page):
    """First cells of the tables of a page."""
    return re.findall(r"^\| `([^`]+)`", read(page), re.M)


def environment():
    real = re.findall(r'SINTER_ENV\(\w+, *"(\w+)"', read("executor/context/env.def"))
    return both_ways("docs/environment.md", [r for r in rows("docs/environment.md") if r.startswith("SINTER_")], real)


def reasons():
    """Why a segment was cut and why a group ended: the texts of the report."""
    real = re.findall(r'\[SINTER__CUT_(?!NONE)\w+\] = "([^"]+)"', read("fusion/queue/queue.c"))
    real += re.findall(r'\[SINTER__ENDED_\w+\] = "([^"]+)"', read("fusion/plan/plan.c"))
    if len(real) < 10:
        yield "fusion/queue/queue.c, fusion/plan/plan.c: the texts were not found"
    page = read("docs/fusion.md")
    documented = []
    for head in ["| reason in the report |", "| `ended` | rule |"]:
        table = page[page.index(head):].split("\n\n")[0]
        documented += re.findall(r"^\| `([^`]+)` \|", table, re.M)
    yield from both_ways("docs/fusion.md", [d for d in documented if d != "ended"], real)


def links():
    for path in tracked():
        if not path.endswith(".md"):
            continue
        for target in re.findall(r"\]\(([^)#\s]+)", read(path)):
            if "://" not in target and not os.path.exists(os.path.join(os.path.dirname(path), target)):
                yield f"{path}: the link to {target} leads nowhere"


def names():
    """Functions, options and variables that a page names exist somewhere in the sources."""
    word = re.compile(r"\b(?:sinter|SINTER)_\w+")
    known = set()
    pages = []
    for path in tracked():
        if path.endswith(".md"):
            pages.append(path)
        elif re.search(r"\.(c|h|def|cpp|cmake|txt|sh|json)$", path):
            known.update(word.findall(read(path)))
    for path in pages:
        for name in sorted(set(word.findall(read(path))) - known):
            if not any(k.startswith(name) for k in known if name.endswith("_")):
                yield f"{path}: there is no {name}"


def folders():
    """Every folder with sources has a README."""
    seen = set()
    for path in tracked():
        folder = os.path.dirname(path)
        if re.search(r"\.(c|h|cl|cmake|def)$", path):
            seen.add(folder)
    for folder in sorted(seen - {""}):
        at = folder
        while at and not os.path.exists(os.path.join(at, "README.md")):
            at = os.path.dirname(at)
        if at == "":
            yield f"{folder}: no README.md there or above it"


def files_of_folders():
    """The READMEs of folders name every file, and only files that exist. A header stands for its .c file."""
    inside = sorted({os.path.dirname(f) for f in tracked() if re.match(r"(fusion|executor)/", f)})
    for layer in ["fusion", "executor"]:
        named = re.findall(r"^\| \[`(\w+)/`\]", read(f"{layer}/README.md"), re.M)
        real = [d.split("/")[1] for d in inside if d.startswith(f"{layer}/")]
        yield from both_ways(f"{layer}/README.md", named, real)
    for folder in [*inside, "core", "memory", "include/sinter", "cl_kernels", "tools", "tools/selftest", "cmake", "bench",
                   "examples", "tests/support", "tests/oracle", "tests/fault"]:
        text = read(f"{folder}/README.md")
        table = "\n".join(line for line in text.split("\n") if line.startswith("|"))
        named = [n for n in re.findall(r"`([\w.-]+\.(?:c|h|cpp|def|cl|cmake|sh|py|in|supp))`", table)]
        real = [n for n in os.listdir(folder) if os.path.isfile(f"{folder}/{n}")]
        real = [n for n in real if n not in {"README.md", "CMakeLists.txt"}]
        pairs = [n[:-2] + other for n in named for other in (".c", ".h") if n.endswith((".c", ".h"))]
        yield from both_ways(f"{folder}/README.md", named + [n for n in pairs if n in real], real)


def docstrings():
    """Every public function has its comment, the fields in order, the last three always."""
    for path in sorted(os.listdir("include/sinter")):
        if not path.endswith(".h"):
            continue
        text = read(f"include/sinter/{path}")
        for m in re.finditer(r"(/\*\*(?:(?!\*/).)*\*/\n)?((?:SINTER_API|static inline) [^;{]*)", text, re.S):
            name = re.search(r"(sinter_\w+)\(", m.group(2))
            if name is None:
                continue
            fields = re.findall(r"\n \*  (\w+) {2,}", m.group(1) or "")
            known = [f for f in FIELDS if f in fields]
            if fields != known or not ALWAYS <= set(fields):
                yield f"include/sinter/{path}: {name.group(1)} has the fields {fields}"
            if "axis_count" in m.group(2) and "SINTER_EINVAL" not in m.group(1):  # a negative one
                yield f"include/sinter/{path}: {name.group(1)} says nothing of SINTER_EINVAL"


def sized_structs():
    """What a caller makes and begins with its size has an _INIT; what the library fills and hands over says so."""
    for path in sorted(os.listdir("include/sinter")):
        text = read(f"include/sinter/{path}")
        for name, comment in re.findall(r"typedef struct (sinter_\w+) \{\s+uint32_t\s+size;\s*/\*(.*?)\*/", text, re.S):
            handed = comment.split() == "bytes of this struct that are filled".split()
            if not handed and f"#define {name.upper()}_INIT" not in text:
                yield f"include/sinter/{path}: {name} has no {name.upper()}_INIT"


def options(sinter):
    said = subprocess.run([sinter, "eval", "--help"], check=True, capture_output=True, text=True).stdout
    page = read("docs/language.md")
    documented = re.findall(r"`(?:-\w`, `)?(--[a-z-]+)", page[page.index("| option | does |"):])
    return both_ways("docs/language.md", documented, re.findall(r"^ +(?:-\w, |    )(--[a-z-]+)", said, re.M))


def example():
    """The program of the top-level README is examples/hello.c."""
    if f"```c\n{read('examples/hello.c')}```" not in read("README.md"):
        yield "README.md: its program is not examples/hello.c"


def shown(page):
    """The commands of a page, `$ sinter eval ...` in indented blocks, and what they are said to print."""
    for block in re.findall(r"(?:^    .*\n)+", page, re.M):
        text = re.sub(r"^    ", "", block, flags=re.M)
        for part in re.split(r"^\$ (?=sinter eval)", text, flags=re.M)[1:]:
            command, _, printed = part.partition("\n")
            yield command, " ".join(printed.split())


def on_host(sinter, command, folder, **more):
    """`sinter` with those arguments there, on the host reference device."""
    env = {k: v for k, v in os.environ.items() if not k.startswith("SINTER_")}
    return subprocess.run([sinter] + shlex.split(command), cwd=folder, env=dict(env, SINTER_DEVICE="host", **more),
                          capture_output=True, text=True)


def commands(sinter, folder):
    """They print that, on the host reference device. `...` stands for anything, and spaces do not count."""
    pages = ["docs/README.md", "README.md", "docs/language.md", "docs/fusion.md"]  # the first makes the inputs
    for page in pages:
        for command, wanted in shown(read(page)):
            r = on_host(sinter, command.removeprefix("sinter "), folder)
            printed = " ".join((r.stdout + r.stderr).split())
            pattern = ".*".join(re.escape(part) for part in wanted.split("..."))
            if re.fullmatch(pattern, printed) is None:
                yield f"{page}: {command}\n    prints: {printed}"


def levels(sinter, folder):
    """What SINTER_DEBUG is said to print, as far as it is the same on the host reference device; behind `commands`."""
    page = read("docs/environment.md")
    page = page[page.index("## SINTER_DEBUG"):]
    command = re.search(r"^    SINTER_DEBUG=6 sinter (.*)$", page, re.M).group(1)
    said = dict(re.findall(r"^\| (\d) \|.*\| `(.*)` \|$", page, re.M))
    done = on_host(sinter, command, folder, SINTER_DEBUG="6")
    emitted = on_host(sinter, command + " --emit", folder).stdout
    lines = [line[len("sinter: "):] for line in done.stderr.splitlines()]
    for level in "356":
        if said[level] not in lines:
            yield f"docs/environment.md: level {level} does not print '{said[level]}'"
    moved = re.search(r"launches, .* (\d+) bytes", said["2"]).group(1)
    if not any(f" {moved} bytes, " in line for line in lines if "launches, global" in line):
        yield f"docs/environment.md: level 2: no launch moves {moved} bytes"
    if said["4"] not in emitted.splitlines():
        yield f"docs/environment.md: level 4: no program has '{said['4']}'"


def generated(gen_ops):
    for what, path in [("header", "include/sinter/ops.h"), ("docs", "docs/ops.md")]:
        made = subprocess.run([gen_ops, what], check=True, capture_output=True, text=True).stdout
        if made != read(path):
            yield f"{path}: not what core/gen_ops.c prints; core/README.md says how it is made"


def main():
    os.chdir(sys.argv[1])
    sinter = os.path.abspath(sys.argv[2])
    with tempfile.TemporaryDirectory() as folder:
        checks = [environment(), reasons(), links(), names(), folders(), files_of_folders(), docstrings(), sized_structs(),
                  example(), options(sinter), commands(sinter, folder), levels(sinter, folder), generated(sys.argv[3]),
                  accuracy.faults(accuracy.TABLES)]
        faults = [line for check in checks for line in check]
    print("\n".join(faults) if faults else "the documentation agrees with the code")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())

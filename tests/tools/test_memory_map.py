"""`sinter eval --memory-map`: a well-formed picture whose rectangles lie where the report says, to scale.

    test_memory_map.py SINTER
"""
import os
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

from command import check, write_npy

SINTER = os.path.abspath(sys.argv[1])
SVG = "{http://www.w3.org/2000/svg}"
PROGRAM = """a = x @ w
b = exp(a) @ w
c = sum(b * b, axis=0)
y = a + c
release a
release b
cut
d = y @ w
z = d @ d
release d
"""


def run(folder, *arguments):
    environment = dict(os.environ, SINTER_CACHE_DIR=folder, SINTER_PROFILE="none")
    return subprocess.run([SINTER, "eval", "--device", "host", *arguments], capture_output=True, text=True, timeout=200,
                          env=environment, cwd=folder)


def rectangles(root):
    """The rectangles of tensors: their numbers, their places, their role."""
    for group in root.iter(SVG + "g"):
        rect = group.find(SVG + "rect")
        found = {name: float(rect.get(name)) for name in ("x", "y", "width", "height")}
        found.update({name: int(rect.get("data-" + name))
                      for name in ("segment", "slab", "offset", "bytes", "first", "end")})
        yield dict(found, role=group.get("class"), title=group.find(SVG + "title").text)


def segments_of(report):
    """What the report has of each segment's workspace, and of its launches."""
    for part in re.split(r"^segment \d+: ", report, flags=re.M)[1:]:
        requests = re.findall(r"^    (?:t\d+|scratch of group \d+): steps (\d+) to (\d+), (\d+) bytes at (\d+)$", part,
                              re.M)
        yield {"requests": sorted(tuple(int(n) for n in r) for r in requests),
               "launches": len(re.findall(r"^    group \d+: \d+ bytes before", part, re.M)),
               "peak": int(re.search(r"memory by launch: peak (\d+) bytes", part).group(1))}


def check_offsets(found, report, done):
    for number, segment in enumerate(report, 1):
        drawn = [r for r in found if r["segment"] == number and r["role"] in "ws"]
        base = min((r["offset"] for r in drawn), default=0)
        check(sorted((r["first"], r["end"] - 1, r["bytes"], r["offset"] - base) for r in drawn) == segment["requests"],
              f"the workspace of segment {number}", done)
        check(len(drawn) > 0, "a workspace", done)


def check_scale(found, report, done):
    """Offsets and bytes are pixels of one scale in each slab, launches are columns of one width."""
    before = [sum(s["launches"] for s in report[:k]) for k in range(len(report))]
    width = 1260 / sum(s["launches"] for s in report)
    for r in found:
        column = before[r["segment"] - 1] + r["first"] - 1
        check(abs(r["x"] - 100 - width * column) < 0.01, "where a launch begins", done)
        check(abs(r["width"] - width * (r["end"] - r["first"])) < 0.01, "how many launches it lives", done)
        largest = max((o for o in found if o["slab"] == r["slab"]), key=lambda o: o["bytes"])
        scale = largest["height"] / largest["bytes"]
        check(abs(r["height"] - scale * r["bytes"]) < 0.01, "bytes to scale", done)
        check(abs(r["y"] - largest["y"] - scale * (r["offset"] - largest["offset"])) < 0.01, "offsets to scale", done)


def check_apart(found, done):
    for i, a in enumerate(found):
        for b in found[:i]:
            check(a["slab"] != b["slab"] or a["segment"] != b["segment"] or a["first"] >= b["end"]
                  or b["first"] >= a["end"] or a["offset"] + a["bytes"] <= b["offset"]
                  or b["offset"] + b["bytes"] <= a["offset"], f"{a['title']} and {b['title']} overlap", done)


def the_picture_is_the_report(folder, *more):
    done = run(folder, "--report", "--memory-map", "map.svg", *more, "--file", "p.snt", "x=x.npy", "w=w.npy")
    check(done.returncode == 0, "eval", done)
    root = xml.etree.ElementTree.parse(os.path.join(folder, "map.svg")).getroot()
    found = list(rectangles(root))
    report = list(segments_of(done.stdout))
    check(len(report) == 2, "two segments", done)
    check_offsets(found, report, done)
    check_scale(found, report, done)
    check_apart(found, done)
    names = {r["title"].split(":")[0] for r in found if r["role"] in "ehm"}
    check({"x", "w", "y", "z"} <= names, f"the names of the program in {names}", done)
    check({(r["segment"], r["role"]) for r in found if r["title"].startswith("x:")} == {(1, "e"), (2, "h")},
          "x is there all the time, and used once", done)
    texts = [t.text or "" for t in root.iter(SVG + "text")]
    peak = max(s["peak"] for s in report)
    check(any(t.startswith(f"peak {peak / 1024:.1f}".replace(".0", "") + " KiB, launch ") for t in texts), "the peak", done)


def what_goes_wrong(folder):
    done = run(folder, "--memory-map", "nowhere/map.svg", "y = x + 1", "x=x.npy")
    check(done.returncode == 1 and "nowhere/map.svg" in done.stderr, "a folder that is not there", done)
    done = run(folder, "--memory-map", "map.svg", "--memory-mode", "separate", "y = x + 1", "x=x.npy")
    check(done.returncode == 1 and "there is no pool" in done.stderr, "no pool", done)
    done = run(folder, "--memory-map", "empty.svg", "y = transpose(x, (1, 0)) # <&\">", "x=x.npy")
    check(done.returncode == 0, "nothing to launch", done)
    root = xml.etree.ElementTree.parse(os.path.join(folder, "empty.svg")).getroot()
    check(any(t.text == "nothing was launched" for t in root.iter(SVG + "text")), "a view alone", done)
    with open(os.path.join(folder, "dead.snt"), "w", encoding="utf-8") as f:
        f.write("y = x * 2\n" + "cut\na = x + 1\nrelease a\n" * 9)
    done = run(folder, "--memory-map", "dead.svg", "--file", "dead.snt", "x=x.npy")
    found = list(rectangles(xml.etree.ElementTree.parse(os.path.join(folder, "dead.svg")).getroot()))
    check(done.returncode == 0 and all(100 <= r["x"] <= 1360 for r in found), "segments without launches", done)
    check(any("# <&\">" in (t.text or "") for t in root.iter(SVG + "text")), "the program as title", done)


with tempfile.TemporaryDirectory() as scratch:
    for name in "xw":
        write_npy(os.path.join(scratch, name + ".npy"), (64, 64), [i / 40960 for i in range(4096)])
    with open(os.path.join(scratch, "p.snt"), "w", encoding="utf-8") as f:
        f.write(PROGRAM)
    the_picture_is_the_report(scratch)
    the_picture_is_the_report(scratch, "--unfused")
    what_goes_wrong(scratch)

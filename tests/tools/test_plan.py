"""`sinter plan`: what it prints, its exit statuses, the line of what is wrong, the picture.

    test_plan.py SINTER
"""
import json
import os
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

from command import check, plan

SINTER = os.path.abspath(sys.argv[1])
HEAD = "id,lower,upper,size\n"
# Of 18 bytes, which a search finds and greedy does not.
HARD = HEAD + "a,3,7,4\nb,1,4,2\nc,0,4,4\nd,3,4,3\ne,1,3,5\nf,2,6,5\ng,4,6,3\nh,2,3,2\n"
CHAIN = HEAD + "a,0,2,16\nb,1,3,8\nc,2,4,64\nd,3,5,32\ne,4,6,8\n"


def run(text, *arguments):
    return plan(SINTER, text, *arguments)


def overlap(a, b):
    return (a["lower"] < b["upper"] and b["lower"] < a["upper"] and a["offset"] < b["offset"] + b["size"]
            and b["offset"] < a["offset"] + a["size"])


def check_plan(done, total):
    check(done.returncode == 0, "plan", done)
    found = json.loads(done.stdout)
    requests = found["requests"]
    check(found["total_bytes"] == total == max([r["offset"] + r["size"] for r in requests] + [0]), "the total", done)
    check(not any(overlap(a, b) for i, a in enumerate(requests) for b in requests[:i]), "an overlap", done)
    return found


def strategies_and_formats():
    for strategy in ("partition", "greedy", "exact"):
        found = check_plan(run(CHAIN, "--strategy", strategy, "--format", "json"), 96)
        check(found["bound_bytes"] == 96 and found["peak_step"] == 3, "the bound", run(CHAIN))
        check(found["optimal"] is True and found["fits"] is True, "the verdict", run(CHAIN))
    done = run(CHAIN, "--format", "csv")
    check(done.returncode == 0 and done.stdout.splitlines()[0] == "id,lower,upper,size,offset", "csv", done)
    check([line.split(",")[:4] for line in done.stdout.splitlines()[1:]] ==
          [line.split(",") for line in CHAIN.splitlines()[1:]], "csv gives the requests back", done)
    again = run(done.stdout, "--format", "csv")  # the offsets are fixed now
    check(again.returncode == 0 and again.stdout == done.stdout, "a plan planned again", again)
    done = run(CHAIN)
    check("5 requests, 96 bytes, lower bound 96 at step 3: no plan is smaller" in done.stdout, "text", done)
    check(" nodes, " in done.stdout and "found by " in done.stdout, "text", done)


def what_is_not_searched():
    said = "not searched: exact searches for up to 1024 requests\n"
    for count, arguments, total, wanted in ((1024, [], 18, False), (1025, [], 19, True), (1025, ["--capacity", "18"], 19, True),
                                            (1025, ["--capacity", "19"], 19, False), (1025, ["--strategy", "greedy"], 19, False)):
        instance = HARD + "".join(f"r{i},{i + 9},{i + 10},1\n" for i in range(count - 8))
        done = run(instance, *arguments, "--format", "json")
        check(json.loads(done.stdout)["search_skipped"] == wanted, f"{count} requests {arguments}", done)
        done = run(instance, *arguments)
        check(f"\n{count} requests, {total} bytes, lower bound 18 " in done.stdout and (said in done.stdout) == wanted,
              f"{count} requests {arguments}", done)


def statuses():
    check(run(CHAIN, "--capacity", "96").returncode == 0, "it fits", run(CHAIN))
    done = run(CHAIN, "--capacity", "95")
    check(done.returncode == 1 and "does not fit 95 bytes" in done.stdout, "it does not fit", done)
    for arguments in (["--capacity", "0"], ["--align", "3"], ["--strategy", "best"], ["--slab"], ["other.csv"], ["--what", "1"],
                      ["--minimise", "--capacity", "5"], ["--format", "xml"]):
        done = run(CHAIN, *arguments)
        check(done.returncode == 2 and done.stdout == "", str(arguments), done)
    done = subprocess.run([SINTER, "plan", "/nowhere.csv"], capture_output=True, text=True)
    check(done.returncode == 2, "no file", done)


def columns():
    check_plan(run("size,id,upper,lower\n5,x,4,2\n6,y,6,4\n", "--format", "json"), 6)
    check_plan(run("id,start,end,size\r\nx,2,4,5\r\n\r\ny,4,6,6\r\n", "--format", "json"), 11)
    found = check_plan(run("id,lower,upper,size,offset,alignment,hint,gaps\nx,0,9,5,100,,,\ny,0,9,5,,64,3,\n",
                           "--format", "json"), 105)
    check([r["offset"] for r in found["requests"]] == [100, 0], "a fixed request", run(CHAIN))
    done = run("id,lower,upper,size,gaps\nx,0,9,5,2-3\n")
    check(done.returncode == 0 and "1 requests have gaps" in done.stderr, "gaps", done)
    found = check_plan(run(HEAD + "x,0,9,60\ny,0,9,60\n", "--slab", "100", "--format", "json"), 160)
    check(found["slabs"] == 2 and found["slab_bytes"] == [{"slab": 0, "bytes": 60}, {"slab": 1, "bytes": 60}],
          "slabs", run(CHAIN))
    done = run(HEAD + "x,0,9,60\ny,0,9,30\nz,0,9,50\n", "--slab", "100")
    check("2 slabs of 100 bytes\nslab 0: 90 bytes\nslab 1: 50 bytes\n" in done.stdout, "bytes of slabs", done)
    found = json.loads(run("id,lower,upper,size,view_of,view_offset,in_place_of\nx,0,2,64,,,\nv,1,6,8,x,16,\n"
                           "y,5,7,64,,,x\nz,6,8,64,,,y\nw,7,9,64,,,x\n", "--format", "json").stdout)
    at = [r["offset"] for r in found["requests"]]
    check(found["total_bytes"] == 128 and at[1] == at[0] + 16 and at[3] == at[2] == at[0] and at[4] != at[3],
          "aliases", run(CHAIN))
    check_plan(run(HEAD, "--format", "json"), 0)
    found = check_plan(run("\ufeff" + CHAIN, "--format", "json"), 96)
    check(found["requests"][0]["id"] == "a", "a mark of UTF-8", run(CHAIN))
    check_plan(run(HEAD + "x,0,1,2\nx,0,1,2\n", "--repeat-ids", "--format", "json"), 4)


def lines_of_what_is_wrong():
    for text, line, said in (
            ("", 1, "no line with the names"), ("\ufeff", 1, "no line with the names"), ("\n\n", 2, "no line with the names"), ("a,b\n", 1, "no column is called 'a'"), ("id,lower,size\n", 1, "are wanted"),
            ("id,id,lower,upper,size\n", 1, "two columns"), (HEAD + "a,0,1,2\nb,1,2\n", 3, "number of fields"),
            (HEAD + "a,0,1,2,3\n", 2, "number of fields"), (HEAD + "a,-1,1,2\n", 2, "negative number"),
            (HEAD + "a,0,1,-2\n", 2, "negative number"), (HEAD + "\na,5,4,2\n", 3, "ends before it starts"),
            (HEAD + "a,0,1,2x\n", 2, "no whole number: '2x'"), (HEAD + "a,,1,2\n", 2, "no whole number"),
            (HEAD + "a,0,1,99999999999999999999\n", 2, "too large"), (HEAD + ",0,1,2\n", 2, "an id is missing"),
            (HEAD + "a,0,1,2\nb,0,1,2\na,3,4,5\n", 4, "an id that an earlier line has: 'a'"),
            (HEAD + "a,0,1,2\0\n", 2, "not a text"), (HEAD + "," * 40 + "\n", 2, "too many fields"),
            ("id,lower,upper,size,alignment\na,0,1,2,3\n", 2, "no power of two"),
            ("id,lower,upper,size,view_of\na,0,1,2,b\nb,0,1,2,a\n", 2, "no line above has the id 'b'"),
            ("id,lower,upper,size,in_place_of\na,0,1,2,\nb,0,1,2,c\n", 3, "no line above has the id 'c'"),
            ("id,lower,upper,size,view_of,in_place_of\na,0,1,2,,\nb,0,1,2,a,a\n", 3, "in place of another"),
            ("id,lower,upper,size,view_of,view_offset\na,0,1,2,,\nb,0,1,2,a,x\n", 3, "no whole number"),
            ("id,lower,upper,size,view_of,view_offset\na,0,1,2,,\nb,0,1,2,,1\n", 3, "a view_offset without a view_of"),
            ("id,lower,upper,size,view_offset,view_of,in_place_of\na,0,1,2,,,\nb,0,1,2,1,,a\n", 3, "a view_offset without"),
            ("id,lower,upper,size,view_offset\na,0,1,2,\n", 1, "view_offset without a column view_of")):
        done = run(text)
        check(done.returncode == 2 and f":{line}: " in done.stderr and said in done.stderr and done.stdout == "",
              repr(text), done)
    done = run(HEAD + "a,0,1,2\nb,0,1,101\n", "--slab", "100")
    check(done.returncode == 2 and ":3: 'b': request 1 of 101 bytes is larger than a slab of 100" in done.stderr, "a slab", done)


def lines_of_what_has_no_plan():
    fixed = "id,lower,upper,size,offset\n"
    view = "id,lower,upper,size,view_of,view_offset\na,1,2,10,,\n"
    for text, arguments, said in (
            (fixed + "a,0,2,10,0\n\nb,1,2,1,5\n", [], ":4: 'b' and 'a' of line 2: "),
            (fixed + "a,0,2,8,64\nb,1,2,8,8\n", ["--align", "16"], ":3: 'b': "),
            (fixed + "a,0,2,8,\nb,1,2,8,60\n", ["--slab", "64"], ":3: 'b': "),
            (fixed + "a,0,2,8,\nb,1,2,8,8\n", ["--strategy", "partition"], ":3: 'b': "),
            (view + "b,1,2,5,a,6\n", [], ":3: 'b' and 'a' of line 2: "),
            (view + "b,0,2,5,a,0\n", [], ":3: 'b' and 'a' of line 2: "),
            ("id,lower,upper,size,in_place_of\na,1,2,8,\nb,0,2,8,a\n", [], ":3: 'b' and 'a' of line 2: "),
            ("id,lower,upper,size,view_of,offset\na,1,2,8,,\nb,1,2,8,a,64\n", [], ":3: 'b' and 'a' of line 2: "),
            (HEAD + "".join(f"{i},0,1,{2**60}\n" for i in "abc"), [], ":3: 'b': "),
            (HEAD + "".join(f"{i},0,1,{2**63 - 1}\n" for i in "abc"), [], ":2: 'a': "),
            ("id,lower,upper,size,alignment\na,0,1,8,\nb,0,1,8,64\n", ["--slab", "32"], ":3: 'b': "),
            (HEAD + "a,0,1,8\n", ["--align", "64", "--slab", "32"], ":2: 'a': "),
            (HEAD + "a,0,1,8*S\nb,0,1,9*S\n", ["--bind", "S=4", "--slab", "32"], ":3: 'b': ")):
        done = run(text, *arguments)
        check(done.returncode == 2 and "in.csv" + said + "request" in done.stderr.replace("partitions", "request") and
              done.stdout == "", f"{text!r} {arguments}", done)


def the_picture_is_the_plan():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "map.svg")
        done = run(CHAIN.replace("c,", "<c&>,"), "--svg", path)
        check(done.returncode == 0, "svg", done)
        root = xml.etree.ElementTree.parse(path).getroot()
        name = "{http://www.w3.org/2000/svg}"
        titles = [t.text for t in root.iter(name + "title")]
        check(len(titles) == 5 and titles[2].startswith("<c&>: steps 2 to 4, 64 bytes at "), f"titles {titles}", done)
        boxes = [g.find(name + "rect").attrib for g in root.iter(name + "g")]
        check(abs(sum(float(b["width"]) * float(b["height"]) for b in boxes) - 2 * 128 * 1000 / 6 * 560 / 96) < 50, "areas", done)
        check(len(list(root.iter(name + "path"))) == 1, "the curve", done)
    done = run(CHAIN, "--svg", "/nowhere/map.svg")
    check(done.returncode == 1, "a picture that cannot be written", done)


if __name__ == "__main__":
    strategies_and_formats()
    what_is_not_searched()
    statuses()
    columns()
    lines_of_what_is_wrong()
    lines_of_what_has_no_plan()
    the_picture_is_the_plan()

"""`sinter plan` where sizes are expressions: the table, bindings, what is wrong with either.

    test_schema.py SINTER           on texts of its own
    test_schema.py SINTER ARENA     the 257 bindings of ARENA, the partitions of a language model and what they take;
                                    exits with 77 when there is no such file
"""
import json
import os
import re
import sys

from command import check, plan

SINTER = os.path.abspath(sys.argv[1])
HEAD = "id,lower,upper,size\n"
LAYER = HEAD + "qk,0,2,128*S*(P+S)\nmask,1,3,128*S*(P+S)\nsoftmax,2,4,128*S*(P+S)\nout,3,5,8192*S\n"


def run(text, *arguments):
    return plan(SINTER, text, *arguments)


def planned(text, *arguments):
    done = run(text, "--format", "json", *arguments)
    check(done.returncode == 0, str(arguments), done)
    return json.loads(done.stdout)


def bindings():
    for strategy, total in (("partition", 10496), ("greedy", 9344), ("exact", 9344)):
        found = planned(LAYER, "--bind", "S=1,P=8", "--strategy", strategy)
        check(found["total_bytes"] == total and found["bound_bytes"] == 9344, strategy, run(LAYER))
        check([r["size"] for r in found["requests"]] == [1152, 1152, 1152, 8192], "sizes", run(LAYER))
    hinted = planned(LAYER, "--bind", "S=1,P=8", "--hint", "S=64,P=0", "--strategy", "partition", "--align", "1024")
    check(hinted["strategy"] == "partition" and hinted["total_bytes"] == 8192 + 2048, "a hint and an alignment", run(LAYER))
    check({r["offset"] for r in hinted["requests"]} == {0, 2048}, "offsets", run(LAYER))
    for strategy in ("partition", "greedy", "exact"):
        found = planned(HEAD + "a,0,2,S\nb,0,2,S\n", "--bind", "S=5", "--align", "64", "--strategy", strategy)
        check(found["total_bytes"] == found["bound_bytes"] == 128 and found["optimal"], f"a rounded bound: {strategy}", run(LAYER))
    done = run(LAYER, "--bind", "S=1,P=8", "--capacity", "9343")
    check(done.returncode == 1 and "3 partitions take 10496 bytes" in done.stdout and "usage 0.890" in done.stdout, "text", done)
    done = run(LAYER, "--bind", "S=1,P=8", "--format", "csv")
    check(done.stdout.splitlines()[1].startswith("qk,0,2,1152,"), "csv", done)


def table():
    done = run(LAYER, "--table", "--hint", "S=1,P=8")
    rows = [line.split("|")[1:-1] for line in done.stdout.splitlines() if line.startswith("step:")]
    check(done.returncode == 0 and [[cell.strip() for cell in row] for row in rows] == [
        ["qk", "*", "*"], ["qk", "mask", "*"], ["*", "mask", "softmax"], ["out", "*", "softmax"], ["out", "*", "*"]],
        "rows", done)
    check(done.stdout.splitlines()[-1] == "memory_size: 256*P*S+256*S*S+max(128*P*S+128*S*S,8192*S)", "the sum", done)
    both = run(LAYER, "--table", "--hint", "S=1,P=8", "--bind", "S=2,P=8", "--strategy", "partition")
    check(both.stdout.startswith(done.stdout) and "3 partitions take 21504 bytes" in both.stdout, "with a binding", both)


def faults():
    for arguments, said in ((["--bind", "S=1"], "in.csv:2: column 8: under the hint: request 'qk' of line 2: the symbol P is not bound"),
                            (["--bind", "S=1,P=8,S=2"], "the symbol S is bound to 1 and to 2"),
                            (["--bind", "S=1,Q=6,P=8"], "in.csv: it has no symbol Q, which --bind gives a value"),
                            (["--bind", "S=1,P=8", "--hint", "S=1,P=8,R=2"], "it has no symbol R, which --hint gives"),
                            (["--bind", "S=1,P=8,Q=1", "--hint", "S=1,P=8"], "it has no symbol Q, which --bind gives"),
                            (["--table", "--hint", "S=1,P=8,R=2"], "it has no symbol R, which --hint gives"),
                            (["--bind", "S"], "is like S=16,P=0"), (["--bind", ""], "is like"), (["--bind", "=4"], "is like"),
                            (["--bind", "S=-1,P=0"], "is like"), (["--bind", "S=1e3"], "is like"),
                            (["--bind", "S=99999999999999999999"], "is like"), (["--hint", "S=1,P=1"], "--hint goes with"),
                            (["--bind", "S=1,P=1", "--table", "--format", "csv"], "--table goes with"),
                            *((["--table", "--hint", "S=1,P=8", *option], "--table without --bind places nothing") for option in (
                                ["--capacity", "1"], ["--slab", "64"], ["--svg", "map.svg"], ["--nodes", "9"],
                                ["--minimise"], ["--strategy", "exact"])),
                            (["--bind", "S=1,P=1", "--repeat-ids"], "--repeat-ids"),
                            (["--bind", "S=1,P=1", "--strategy", "partition", "--slab", "64"], "no --slab"),
                            (["--bind", "S=4000000000,P=4000000000"], "does not fit 64 bits"),
                            (["--bind", "S=4000000000,P=1", "--hint", "S=1,P=1"], "request 'qk' of line 2: 128*S*S does not fit")):
        done = run(LAYER, *arguments)
        check(done.returncode == 2 and said in done.stderr and done.stdout == "", str(arguments), done)
    done = run(HEAD + "a,0,1,8\nb,0,1,4*(S\n", "--bind", "S=1")
    check(done.returncode == 2 and "in.csv:3: column 11: ')' is wanted" in done.stderr, "a fault", done)
    done = run(HEAD + "a,0,2,S-S+8\n", "--bind", "S=1")
    check(done.returncode == 0 and "1 requests, 8 bytes" in done.stdout, "a symbol that cancels out is in the file", done)
    check(planned("\ufeff" + LAYER, "--bind", "S=1,P=8")["total_bytes"] == 9344, "a mark of UTF-8", run(LAYER))
    check(run(LAYER).returncode == 2, "expressions want a binding", run(LAYER))


def split_operands(text):
    """The operands of a max."""
    out, depth, start = [], 0, 4
    for i in range(4, len(text)):
        if depth == 0 and text[i] in ",)":
            out.append(text[start:i])
            start = i + 1
        depth += (text[i] == "(") - (text[i] == ")")
    return out


def in_brackets(text):
    """A factor before a sum whose last term has none is one of the whole sum: the file's printer drops brackets."""
    found = re.fullmatch(r"(\d+)\*(.+)\+(.+)", text)
    if found and not re.match(r"\d+\*", found.group(3)):
        return f"{found.group(1)}*({found.group(2)}+{found.group(3)})"
    return text


def arena(path):
    if not os.path.exists(path):
        print(f"skipped: there is no {path}")
        sys.exit(77)
    with open(path, encoding="utf-8") as f:
        data = json.load(f)
    text = HEAD
    for i, size in enumerate(data["size_by_partition"]):
        if size.startswith("max("):
            size = "max(" + ",".join(in_brackets(o) for o in split_operands(size)) + ")"
        else:
            size = in_brackets(size)
        text += f"p{i},0,1,{size}\n"
    count = 0
    for part, symbols in (("pp", "S={},P=0"), ("tg", "S=1,P={}")):
        for number, wanted in data[part].items():
            found = planned(text, "--bind", symbols.format(number), "--hint", "S=1024,P=0", "--strategy", "partition",
                            "--align", "16")
            check(found["total_bytes"] == wanted["arena_memory_size"], f"{symbols.format(number)}: {found['total_bytes']}",
                  run(text))
            count += 1
    check(count == 257, f"{count} bindings", run(text))
    print(f"{count} bindings")


if __name__ == "__main__":
    if len(sys.argv) > 2:
        arena(sys.argv[2])
    else:
        bindings()
        table()
        faults()

#!/usr/bin/env python3
"""The tables of docs/accuracy.md: rows that a test has printed are put there, and what is there is checked.

    PROGRAM | accuracy.py TABLE

TABLE is `f32`, `f32-samples` or `f64`; docs/accuracy.md says which program prints the rows of which. A row takes the
place of the one that its function had, so that a few functions may be measured again alone. check_docs.py compares
the tables with docs/ops.md, which is made from the op table.
"""
import os
import re
import sys

PAGE = "docs/accuracy.md"
TABLES = ["f32", "f32-samples", "f64"]


def read(path):
    with open(path, encoding="utf-8") as f:
        return f.read()


def bounds(table):
    """The functions of a table in the order of the op table, and their bounds."""
    found = {}
    row = r"^\| `(\w+)` \| elementwise \| ([^|]+) \| .* \| ([\d.]+) ulp(?:, f64 ([\d.]+))? \|$"
    for name, operands, f32, f64 in re.findall(row, read("docs/ops.md"), re.M):
        if table == "f64":
            found[name] = float(f64 or f32)
        elif (table == "f32") == (operands == "1"):
            found[name] = float(f32)
    return found


def rows(text):
    """Each row as its cells: function, dtype, bound, largest error met, where, inputs."""
    return re.findall(r"^\| `(\w+)` \| (\w+) \| (\S+) \| (\S+) \| (.+) \| (.+) \|$", text, re.M)


def written(some):
    return "".join("| `{}` | {} | {} | {} | {} | {} |\n".format(*row) for row in some)


def parted(table):
    """The page before the rows of a table, the rows, and the page after them."""
    return re.fullmatch(rf"(.*<!-- {table}: .*?-->\n.*?\n\| ---[^\n]*\n)(.*)(\n<!-- {table}: end -->.*)", read(PAGE),
                        re.S).groups()


def faults(tables):
    for table in tables:
        wanted = bounds(table)
        body = parted(table)[1]
        found = rows(body)
        if [row[0] for row in found] != list(wanted) or written(found) != body:
            yield f"{PAGE}: table {table} does not have the functions of docs/ops.md, each on a line, in that order"
        for name, dtype, bound, error, _, inputs in found:
            where = f"{PAGE}: `{name}` in table {table}"
            if float(bound) != wanted.get(name):
                yield f"{where} has the bound {bound}, in docs/ops.md {wanted.get(name)}"
            if not float(error) <= float(bound):
                yield f"{where} is off by {error}, its bound is {bound}"
            if dtype != table[:3] or (inputs == "all") != (table == "f32"):
                yield f"{where} was measured over {inputs} of {dtype}"


def main():
    table = sys.argv[1]
    os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
    before, body, after = parted(table)
    known = {row[0]: row for row in rows(body)}
    known.update({row[0]: row for row in rows(sys.stdin.read()) if row[1] == table[:3]})
    with open(PAGE, "w", encoding="utf-8") as f:
        f.write(before + written(known[name] for name in bounds(table) if name in known) + after)
    found = list(faults([table]))
    print("\n".join(found) if found else f"{PAGE}: table {table} is written")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())

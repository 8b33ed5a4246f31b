"""The table and the plot of a run of run.py, whose --json it reads from stdin (a saved file will do).

    report.py [--write] < FILE      prints the table; --write: into bench/README.md and docs/images/peers.svg
"""
import json
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
README = ROOT / "bench/README.md"
PLOT = ROOT / "docs/images/peers.svg"
BEGIN = "<!-- peers: begin, written by bench/peers/run.py --write -->"
END = "<!-- peers: end -->"
DRIVERS = {"pocl": "PoCL", "intel": "Intel", "rusticl": "rusticl", "": "GPU"}


def time_text(seconds):
    if seconds is None:
        return "-"
    ms = seconds * 1e3
    return f"{ms:.3f}" if ms < 1 else f"{ms:.2f}" if ms < 10 else f"{ms:.0f}"


def ratio_text(a, b):
    return f"{a / b:.2f}" if a and b else "-"


def table(done):
    drivers, peers = done["drivers"], [(tuple(key), name) for key, name in done["peers"]]
    head = ["workload"]
    for d in drivers:
        head += [f"sinter, {DRIVERS.get(d, d)}", "/ same", "/ loose"]
    head += [name for _, name in peers] + ["best peer / sinter"]
    lines = ["| " + " | ".join(head) + " |", "| --- |" + " ---: |" * (len(head) - 1)]
    for label, cells in done["results"].items():
        row = {(a, b): t for a, b, t in cells}
        line = [label]
        for d in drivers:
            own = row.get(("sinter", d))
            line += [time_text(own), ratio_text(own, row.get(("same", d))), ratio_text(own, row.get(("handwritten", d)))]
        times = [row.get(key) for key, _ in peers]
        best_own = min((row[("sinter", d)] for d in drivers if ("sinter", d) in row), default=None)
        line += [time_text(t) for t in times]
        line.append(ratio_text(min((t for t in times if t), default=None), best_own))
        lines.append("| " + " | ".join(line) + " |")
    return "\n".join(lines)


def plot(done, path):
    import matplotlib
    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "peers"
    from matplotlib import pyplot
    first = done["drivers"][0]
    labels = [x for x, cells in done["results"].items() if any(c[:2] == ["sinter", first] for c in cells)]
    columns = [(("sinter", d), f"sinter, {DRIVERS.get(d, d)}") for d in done["drivers"]]
    columns += [(tuple(key), name) for key, name in done["peers"]]
    figure, axes = pyplot.subplots(figsize=(9, 1.5 + 0.24 * len(labels)))
    for i, (key, name) in enumerate(columns):
        points = []
        for y, label in enumerate(labels):
            row = {(a, b): t for a, b, t in done["results"][label]}
            if key in row:
                points.append((row[key] / row[("sinter", first)], y))
        if points:
            axes.scatter(*zip(*points), label=name, s=28, marker="D" if key[0] == "sinter" else "o", color=f"C{i}",
                         zorder=3 if key[0] == "sinter" else 2)
    axes.set_xscale("log")
    axes.set_yticks(range(len(labels)), labels)
    axes.invert_yaxis()
    axes.grid(axis="y", linewidth=0.4)
    axes.axvline(1, color="black", linewidth=0.8)
    axes.set_xlabel(f"time against sinter's on {DRIVERS.get(first, first)}; left is faster")
    axes.legend(loc="upper center", bbox_to_anchor=(0.4, -0.04 - 1.2 / len(labels)), ncol=4, frameon=False, fontsize=8)
    figure.savefig(path, bbox_inches="tight", metadata={"Date": None})
    path.write_text("".join(line.rstrip() + "\n" for line in path.read_text().splitlines()))


def section(done):
    return f"""{BEGIN}
Milliseconds, medians of one run: {done["about"]}. `/ same` and `/ loose`: sinter's time over that of the fastest
kernel written by hand with the same and with a looser meaning. `best peer / sinter`: the fastest library over sinter's
best driver; above 1, sinter is ahead.

{table(done)}

![Time of each library against sinter's](../docs/images/peers.svg)
{END}"""


def main():
    done = json.load(sys.stdin)
    print(done["about"] + "\n\n" + table(done))
    if "--write" in sys.argv[1:]:
        text = README.read_text()
        if BEGIN not in text or END not in text:
            sys.exit(f"report: {README} has no marks")
        README.write_text(text[:text.index(BEGIN)] + section(done) + text[text.index(END) + len(END):])
        plot(done, PLOT)


if __name__ == "__main__":
    main()

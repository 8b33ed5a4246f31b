#!/usr/bin/env python3
"""Includes follow the arrows between the layers: executor -> {memory, fusion} -> core -> include.

    check_layers.py SOURCE_FOLDER

So do those within fusion/, by the table of fusion/README.md. Only executor/opencl/ calls OpenCL (bench compares itself
with it, tests replace it, an example shares with it); of the public headers, opencl.h alone may name its types.
"""
import os
import re
import sys

LAYERS = {
    "include": {"include"},
    "core": {"core", "include"},
    "memory": {"memory", "core", "include"},
    "fusion": {"fusion", "core", "include"},
    "executor": {"executor", "memory", "fusion", "core", "include", "cl_kernels", "profiles"},
    "cl_kernels": {"cl_kernels"},
    "profiles": {"profiles"},
    "bench": {"bench", "include"},
    "tools": {"tools", "include", "bench"},
    "examples": {"examples", "include"},
    "tests": {"tests", "include", "core", "memory", "fusion", "executor", "bench", "tools", "cl_kernels", "profiles"},
}
# The command puts bench's entry into its table, and nothing else.
ALLOWED = {"tools": {"bench/bench.h"}}
OPENCL = ("executor/opencl/", "bench/", "tests/", "examples/opencl.c", "include/sinter/opencl.h")


def sources(root):
    for layer in LAYERS:
        for at, folders, files in os.walk(os.path.join(root, layer)):
            folders[:] = [f for f in folders if not f.startswith(("build", "."))]
            for name in sorted(files):
                if name.endswith((".c", ".h", ".def", ".cl", ".cpp")):
                    yield layer, os.path.relpath(os.path.join(at, name), root)


def target_layer(root, path, name):
    """The layer of an included file, and its path; None when it is found nowhere."""
    places = [name, "include/" + name, os.path.join(os.path.dirname(path), name), "tools/" + name, "tests/" + name]
    for place in places:
        place = os.path.normpath(place)
        if os.path.isfile(os.path.join(root, place)):
            return place.split(os.sep)[0], place
    return None, name


def arrows_within(root, layer):
    """What each folder of a layer may include of the layer, by the last column of its README's table, and of itself."""
    with open(os.path.join(root, layer, "README.md"), encoding="utf-8") as f:
        rows = re.findall(r"^\| \[`(\w+)/`\]\(\1/README\.md\) \|.*\|([^|]*)\|$", f.read(), re.M)
    return {folder: {folder, *re.findall(r"\w+", allowed)} for folder, allowed in rows}


def folder_of(path):
    """The folder within its layer; the file, where it lies in the layer itself."""
    return path.split(os.sep)[1]


def faults(root):
    count = 0
    within = arrows_within(root, "fusion")
    for layer, path in sources(root):
        if layer == "fusion" and folder_of(path) not in within:
            yield f"{path}: fusion/README.md has no such folder"
            continue
        with open(os.path.join(root, path), encoding="utf-8") as f:
            text = f.read()
        count += 1
        for kind, name in re.findall(r'^\s*#\s*include\s*([<"])([^">]+)[">]', text, re.M):
            if name.startswith("CL/"):
                if not path.startswith(OPENCL):
                    yield f"{path}: only executor/opencl/ calls OpenCL, and this includes <{name}>"
                continue
            target, place = target_layer(root, path, name)
            if kind == "<" and target is None and not name.startswith("sinter/"):
                continue
            if target is None:
                yield f"{path}: {name} is found nowhere"
            elif target not in LAYERS[layer]:
                yield f"{path}: {layer} may not include {place}"
            elif layer == target == "fusion" and folder_of(place) not in within[folder_of(path)]:
                yield f"{path}: fusion/{folder_of(path)} may not include {place}"
            elif target != layer and layer in ALLOWED and target == "bench" and place not in ALLOWED[layer]:
                yield f"{path}: of {target}, {layer} may include {', '.join(sorted(ALLOWED[layer]))} only"
    if count < 100:
        yield f"{root}: only {count} sources were found"


found = list(faults(sys.argv[1]))
print("\n".join(found) if found else "every include follows the arrows")
sys.exit(1 if found else 0)

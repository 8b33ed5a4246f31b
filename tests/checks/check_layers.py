#!/usr/bin/env python3
"""Includes follow the arrows between the layers: executor -> {memory, fusion} -> core -> include.

    check_layers.py SOURCE_FOLDER

Only executor/opencl/ calls OpenCL (bench compares itself with it, tests replace it, an example shares with it); of the public headers, opencl.h alone
may name its types.
"""
import os
import re
import sys

LAYERS = {
    "include": {"include"},
    "core": {"core", "include"},
    "memory": {"memory", "core", "include"},
    "fusion": {"fusion", "core", "include"},  # between its folders: FUSION
    "executor": {"executor", "memory", "fusion", "core", "include", "cl_kernels", "profiles"},
    "cl_kernels": {"cl_kernels"},
    "profiles": {"profiles"},
    "bench": {"bench", "include"},
    "tools": {"tools", "include", "bench"},
    "examples": {"examples", "include"},
    "tests": {"tests", "include", "core", "memory", "fusion", "executor", "bench", "tools", "cl_kernels", "profiles"},
}
# The folders of fusion/, in the order of fusion/README.md: each may include itself and those named.
FUSION = {
    "queue": set(),
    "nest": set(),
    "device": set(),
    "plan": {"nest", "device"},
    "library": {"nest", "device"},
    "schedule": {"nest", "device", "library"},
    "cost": {"nest", "device", "library", "schedule"},
    "lower": {"nest", "device", "library", "schedule"},
    "text": {"nest", "device", "library", "schedule", "lower"},
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
        if os.path.exists(os.path.join(root, place)):
            return place.split(os.sep)[0], place
    return None, name


def within_fusion(path, place):
    """What is wrong with an include from one folder of fusion/ into another; None: nothing."""
    folder, other = path.split(os.sep)[1], place.split(os.sep)[1]
    if folder not in FUSION:
        return f"{path}: {folder} is no folder of fusion/ that this check knows"
    if other != folder and other not in FUSION[folder]:
        return f"{path}: fusion/{folder} may not include {place}"
    return None


def faults(root):
    count = 0
    for layer, path in sources(root):
        with open(os.path.join(root, path), encoding="utf-8") as f:
            text = f.read()
        count += 1
        for kind, name in re.findall(r'^\s*#\s*include\s*([<"])([^">]+)[">]', text, re.M):
            if name.startswith("CL/"):
                if not path.startswith(OPENCL):
                    yield f"{path}: only executor/opencl/ calls OpenCL, and this includes <{name}>"
                continue
            if kind == "<" and not name.startswith("sinter/"):
                continue
            target, place = target_layer(root, path, name)
            if target is None:
                yield f"{path}: {name} is found nowhere"
            elif target not in LAYERS[layer]:
                yield f"{path}: {layer} may not include {place}"
            elif layer == target == "fusion" and within_fusion(path, place):
                yield within_fusion(path, place)
            elif target != layer and layer in ALLOWED and target == "bench" and place not in ALLOWED[layer]:
                yield f"{path}: of {target}, {layer} may include {', '.join(sorted(ALLOWED[layer]))} only"
    if count < 100:
        yield f"{root}: only {count} sources were found"


found = list(faults(sys.argv[1]))
print("\n".join(found) if found else "every include follows the arrows")
sys.exit(1 if found else 0)

#!/usr/bin/env python3
"""The shared library exports what the public headers declare, and nothing else; it needs no C++ runtime and no OpenCL;
in a release by gcc it is small.

    check_symbols.py LIBRARY INCLUDE_FOLDER "COMPILER BUILD_TYPE"
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

if shutil.which("nm") is None or shutil.which("readelf") is None:
    print("skipped: nm and readelf are not installed (Debian: binutils)")
    sys.exit(77)

MOST_BYTES = 784_000  # stripped; docs/decisions/size.md

library, headers, build = sys.argv[1:]
symbols = subprocess.run(["nm", "-D", "--defined-only", library], check=True, capture_output=True, text=True).stdout
exported = {line.split()[-1].split("@")[0] for line in symbols.splitlines() if line.split()[1] not in "Aa"}

declared = set()
for name in os.listdir(headers):
    with open(os.path.join(headers, name), encoding="utf-8") as f:
        text = re.sub(r"/\*.*?\*/", "", f.read(), flags=re.S)
    declared |= set(re.findall(r"SINTER_API[^;(]*?\b(sinter_\w+)\s*\(", text))

faults = [f"{name} is exported, and no public header declares it" for name in sorted(exported - declared)]
faults += [f"{name} is declared, and not exported" for name in sorted(declared - exported)]
faults += [f"{name} does not begin with sinter_" for name in sorted(exported) if not name.startswith("sinter_")]
if len(declared) < 100:
    faults.append(f"{headers}: only {len(declared)} functions were found")
dynamic = subprocess.run(["readelf", "-d", library], check=True, capture_output=True, text=True).stdout
for needed in re.findall(r"\(NEEDED\).*\[(.*)\]", dynamic):
    if not re.match(r"lib(c|m|dl|pthread)\.so|ld-", needed):
        faults.append(f"the library needs {needed}")
with tempfile.TemporaryDirectory() as folder:
    stripped = os.path.join(folder, "stripped.so")
    subprocess.run(["strip", "-o", stripped, library], check=True)
    size = os.path.getsize(stripped)
if build == "GNU Release" and size > MOST_BYTES:
    faults.append(f"the stripped library has {size} bytes, more than {MOST_BYTES}")
print("\n".join(faults) if faults else f"{len(exported)} functions, all of them declared; {size} bytes stripped")
sys.exit(1 if faults else 0)

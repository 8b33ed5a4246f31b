"""Makes libraries with the names and functions of CUDA's that PyTorch is linked to, all of which only say that there
is no such device (100). PyTorch then loads without them and runs on the processor. Needs a C compiler and readelf.

    cuda_stand_ins.py      run by the Python whose PyTorch it is for; writes cuda_stand_ins/ beside bin/
"""
import importlib.util
import pathlib
import re
import subprocess
import sys
import tempfile

CUDA = re.compile(r"lib(cu|nccl|nvrtc|nvshmem_)[^ ]*\.so\.\d+")
FUNCTION = re.compile(r"(__cuda|cu|nccl|nvrtc|nvshmem)\w+$")


def readelf(option, library):
    return subprocess.run(["readelf", option, "-W", library], capture_output=True, text=True, check=True).stdout


def wanted_of(library):
    """Names of CUDA's libraries that this one loads, the version of each that it asks for, undefined functions."""
    names = {n for n in re.findall(r"\(NEEDED\).*\[(.*)\]", readelf("-d", library)) if CUDA.fullmatch(n)}
    versions = {}
    current = None
    for line in readelf("-V", library).splitlines():
        file = re.search(r"File: (\S+)", line)
        name = re.search(r"Name: (\S+)", line)
        if file:
            current = file.group(1)
        elif name and current in names:
            versions[current] = name.group(1)
    symbols = set()
    for line in readelf("--dyn-syms", library).splitlines():
        words = line.split()
        if len(words) > 7 and words[6] == "UND" and FUNCTION.match(words[7].split("@")[0]):
            symbols.add(words[7].split("@")[0])
    return names, versions, symbols


def main():
    folder = pathlib.Path(sys.prefix) / "cuda_stand_ins"
    torch = pathlib.Path(importlib.util.find_spec("torch").origin).parent / "lib"
    names, versions, symbols = set(), {}, set()
    for library in sorted(torch.glob("*.so")):
        more = wanted_of(library)
        names |= more[0]
        versions.update(more[1])
        symbols |= more[2]
    folder.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as place:
        source = pathlib.Path(place) / "none.c"
        source.write_text("".join(f"int {s}(void) {{ return 100; }}\n" for s in sorted(symbols)))
        for name in sorted(names):
            script = pathlib.Path(place) / "versions.map"
            script.write_text(f"{versions.get(name, name)} {{ global: *; }};\n")
            subprocess.run(["cc", "-w", "-shared", "-fPIC", f"-Wl,-soname,{name}", f"-Wl,--version-script={script}",
                            "-o", folder / name, source], check=True)
    print(f"{len(names)} empty libraries for CUDA's in {folder}")


if __name__ == "__main__":
    main()

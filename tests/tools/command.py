"""What the tests of commands share: how a check fails, arrays as files, and `sinter plan` on a text."""
import os
import struct
import subprocess
import sys
import tempfile


def check(condition, what, done):
    """`done` is the finished command that `condition` speaks of."""
    if not condition:
        sys.exit(f"{what}\nstatus {done.returncode}\n--- stdout\n{done.stdout}\n--- stderr\n{done.stderr}")


def write_npy(path, shape, numbers):
    """As f32, without NumPy, which is not everywhere."""
    header = str({"descr": "<f4", "fortran_order": False, "shape": shape}).encode()
    header += b" " * (64 - (len(header) + 11) % 64) + b"\n"
    with open(path, "wb") as f:
        f.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + struct.pack(f"<{len(numbers)}f", *numbers))


def plan(sinter, text, *arguments):
    """What `sinter plan` makes of a file with that text."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "in.csv")
        with open(path, "w", encoding="utf-8", newline="") as f:
            f.write(text)
        return subprocess.run([sinter, "plan", path, *arguments], capture_output=True, text=True, timeout=100, cwd=folder)

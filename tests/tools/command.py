"""What the tests of commands share: how a check fails, and arrays as files."""
import struct
import sys


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

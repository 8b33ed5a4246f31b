"""What a user can get wrong on the command line: the exit status is 1 or 2, the first line of standard error says what
is wrong, standard output has nothing. After a syntax error the place is shown in two lines more; after a wrong use of
the command one line says where help is.

  test_cli_input.py SINTER
"""

import os
import struct
import subprocess
import sys
import tempfile

sinter = sys.argv[1]
failures = 0


def npy(header, data=b"", version=1, length=None):
    text = header.encode("latin-1")
    size = len(text) if length is None else length
    if version == 1:
        return b"\x93NUMPY\x01\x00" + struct.pack("<H", size) + text + data
    return b"\x93NUMPY" + bytes([version, 0]) + struct.pack("<I", size) + text + data


def header(descr="'<f4'", fortran="False", shape="(2,)"):
    return "{'descr': %s, 'fortran_order': %s, 'shape': %s, }\n" % (descr, fortran, shape)


def refused(words, *arguments, environment=None):
    """The command fails and its one line has each of the words."""
    global failures
    run = subprocess.run([sinter, *arguments], capture_output=True, timeout=60, env={**os.environ, **(environment or {})})
    text = run.stderr.decode("utf-8", "replace")
    wrong = []
    if run.returncode not in (1, 2):
        wrong.append("exit status %d" % run.returncode)
    if run.stdout:
        wrong.append("something on standard output")
    first, _, rest = text.partition("\n")
    if not first.startswith("sinter"):
        wrong.append("it does not say who speaks")
    if rest and not (rest.startswith("  ") and rest.endswith("^\n") and rest.count("\n") == 2 or
                     rest.startswith("Try ") and rest.count("\n") == 1 or arguments[0] != "eval"):
        wrong.append("more than it should say")
    wrong += ["no '%s'" % word for word in words if word not in first]
    if wrong:
        failures += 1
        print("%s\n  %s\n  said: %s" % (" ".join(arguments), ", ".join(wrong), text))


def hostile_files(folder):
    good = struct.pack("<2f", 1.0, 2.0)
    cases = {
        "empty": (b"", ["empty.npy"]),
        "magic": (b"\x93NUMPX\x01\x00\x10\x00" + b" " * 16, []),
        "short_magic": (b"\x93NUM", []),
        "version": (npy(header(), good, version=9), ["9"]),
        "no_length": (b"\x93NUMPY\x01\x00\x10", []),
        "length_past_end": (npy(header(), good, length=60000), []),
        "length_4_gib": (npy(header(), good, version=2, length=0xFFFFFFFF), []),
        "length_zero": (npy("", good), []),
        "length_too_small": (npy(header(), good, length=20), []),
        "no_dictionary": (npy("hello\n", good), []),
        "not_ascii": (npy(header(descr="'<f\xe9'"), good), []),
        "nul_in_header": (npy("{'descr': '<f4\0', 'fortran_order': False, 'shape': (2,), }\n", good), []),
        "object": (npy(header(descr="'|O'"), good), ["dtype"]),
        "structured": (npy(header(descr="[('a', '<f4')]"), good), []),
        "complex": (npy(header(descr="'<c8'"), good), ["dtype"]),
        "text": (npy(header(descr="'<U4'"), good), ["dtype"]),
        "fortran_maybe": (npy(header(fortran="Maybe"), good), []),
        "no_shape": (npy("{'descr': '<f4', 'fortran_order': False, }\n", good), ["shape"]),
        "twice": (npy("{'descr': '<f4', 'descr': '<f8', 'fortran_order': False, 'shape': (2,), }\n", good), []),
        "negative": (npy(header(shape="(-2,)"), good), []),
        "float_extent": (npy(header(shape="(2.0,)"), good), []),
        "rank_9": (npy(header(shape="(1,1,1,1,1,1,1,1,2)"), good), ["8"]),
        "two_31": (npy(header(shape="(2147483648,)"), good), []),
        "two_62": (npy(header(shape="(4611686018427387904,)"), good), []),
        "two_64": (npy(header(shape="(18446744073709551616,)"), good), []),
        "product": (npy(header(shape="(4294967296, 4294967296, 4294967296)"), good), []),
        "many_digits": (npy(header(shape="(" + "9" * 400 + ",)"), good), []),
        "truncated": (npy(header(shape="(3,)"), good), ["12", "8"]),
        "no_data": (npy(header()), []),
    }
    for name, (content, words) in cases.items():
        path = os.path.join(folder, name + ".npy")
        with open(path, "wb") as file:
            file.write(content)
        refused([name + ".npy"] + words, "eval", "y = x", "x=" + path)


def program_cache(folder):
    """A file that no driver may see is found and taken away; what is not sinter's stays."""
    global failures
    place = os.path.join(folder, "kept")
    os.mkdir(place, 0o700)
    name = "program-" + 64 * "0"
    for other in (name, "tmp.1.2", "notes"):
        with open(os.path.join(place, other), "w", encoding="utf-8") as file:
            file.write("nothing")
    steps = [("list", 0, name[:24] + "  damaged"), ("verify", 1, "2 files, 14 bytes, 1 damaged"), ("clear", 0, ""),
             ("verify", 0, "0 files, 0 bytes, 0 damaged")]
    for what, status, words in steps:
        done = subprocess.run([sinter, "cache", what], env=dict(os.environ, SINTER_CACHE_DIR=place),
                              capture_output=True, text=True, timeout=60)
        if done.returncode != status or words not in done.stdout or done.stderr:
            print("cache %s: status %d, %r, %r" % (what, done.returncode, done.stdout, done.stderr))
            failures += 1
    failures += os.listdir(place) != ["notes"]
    os.chmod(place, 0o755)
    refused([place, "others"], "cache", environment={"SINTER_CACHE_DIR": place})
    refused(["'empty'"], "cache", "empty")
    refused(["'more'"], "cache", "list", "more")


def main():
    with tempfile.TemporaryDirectory() as folder:
        hostile_files(folder)
        program_cache(folder)
        good = os.path.join(folder, "good.npy")
        with open(good, "wb") as file:
            file.write(npy(header(), struct.pack("<2f", 1.0, 2.0)))
        three = os.path.join(folder, "three.npy")
        with open(three, "wb") as file:
            file.write(npy(header(shape="(3,)"), struct.pack("<3f", 1.0, 2.0, 3.0)))
        refused(["nothing.npy"], "eval", "y = x", "x=" + folder + "/nothing.npy")
        refused([folder], "eval", "y = x", "x=" + folder)
        refused(["[2]", "[3]"], "eval", "y = a + b", "a=" + good, "b=" + three)
        refused(["nowhere"], "eval", "y = x", "x=" + good, "-o", "y=" + folder + "/nowhere/y.npy")
        refused(["z"], "eval", "y = x", "x=" + good, "-o", "z=" + folder + "/z.npy")
        refused(["line 1, column 9"], "eval", "y = 1 + * 2")
        refused(["line 2, column 5"], "eval", "y = 1\nz = )")
        refused(["column", "gleu"], "eval", "y = gleu(1.0)")
        refused(["'q'", "q=FILE.npy"], "eval", "y = q + 1")
        refused(["column"], "eval", "y = " + "(" * 20000 + "1" + ")" * 20000)
        refused(["column"], "eval", "y = \"text\"")
        refused(["column"], "eval", "y = \xff\xfe")
        refused(["axis"], "eval", "y = sum(x, axis=5)", "x=" + good)
        refused(["column", "2^62"], "eval", "y = arange(9223372036854775807) + 1")
        refused(["program.snt"], "eval", "--file", folder + "/program.snt")
        refused([], "eval")
        refused(["nonesuch"], "eval", "y = 1", "--device", "nonesuch")
        refused(["nonesuch"], "eval", "y = 1", environment={"SINTER_DEVICE": "nonesuch"})
        refused(["SINTER_LANES"], "eval", "y = 1", environment={"SINTER_LANES": "three"})
        refused(["--nonesuch"], "eval", "y = 1", "--nonesuch")
        refused(["repeat"], "eval", "y = 1", "--repeat", "-3")
        refused(["memory-mode"], "eval", "y = 1", "--memory-mode", "cloud")
        refused(["0:0", "/nonexistent/cl.so"], "eval", "y = 1", "--device", "0:0",
                environment={"SINTER_OPENCL_LIB": "/nonexistent/cl.so"})
        refused(["nonesuch"], "nonesuch")
        # What follows the data is not looked at, as NumPy does not.
        with open(good, "ab") as file:
            file.write(b"xyz")
        subprocess.run([sinter, "eval", "y = x", "x=" + good], check=True, capture_output=True, timeout=60)
    print("%d failures" % failures)
    return 1 if failures else 0


sys.exit(main())

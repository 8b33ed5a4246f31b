"""`sinter selftest`: its verdict, its exit status, and what it leaves behind on a driver that is wrong.

  test_selftest.py SINTER [WRONG_DRIVER]    without a driver that is wrong, only what the host can show
"""
import os
import re
import shlex
import subprocess
import sys
import tempfile

from command import check

SINTER = os.path.abspath(sys.argv[1])
ENVIRONMENT = dict(os.environ, PATH=os.path.dirname(SINTER) + os.pathsep + os.environ.get("PATH", ""))


def run(line, **more):
    return subprocess.run(line, shell=True, capture_output=True, text=True, timeout=600,
                          env=dict(ENVIRONMENT, **more))


def test_verdict():
    done = run("sinter selftest --device host --count 40 --batch 8 --ways host,unfused,host-disturbed")
    check(done.returncode == 0, "a host without faults", done)
    check(re.fullmatch(r"OK: 40 programs in 3 ways on .*: the same bits every time\n", done.stdout),
          "the verdict", done)
    check(done.stderr == "", "no progress bar where there is no terminal", done)


def test_usage():
    for bad in ("--count 0", "--seed -1", "--seed x", "--batch 2000", "--steps 0", "--colour red", "more"):
        done = run(f"sinter selftest {bad}")
        check(done.returncode == 2 and "selftest" in done.stderr, bad, done)
    done = run("sinter selftest --device host --ways ''")
    check(done.returncode == 2 and "--ways" in done.stderr, "no way", done)
    done = run("sinter selftest --device host --ways host,backwards")
    check(done.returncode == 2 and "backwards" in done.stdout + done.stderr, "an unknown way", done)
    done = run("sinter selftest --device no-such-device")
    check(done.returncode == 1 and "no-such-device" in done.stdout + done.stderr, "an unknown device", done)


def commands(text):
    return [line.strip() for line in text.splitlines() if line.startswith("  ")]


def test_wrong_driver(driver):
    with tempfile.TemporaryDirectory() as folder:
        save = os.path.join(folder, "it's here")
        os.mkdir(save)
        done = run("sinter selftest --count 200 --ways cpu --steps 5 --elements 200 --device 0:0 "
                   f"--save {shlex.quote(save)}", SINTER_OPENCL_LIB=driver)
        check(done.returncode == 1, "a driver whose negation does nothing", done)
        check("DIFFERENCE: seed" in done.stdout and "FAILED:" in done.stdout, "what is said", done)
        steps = re.findall(r"^y\d+ = (\w+)", done.stdout, re.M)
        check(len(steps) <= 2 and "neg" in steps, f"the program is not small: {steps}", done)
        expected, wrong, again = commands(done.stdout)
        as_host, as_device = run(expected, SINTER_OPENCL_LIB=driver), run(wrong, SINTER_OPENCL_LIB=driver)
        check(as_host.returncode == 0, expected, as_host)
        check(as_device.returncode == 0, wrong, as_device)
        check(as_host.stdout != as_device.stdout, "the saved program shows no difference", as_device)
        fine = run(wrong)
        check(fine.returncode == 0 and fine.stdout == as_host.stdout, "the same on a driver that is right", fine)
        check(run(again, SINTER_OPENCL_LIB=driver).returncode == 1, again, done)
        check(run(again).returncode == 0, again, done)


test_verdict()
test_usage()
if len(sys.argv) > 2:
    test_wrong_driver(sys.argv[2])

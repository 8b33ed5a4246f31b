"""`sinter doctor` and `sinter tune`: exit statuses, JSON, the profile that they leave; what is fast, no test says.

  test_doctor.py SINTER [DEVICE]    a device with kernels; without it, the host reference device alone
"""
import json
import os
import pty
import re
import signal
import subprocess
import sys
import tempfile

from command import check, write_npy

SINTER = os.path.abspath(sys.argv[1])
DEVICE = sys.argv[2] if len(sys.argv) > 2 else "host"


def run(*arguments, folder, **more):
    environment = {k: v for k, v in os.environ.items() if k != "SINTER_PROFILE"}
    environment.update(SINTER_CACHE_DIR=folder, **more)
    return subprocess.run([SINTER, *arguments], capture_output=True, text=True, timeout=200, env=environment)


def each_once(pairs):
    """The members of an object, none of which is there twice."""
    assert len(dict(pairs)) == len(pairs), [name for name, _ in pairs]
    return dict(pairs)


def doctor_writes_what_contexts_take(folder):
    done = run("doctor", "--device", DEVICE, "--seconds", "3", "--json", folder=folder)
    check(done.returncode == 0, "doctor", done)
    found = json.loads(done.stdout, object_pairs_hook=each_once)
    profile = found["profile"]
    check(profile["live_max"] > 0 and profile["item_max"] > 0, "numbers, defaults too", done)
    check(found["devices"][-1]["kind"] == "host", "the devices", done)
    check(profile["exact_fma"] == 1 and profile["exact_divide"] == 1 and profile["void_clauses"] == 0,
          "a device that computes exactly", done)
    check(found["context_void_clauses"] == 0 and found["interrupted"] is False, "the clauses", done)
    if DEVICE == "host":  # a compiler may take longer than the time that is given
        check(profile["copy_near"] > 0 and profile["round_trip"] > 0, "the figures", done)
    check(found["written"].startswith(folder) and os.path.exists(found["written"]), "the file", done)
    again = run("doctor", "--device", DEVICE, "--seconds", "0", "--json", folder=folder)
    check(again.returncode == 0 and json.loads(again.stdout)["profile"] == profile, "what was kept", again)
    evaluated = run("eval", "--device", DEVICE, "--debug", "1", "y = full((3,), 2) + 1", folder=folder)
    check(evaluated.returncode == 0 and f"profile: {found['written']}" in evaluated.stderr, "a context", evaluated)
    return found["written"]


def a_damaged_file_is_replaced(folder, path):
    with open(path, encoding="utf-8") as f:
        text = f.read()
    for damaged in (text.replace("format = 1", "format = 2"), text.replace("style = ", "style "), "", "device\n"):
        with open(path, "w", encoding="utf-8") as f:
            f.write(damaged)
        evaluated = run("eval", "--device", DEVICE, "--debug", "0", "y = full((3,), 2) + 1", folder=folder)
        check(evaluated.returncode == 0 and "not used" in evaluated.stderr, "a context", evaluated)
        done = run("doctor", "--device", DEVICE, "--seconds", "0", "--json", folder=folder)
        check(done.returncode == 0 and "passed over" in done.stderr, "doctor", done)
        with open(path, encoding="utf-8") as f:
            check(f.read().count("format = 1 ") == 1, "a file that is whole again", done)
        with open(path + ".bad", encoding="utf-8") as f:
            check(f.read() == damaged, "what was there is lost", done)
    with open(path, "w", encoding="utf-8") as f:
        f.write("damaged")
    done = run("tune", "--device", DEVICE, "--seconds", "0.1", "y = full((3,), 2) + 1", folder=folder)
    check(done.returncode == 0 and "passed over" in done.stderr, "tune", done)
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)


def nothing_is_written_that_need_not_be(folder):
    empty = os.path.join(folder, "empty")
    done = run("doctor", "--device", DEVICE, "--seconds", "0", "--no-write", folder=empty)
    check(done.returncode == 0 and "style = " in done.stdout and not os.path.exists(empty), "--no-write", done)
    path = os.path.join(folder, "file")
    with open(path, "w", encoding="utf-8"):
        pass
    done = run("doctor", "--device", DEVICE, "--seconds", "0", folder=path)
    check(done.returncode == 1 and path in done.stderr and "style = " in done.stdout, "a folder that is none", done)
    done = run("doctor", "--device", DEVICE, "--seconds", "0", "--json", folder=path)
    found = json.loads(done.stdout)
    check(done.returncode == 1 and found["written"] is None and found["profile"]["live_max"] > 0, "what was measured", done)


def what_finds_faults_is_not_measured_with(folder):
    switches = {"SINTER_MEMORY_MODE": "red_zone", "SINTER_LANES": "1"}
    for command, more in (("doctor", ["--no-write"]), ("tune", ["y = full((3,), 2) + 1"])):
        done = run(command, "--device", DEVICE, "--seconds", "0.1", *more, folder=folder, **switches)
        check(done.returncode == 0 and all(f"{name} is not looked at" in done.stderr for name in switches), command, done)


def rule_of(device):
    """The file of profiles/ that is of a device, by the table."""
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../profiles/shipped.def"), encoding="utf-8") as f:
        table = re.findall(r'^SINTER_SHIPPED\("(.+)", "(.+)", SINTER_DEVICE_(\w+), "(.+)", "(.+)"\)', f.read(), re.M)
    for file, platform, kind, name, driver in table:
        if platform.lower() in device["platform"].lower() and kind.lower() == device["kind"] and \
                name.lower() in device["name"].lower() and device["driver_version"].startswith(driver):
            return f"shipped: {file}"
    return "defaults"


def what_is_shipped_holds_until_it_is_measured(folder, array):
    empty = os.path.join(folder, "shipped")
    devices = json.loads(run("devices", "--json", folder=empty).stdout)
    here = next(d for d in devices if d.get("selector") == DEVICE)
    check(here["profile"] == rule_of(here), f"{here} has not {rule_of(here)}", run("devices", folder=empty))
    done = run("devices", folder=empty)
    check(f"      profile {here['profile']}\n" in done.stdout, "devices", done)
    unknown = sum(d.get("last_cache_bytes") == 0 for d in devices)
    known = sum(d.get("last_cache_bytes", 0) > 0 for d in devices)
    check(done.stdout.count("last cache unknown\n") == unknown, "caches that are not known", done)
    check(len(re.findall(r"last cache [0-9.]+ (?:bytes|[KMGT]iB)\n", done.stdout)) == known, "caches that are known", done)
    program = ["eval", "--device", DEVICE, "--debug", "1", "y = tanh(x) / sum(x, axis=0); z = x @ y[:50, :]", f"x={array}"]
    bits = []
    for profile in (None, "none"):
        out = [os.path.join(folder, f"{name}.{profile}.npy") for name in "yz"]
        more = {} if profile is None else {"SINTER_PROFILE": profile}
        done = run(*program, "-o", f"y={out[0]}", "-o", f"z={out[1]}", folder=empty, **more)
        wanted = here["profile"] if profile is None else "defaults"
        check(done.returncode == 0 and f"profile: {wanted}\n" in done.stderr, "the profile of a context", done)
        bits.append([open(path, "rb").read() for path in out])
    check(bits[0] == bits[1], "the shipped profile changes a result", done)
    is_shipped = here["profile"] != "defaults"
    done = run("doctor", "--device", DEVICE, "--seconds", "0", folder=empty)
    check(done.returncode == 0 and ("\nshipped = 1 " in done.stdout) == is_shipped, "what is not measured", done)
    done = run("doctor", "--device", DEVICE, "--seconds", "0.5", folder=empty)
    check(done.returncode == 0 and "\nshipped = " not in done.stdout, "what is measured", done)


def wrong_arguments(folder):
    for bad in (["--seconds", "-1"], ["--seconds", "x"], ["--colour"], ["more"]):
        done = run("doctor", *bad, folder=folder)
        check(done.returncode == 2 and "doctor" in done.stderr, str(bad), done)
    for bad in ([], ["--seconds", "0", "y = a"], ["--colour"], ["y = a"], ["y = a", "b"], ["y = a", "a=1", "b=2"]):
        done = run("tune", *bad, folder=folder)
        check(done.returncode == 2 and "tune" in done.stderr, str(bad), done)
    for command, more in (("doctor", []), ("tune", ["y = full((3,), 1)"])):
        done = run(command, "--device", "no such device", *more, folder=folder)
        check(done.returncode == 1 and "no such device" in done.stderr, command, done)
    done = run("tune", "y = a +", "a=nothing.npy", folder=folder)
    check(done.returncode == 1 and "line 1, column 8" in done.stderr, "a program with an error", done)
    done = run("tune", "y = a", "a=nothing.npy", folder=folder)
    check(done.returncode == 1 and "nothing.npy" in done.stderr, "an array that is not there", done)
    check(run("doctor", "--help", folder=folder).returncode == 0, "doctor --help", done)
    check(run("tune", "--help", folder=folder).returncode == 0, "tune --help", done)


def tune_reports_what_it_did(folder):
    array = os.path.join(folder, "x.npy")
    write_npy(array, (64, 50), [0.25 * i for i in range(3200)])
    done = run("tune", "--device", DEVICE, "--seconds", "2", "--json", "y = x * 2 + 1; z = sum(y, axis=1)",
               f"x={array}", folder=folder)
    check(done.returncode == 0, "tune", done)
    found = json.loads(done.stdout)
    check(found["wrong"] == 0 and found["interrupted"] is False, "the bits", done)
    check(found["kernels"] == (0 if DEVICE == "host" else 1), "the kernels", done)
    check(found["tried"] == 0 or DEVICE != "host", "the schedules", done)
    check((found["tuned"] + found["regrouped"] > 0) == (found["written"] is not None), "what was written", done)
    check(found["regrouped"] <= 2, "live_max and arithmetic_per_byte", done)
    done = run("tune", "--device", DEVICE, "--seconds", "0.5", "chain-2/16Ki", folder=folder)
    check(done.returncode == 0 and "schedules tried" in done.stdout, "a workload", done)


def parts_and_lists(folder, whole):
    """A part has a profile of its own, and that of the whole until then; several devices are refused."""
    for many in ("host,host", f"{DEVICE},host", f"{DEVICE}/2"):
        for command, more in (("doctor", ["--seconds", "0"]), ("tune", ["y = full((3,), 1)"])):
            done = run(command, "--device", many, *more, folder=folder)
            check(done.returncode == 1 and "names several devices: give one" in done.stderr, f"{command} {many}", done)
    if DEVICE == "host":
        done = run("doctor", "--device", "host/2.1", folder=folder)
        check(done.returncode == 1 and "no part 1 of 2" in done.stderr, "a part of the host", done)
        return
    program = ["eval", "--debug", "1", "y = full((3,), 2) + 1", "--device"]
    done = run(*program, f"{DEVICE}/2.1", folder=folder)
    check(f"profile: {whole}" in done.stderr, "the whole's profile", done)
    done = run("doctor", "--device", f"{DEVICE}/2.1", "--seconds", "0.5", "--json", folder=folder)
    check(done.returncode == 0, "doctor of a part", done)
    written = json.loads(done.stdout)["written"]
    check(written != whole and os.path.exists(written), "the file of a part", done)
    for device, wanted in ((f"{DEVICE}/2.0", written), (DEVICE, whole)):
        done = run(*program, device, folder=folder)
        check(f"profile: {wanted}" in done.stderr, f"the profile of {device}", done)
    done = run("tune", "--device", f"{DEVICE}/2.0", "--seconds", "0.5", "chain-2/16Ki", folder=folder)
    check(done.returncode == 0 and "schedules tried" in done.stdout, "tune of a part", done)


def on_terminal(*arguments, folder, until=None):
    """The command with a terminal for its stderr; it is interrupted once that says `until`."""
    environment = {k: v for k, v in os.environ.items() if k != "SINTER_PROFILE"}
    environment.update(SINTER_CACHE_DIR=folder)
    terminal, its_end = pty.openpty()
    said = b""
    with tempfile.TemporaryFile("w+") as out:
        process = subprocess.Popen([SINTER, *arguments], stdout=out, stderr=its_end, env=environment)
        os.close(its_end)
        while True:
            try:
                part = os.read(terminal, 4096)
            except OSError:  # what Linux has for the end
                break
            if part == b"":
                break
            said += part
            if until is not None and until.encode() in said:
                process.send_signal(signal.SIGINT)
                until = None
        os.close(terminal)
        status = process.wait(100)
        out.seek(0)
        return subprocess.CompletedProcess(arguments, status, out.read(), said.decode())


BAR = re.compile(r"\r\[(#*)(\.*)\] +([0-9]+) % (\S[^\r]*)")


def a_bar_moves_on_a_terminal(folder):
    """Of 30 signs, as many of them full as it says; in the end it is wiped away. Elsewhere there is none."""
    for command, more in (("doctor", []), ("tune", ["chain-2/16Ki"])):
        arguments = [command, "--device", DEVICE, "--seconds", "0.5", "--json", *more]
        done = on_terminal(*arguments, folder=folder)
        bars = BAR.findall(done.stderr)
        check(done.returncode == 0 and bars, f"the bar of {command}", done)
        for full, empty, percent, what in bars:
            check(len(full + empty) == 30 and abs(len(full) - 0.3 * int(percent)) < 1.2 and len(what) == 30, f"{full}{empty} {percent} {what}", done)
        check(command == "tune" or (int(bars[0][2]) < 10 and bars[0][3].rstrip() == "exactness"), "where it begins", done)
        check(done.stderr.endswith("\r" + 72 * " " + "\r"), "the end of the bar", done)
        json.loads(done.stdout)  # nothing of it is there
        done = run(*arguments, folder=folder)
        check(done.returncode == 0 and "\r" not in done.stderr and "%" not in done.stderr, f"{command} without a terminal", done)


def is_whole(path, folder):
    """A context takes the file."""
    done = run("eval", "--device", DEVICE, "--debug", "1", "y = full((3,), 2) + 1", folder=folder)
    check(done.returncode == 0 and f"profile: {path}\n" in done.stderr, "the profile that was kept", done)
    with open(path, encoding="utf-8") as f:
        return f.read()


def an_interrupt_keeps_what_was_found(folder):
    """What was measured before is in the file, and what would have come after is not."""
    empty = os.path.join(folder, "interrupted")
    done = on_terminal("doctor", "--device", DEVICE, "--seconds", "100", "--json", folder=empty, until="% launch ")
    check(done.returncode == 130, "doctor", done)
    found = json.loads(done.stdout)
    text = is_whole(found["written"], empty)
    check(found["interrupted"] is True and found["written"].startswith(empty), "what it says", done)
    check("\nexact_fma = 1 " in text and "\nround_trip = " in text and "\ncost_" not in text, text, done)
    check(f"round_trip = {found['profile']['round_trip']} " in text, "the figure", done)
    again = run("doctor", "--device", DEVICE, "--seconds", "0", "--json", folder=empty)
    check(json.loads(again.stdout)["profile"] == found["profile"], "what was kept", again)

    empty = os.path.join(folder, "interrupted_tune")
    work = "chain-8/4Mi" if DEVICE == "host" else "chain-8/64Ki"  # as much as is not done before the interrupt comes
    done = on_terminal("tune", "--device", DEVICE, "--seconds", "100", "--json", work, folder=empty, until="% ")
    check(done.returncode == 130, "tune", done)
    found = json.loads(done.stdout)
    won = found["tuned"] + found["regrouped"]
    check(found["interrupted"] is True and (won > 0) == (found["written"] is not None), "what it says", done)
    check(won > 0 or not os.path.exists(empty) or os.listdir(empty) == [], "nothing was found, and nothing written", done)
    if won > 0:
        text = is_whole(found["written"], empty)
        check(text.count("\n[kernel 0x") == found["tuned"], text, done)


with tempfile.TemporaryDirectory() as scratch:
    kept = doctor_writes_what_contexts_take(scratch)
    a_damaged_file_is_replaced(scratch, kept)
    nothing_is_written_that_need_not_be(scratch)
    what_finds_faults_is_not_measured_with(scratch)
    wrong_arguments(scratch)
    tune_reports_what_it_did(scratch)
    parts_and_lists(scratch, kept)
    what_is_shipped_holds_until_it_is_measured(scratch, os.path.join(scratch, "x.npy"))
    a_bar_moves_on_a_terminal(scratch)
    an_interrupt_keeps_what_was_found(scratch)

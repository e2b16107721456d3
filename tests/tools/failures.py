#!/usr/bin/python3
"""Prints which tests of a Meson test log failed, the random seed of each, and the end of its
output.

    failures.py build/meson-logs/testlog.json [NAME...]
    failures.py --again build/meson-logs/testlog.json

Lines begin with "failed: "; nothing is printed if every test passed. Tests named on the command
line passed in a second run and are left out. With --again it prints only the names of tests for
which a second run is justified, one per line: those that failed in a way that a busy machine
can cause. A test that crashed, hung, leaked or gave other bytes is not among them.
"""
import json
import re
import sys

LINES = 30

# Failures that a busy machine never causes: crashes, hangs, findings of a sanitizer, leaks, other
# bytes
NEVER_BY_CHANCE = re.compile(
    r"Received signal|Early exit|Test timeout expired|thread that crashed|core dumped"
    r"|Segmentation fault|(Address|Leak|Thread|UndefinedBehavior)Sanitizer|runtime error:"
    r"|leaks|still alive|differ|digest|out of bounds", re.IGNORECASE)
# Tests that compare bytes, or provoke races: one failure in many runs is a finding.
NEVER_AGAIN = ("kernelcheck", "llvmpipe", "oclgrind", "faults", "stress", "soak", "tsan", "fuzz")


def failed_tests(path):
    with open(path, encoding="utf-8") as log:
        tests = [json.loads(line) for line in log]
    # Meson writes "project:suites / name" for tests with several suites.
    for test in tests:
        test["name"] = test["name"].split(" / ", 1)[-1]
    return [t for t in tests if t["result"] not in ("OK", "SKIP", "EXPECTEDFAIL")]


def log_of(test):
    return test.get("stdout", "") + test.get("stderr", "")


def may_pass_again(test):
    return (test["result"] == "FAIL" and 0 < test["returncode"] < 128
            and not test["name"].startswith(NEVER_AGAIN)
            and not NEVER_BY_CHANCE.search(log_of(test)))


if sys.argv[1] == "--again":
    for test in failed_tests(sys.argv[2]):
        if may_pass_again(test):
            print(test["name"])
else:
    for test in failed_tests(sys.argv[1]):
        if test["name"] in sys.argv[2:]:
            continue
        print(f"failed: {test['name']}: {test['result']} after {test['duration']:.0f} s")
        lines = log_of(test).splitlines()
        for line in [line for line in lines[:-LINES] if line.startswith("seed ")] + lines[-LINES:]:
            print(f"failed:   {line[:200]}")

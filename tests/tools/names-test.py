#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Tests that tools report names that they do not know in a list of names, and run nothing."""
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
LISTS = [
    "flow.py dense p f --sets", "flow.py tracks p f --sets", "flow.py acceptance p f --presets",
    "flow_scenes.py --out f --set", "following.py p f --only", "hidden.py f --detectors", "lens.py map --lenses",
    "motion.py f --scenes", "motion.py f --methods", "passing.py --scenes", "passing.py --masks", "passing.py --methods",
    "stabilize.py f --scene", "tags.py --kinds", "tags.py --methods", "recipes.py ../..",
]


def main():
    wrong, run = [], 0
    for line in LISTS:
        tool, *arguments = line.split()
        arguments.append("people,nosuch" if tool == "hidden.py" else "nosuch")
        done = subprocess.run([sys.executable, "-B", os.path.join(HERE, tool), *arguments], cwd=HERE, capture_output=True,
                              text=True)
        output = done.stdout + done.stderr
        # Skips tools whose imports are missing.
        if done.returncode == 77 or "ModuleNotFoundError" in output:
            print(f"{tool}: not run, {output.strip().splitlines()[-1]}")
            continue
        run += 1
        if done.returncode == 0 or "nosuch" not in output or "Traceback" in output:
            wrong.append(f"{line} {arguments[-1]}: {done.returncode}, {output.strip()}")
    print("\n".join(wrong) or f"{run} lists")
    return 1 if wrong else 0 if run else 77


sys.exit(main())

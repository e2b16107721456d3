#!/usr/bin/python3
# GStreamer computer vision on OpenCL
#
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Follows docs/new-element.md in a copy of the source.

    new-element.py SOURCE BUILD COPY

Writes the files that the page shows and changes the lines that it changes. Then runs the
commands of its section 6, word for word, and compares their output with what the page says.
BUILD: folder in which the source has been built. Its object files are copied, so that ninja
builds only what the page changes.
"""

import os
import re
import shutil
import subprocess
import sys

PAGE = "docs/new-element.md"
BLOCK = re.compile(r"(?:^\*\*(?P<file>[\w./-]+)\*\*\n\n)?^```(?P<kind>\w+)\n(?P<text>.*?)^```$",
                   re.M | re.S)


def fail(text):
    print("FAILED:", text)
    sys.exit(1)


def copy_source(source, copy):
    shutil.rmtree(copy, ignore_errors=True)
    if not shutil.which("git") or not os.path.exists(os.path.join(source, ".git")):
        # Copies everything except build folders at the top level.
        def ignore(folder, names):
            return [n for n in names if folder == source and n.startswith(("build", "out", "."))]
        shutil.copytree(source, copy, ignore=ignore)
        return
    names = subprocess.run(["git", "-C", source, "ls-files", "-z", "--cached", "--others",
                            "--exclude-standard"], stdout=subprocess.PIPE, check=True)
    for name in names.stdout.decode().split("\0"):
        path = os.path.join(source, name)
        if name and os.path.isfile(path):
            target = os.path.join(copy, name)
            os.makedirs(os.path.dirname(target), exist_ok=True)
            # Copies a file with its time, so that what is built from it is not built again.
            shutil.copy2(path, target)


def copy_build(build, copy):
    """Copies the files that ninja requires, and no files that tests write."""
    def ignore(folder, names):
        return [n for n in names if n.endswith(".registry") or
                os.path.realpath(os.path.join(folder, n)) == os.path.realpath(copy) or
                folder == build and n in ("cache", "docs", "meson-logs")]
    shutil.copytree(build, os.path.join(copy, "build"), symlinks=True, ignore=ignore)


def change(copy, text):
    """Inserts the lines that the page marks with + before the line of the file with which the
    page continues."""
    lines = text.splitlines()
    name, marker = lines[0][4:], lines[1][1:]
    added = [line[1:] + "\n" for line in lines if line.startswith("+") and line != lines[0]]
    path = os.path.join(copy, name)
    with open(path) as file:
        old = file.readlines()
    places = [i for i, line in enumerate(old) if line.startswith(marker)]
    if not places:
        fail(f"{name} has no line that begins with \"{marker}\"")
    with open(path, "w") as file:
        file.writelines(old[:places[0]] + added + old[places[0]:])
    return 0, len(added)


def write(copy, name, text):
    path = os.path.join(copy, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    if os.path.exists(path):
        fail(f"{name} is there already")
    with open(path, "w") as file:
        file.write(text)
    return 1, text.count("\n")


def follow_page(copy):
    files = n_lines = 0
    with open(os.path.join(copy, PAGE)) as file:
        page = file.read()
    for block in BLOCK.finditer(page):
        if block["file"]:
            new = write(copy, block["file"], block["text"])
        elif block["kind"] == "diff":
            new = change(copy, block["text"])
        else:
            fail(f"a block of {PAGE} names no file:\n{block['text']}")
        files, n_lines = files + new[0], n_lines + new[1]
    print(f"{files} new files, {n_lines} lines")


def run(command, folder):
    """Runs a command line in a shell. Returns its output."""
    print("$", command, flush=True)
    result = subprocess.run(["bash", "-c", command], cwd=folder, stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT, text=True, errors="replace")
    if result.returncode != 0:
        print(result.stdout[-4000:])
        fail(command)
    return result.stdout


def read(copy, name):
    with open(os.path.join(copy, name)) as file:
        return file.read()


def follow_commands(copy):
    section = re.search(r"^## 6\. .*?\n(.*?)^## ", read(copy, PAGE), re.M | re.S)[1]
    commands = re.findall(r"^    (.*)$", section, re.M)
    digest = re.search(r"^invert (\w+)$", read(copy, "tests/kernelcheck/digests"), re.M)[1]
    element = read(copy, "docs/elements/mgpuinvert.md")
    checks = {
        # The first run prints the digest, which the reader stores, and passes without it.
        "kernelcheck --quick": lambda text: f"digest {digest} (quick)" in text,
        "meson test": lambda text: re.search(r"^Ok: +[4-9]", text, re.M),
        "docs-tables": lambda _: read(copy, "docs/elements/mgpuinvert.md") == element,
        "gst-launch-1.0": lambda text: "Got EOS" in text,
    }
    for command in commands:
        text = run(command, copy)
        for name in [n for n in checks if n in command]:
            if not checks.pop(name)(text):
                print(text[-4000:])
                fail(f"{command}: this is not what {PAGE} says")
    if checks:
        fail(f"{PAGE} has no command with {', '.join(checks)}")


def main():
    source, build, copy = sys.argv[1:]
    # Removes Meson's variables, which name the folders of the source's build, while the copy's
    # devenv names its own folders.
    for name in ["LD_LIBRARY_PATH", "GST_PLUGIN_PATH_1_0", "GST_REGISTRY_1_0", "DISPLAY",
                 "WAYLAND_DISPLAY"]:
        os.environ.pop(name, None)
    os.environ["GST_REGISTRY_1_0"] = os.path.join(copy, "build/registry")
    copy_source(source, copy)
    follow_page(copy)
    copy_build(build, copy)
    run("meson setup --reconfigure build", copy)
    os.symlink(os.path.join(build, "cache"), os.path.join(copy, "build/cache"))
    follow_commands(copy)
    run("tests/levels.sh build && tests/style.sh", copy)
    shutil.rmtree(copy)


main()

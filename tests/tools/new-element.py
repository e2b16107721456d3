#!/usr/bin/python3
# GStreamer computer vision on OpenCL
#
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Does what docs/new-element.md tells, in a copy of the source.

    new-element.py SOURCE BUILD COPY

Writes the files that the page shows and changes the lines that it changes, builds the
copy, compares the new kernel and the new element with the reference, and plays the launch line of the new
page. BUILD: where the source has been built. Its objects are copied, so that the copy builds
what the page changes alone, with ninja's word for what that is.
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
        # Copies all but what was built, which is in folders at the top.
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
            # With its time: what is built from it is not built again.
            shutil.copy2(path, target)


def copy_build(build, copy):
    """Copies what ninja needs, and nothing that tests write."""
    def ignore(folder, names):
        return [n for n in names if n.endswith(".registry") or
                os.path.realpath(os.path.join(folder, n)) == os.path.realpath(copy) or
                folder == build and n in ("cache", "docs", "meson-logs")]
    shutil.copytree(build, os.path.join(copy, "build"), symlinks=True, ignore=ignore)


def change(copy, text):
    """Adds the lines with + before the line of the file that begins as the page says."""
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


def run(command, folder, **environment):
    print("$", " ".join(command), flush=True)
    result = subprocess.run(command, cwd=folder, env={**os.environ, **environment},
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if result.returncode != 0:
        print(result.stdout[-4000:])
        fail(" ".join(command))
    return result.stdout


def main():
    source, build, copy = sys.argv[1:]
    # meson names the folders of the libraries that were built, not of those of the copy.
    os.environ.pop("LD_LIBRARY_PATH", None)
    copy_source(source, copy)
    follow_page(copy)
    copy_build(build, copy)
    run(["meson", "setup", "--reconfigure", "build"], copy)
    os.symlink(os.path.join(build, "cache"), os.path.join(copy, "build/cache"))
    run(["ninja", "-C", "build", "gst/elements/libgstmgpu.so", "tests/kernelcheck/kernelcheck",
         "tests/check/check-mgpucases", "tests/tools/docs-tables"], copy)
    run(["tests/levels.sh"], copy)
    plugins = {"GST_PLUGIN_PATH_1_0": os.path.join(copy, "build/gst/elements"),
               "GST_REGISTRY_1_0": os.path.join(copy, "build/registry")}
    for device_class in ["cpu", "discrete", "mobile"]:
        print(run(["build/tests/kernelcheck/kernelcheck", "--device", "portable", "--quick",
                   "--class", device_class, "--function", "invert", "--digests",
                   "tests/kernelcheck/digests"], copy).splitlines()[-1])
    print(run(["build/tests/check/check-mgpucases", "invert"], copy, CK_DEFAULT_TIMEOUT="120",
              **plugins).splitlines()[-1])
    run(["build/tests/tools/docs-tables", "docs/elements"], copy, **plugins)
    with open(os.path.join(copy, "docs/elements/mgpuinvert.md")) as file:
        line = re.search(r"gst-launch-1.0 (.*)", file.read())[1]
    run(["gst-launch-1.0"] + line.replace("autovideosink", "fakesink").split(), copy, **plugins)
    shutil.rmtree(copy)


main()

#!/usr/bin/python3
"""Makes the plots and the table of docs/performance.md from docs/results.

performance.py ROOT                          compares the page and the plots with the results
performance.py --write ROOT                  writes the page and the plots
performance.py --record ROOT DEVICE COMMAND  runs kernelcheck or bench-pipelines, and stores the
                                             figures in docs/results/DEVICE.tsv

A row of a table contains a figure of this project, and a peer's (another library's) if there is
one, with the unit of both, the date and the commit. A case that is measured again replaces its
old row.
"""
import csv
import datetime
import json
import math
import pathlib
import re
import subprocess
import sys
import tempfile

BEGIN = "<!-- Written by tests/tools/performance.py from docs/results. -->\n"
END = "<!-- End of results -->\n"
FIELDS = ["element", "case", "size", "format", "ours", "peer", "theirs", "unit", "version"]
DEVICES = {
    "nvidia-h200": "NVIDIA H200",
    "xeon-avx512": "Intel Xeon (Emerald Rapids), 2 cores, PoCL 3.1",
    "epyc-avx2": "AMD EPYC (Zen 3), 2 cores, PoCL 3.1",
    "xeon-skylake": "Intel Xeon (Skylake), 2 cores, PoCL 3.1",
    "pocl": "2 cores of a processor that was not recorded, PoCL 3.1",
}
# The table of expected speeds: the devices, and the cases of frames of 1920x1080
EXPECTED_OF = {"nvidia-h200": "NVIDIA H200", "xeon-avx512": "Emerald Rapids, 2 cores", "epyc-avx2": "Zen 3, 2 cores",
               "xeon-skylake": "Skylake, 2 cores"}
EXPECTED = [
    ("mgpubilateral", "radius 4", "NV12"), ("mgpublur", "gaussian", "NV12"), ("mgpuconvert", "to BGR 720p", "NV12"),
    ("mgpudenoise", "stream", "NV12"), ("mgpuflow", "medium", "GRAY8"), ("mgpuhisteq", "channels=luma", "NV12"),
    ("mgpuhisteq", "clahe", "NV12"), ("mgpuhog", "people", "BGR"), ("mgpuintegral", "box filter, radius 2", "GRAY8"),
    ("mgpulocalcontrast", "10 levels", "NV12"), ("mgpumotion", "moving", "NV12"), ("mgpupyramid", "4 levels", "GRAY8"),
    ("mgpuremap", "bilinear", "NV12"), ("mgpusharpen", "unsharp, sigma 1.5", "NV12"),
    ("mgpusift", "detect and describe", "GRAY8"), ("mgputags", "full", "GRAY8"),
]
EXPECTED_NOTE = """## What to expect

Frames of 1920x1080 per second of one element alone: its kernels, without decoding, display and copies. Several elements in a row add up their times. A frame of 1280x720 takes about half the time. An empty cell was not measured.
"""
# kernelcheck's functions that do not have the name of their element
ELEMENTS = {"colour": "colour", "dpm": "mgpuhog", "fhog": "mgpuhog", "geometry": "geometry", "moving": "mgpumotion",
            "people": "mgpuhog", "tracks": "mgpuflow"}
# Contestants that are this project's, and those that do less than this project's or serve to
# explain it
OURS = {"exact", "grid", "a tenth"}
NOT_INSTEAD = {"NPP, one", "pyrUp", "naive", "table", "local", "image"}
WHAT = re.compile(r"(?P<case>.*?),? ?\b(?P<format>GRAY8|GRAY16_LE|BGR[Ax]?|RGBx?|NV12|I420|YUY2) (?P<size>\d+x\d+)(?P<more>.*)")

# --- Figures ---


def to_figure(value):
    """Returns a number with at most five digits."""
    return f"{float(value):.5g}"


def make_row(function, what, name, version):
    """Returns a row without figures. what: case, format and size in one text; name: which of
    this project's methods"""
    found = WHAT.fullmatch(what)
    case = found["case"] + found["more"] if found else what
    case = case.removeprefix(function).strip() or function
    if function in ("fhog", "tracks"):
        case = {"fhog": "features, ", "tracks": "tracks "}[function] + case
    return {"element": ELEMENTS.get(function, "mgpu" + function), "case": case + (name and ": " + name),
            "size": found["size"] if found else "", "format": found["format"] if found else "",
            "peer": "", "theirs": "", "version": version}


def read_bench(result, bench, version):
    """Yields rows of a benchmark of kernelcheck. On a graphics card, device times count if they
    were measured; otherwise the times that kernelcheck was told to measure, processor times or
    wall-clock times."""
    ours, *others = bench["contestants"]
    is_card = result.get("class") == "discrete" and "device-ms" in ours
    kind, unit = (("device-ms", "ms of the device") if is_card else
                  ("processor-ms", "ms of processors") if "processor-ms" in ours else ("wall-ms", "ms"))

    def make(contestant):
        name = "" if contestant["name"] == "ours" else contestant["name"]
        return {**make_row(result["function"], bench["what"], name, version),
                "ours": to_figure(contestant[kind]), "unit": unit}

    peers = [c for c in others if c["name"] not in OURS and kind in c]
    rows = [{**make(ours), "peer": c["name"].replace("cv2 ", "OpenCV "), "theirs": to_figure(c[kind])}
            for c in peers] or [make(ours)]
    return rows + [make(c) for c in others if c["name"] in OURS and kind in c]


def read_pipelines(ways, version):
    """Yields rows of a pipeline. The first variant is this project's, and so are the other
    variants with its name."""
    measured = [w for w in ways if "frames-per-second" in w]
    first = measured[0]
    rows = []
    for way in measured:
        is_ours = way["way"].startswith(first["way"]) or way["way"].endswith(("streams", "processes"))
        row = {**make_row("pipeline", way["row"], (way if is_ours else first)["way"], version),
               "element": "pipeline", "ours": to_figure((way if is_ours else first)["frames-per-second"]),
               "unit": "frames/s"}
        if not is_ours:
            row |= {"peer": way["way"], "theirs": to_figure(way["frames-per-second"])}
        rows.append(row)
        if is_ours:
            rows += [{**row, "ours": to_figure(way[key]), "unit": unit} for key, unit in
                     (("latency-50-ms", "ms of latency"), ("cpu-ms", "ms of processors"), ("resident-mib", "MiB resident"))
                     if key in way]
    return rows


def read_json(data, version):
    """Returns the rows in the output of kernelcheck or bench-pipelines."""
    results = data if isinstance(data, list) else data["results"]
    rows = [row for r in results for bench in r.get("benches", []) for row in read_bench(r, bench, version)]
    for name in dict.fromkeys(r["row"] for r in results if "row" in r):
        rows += read_pipelines([r for r in results if r.get("row") == name], version)
    return rows


def read_table(path):
    with open(path, newline="") as f:
        return list(csv.DictReader(f, delimiter="\t", quoting=csv.QUOTE_NONE))


def write_table(path, rows):
    rows = sorted(rows, key=lambda row: (row["element"], row["case"], row["format"]))
    path.write_text("".join("\t".join(cells) + "\n" for cells in [FIELDS, *([r[f] for f in FIELDS] for r in rows)]))


def is_instead(row):
    """Returns whether the peer is an alternative for a user."""
    return row["theirs"] and row["peer"] not in NOT_INSTEAD and row["unit"] != "ms of processors"


def to_ratio(row):
    """Returns how many times as fast this project is as the peer."""
    ours, theirs = float(row["ours"]), float(row["theirs"])
    return ours / theirs if row["unit"] == "frames/s" else theirs / ours


# --- The plot of a device ---

FASTER, SLOWER = "#3566a8", "#d08a2e"
LABELS, BARS, STEP = 390, 320, 17


def to_text(x, y, words, more=""):
    words = words.replace("&", "&amp;").replace("<", "&lt;")
    return f'<text x="{x:.1f}" y="{y:.1f}"{more}>{words}</text>'


def make_plot(device, rows):
    """Draws horizontal bars of ratios, which begin at 1, on a logarithmic axis."""
    ratios = [to_ratio(row) for row in rows]
    low, high = min(0.8, *ratios), max(ratios)

    def place(ratio):
        return LABELS + BARS * math.log(ratio / low) / math.log(high / low)

    def shorten(figure):
        return f"{float(figure):.3g}" if float(figure) < 1000 else f"{float(figure):.0f}"

    shapes, y, last = [to_text(8, 22, f"{DEVICES[device]}: how many times as fast as others (logarithmic)", ' font-size="16"')], 40, ""
    for row, ratio in zip(rows, ratios):
        size = row["size"].replace("1920x1080", "")
        label = " ".join(t for t in (row["element"], row["case"], row["format"], size) if t)
        if label != last:
            y, last = y + 6, label
            shapes.append(to_text(LABELS - 8, y + 11, label, ' text-anchor="end"'))
        begin, end = sorted((place(1), place(ratio)))
        shapes.append(f'<rect x="{begin:.1f}" y="{y}" width="{max(end - begin, 1):.1f}" height="{STEP - 3}" '
                      f'fill="{FASTER if ratio >= 1 else SLOWER}"/>')
        unit = row["unit"].split()[0]
        words = f"{shorten(row['ours'])} {unit}, {row['peer']} {shorten(row['theirs'])}"
        shapes.append(to_text(end + 4, y + 11, f"{ratio:.2f}", ' font-size="11" font-weight="bold"'))
        shapes.append(to_text(end + 46, y + 11, words, ' font-size="11"'))
        y += STEP
    height, width = y + 10, LABELS + BARS + 300
    return "\n".join([f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
                      f'viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12">',
                      f'<rect width="{width}" height="{height}" fill="#ffffff"/>', *shapes, "</svg>\n"])


def choose(rows):
    """Yields what a plot shows: frames of 1920x1080, and cases that were not measured at that
    size."""
    large = {(r["element"], r["case"]) for r in rows if r["size"] == "1920x1080"}
    return [r for r in rows if r["size"] == "1920x1080" or (r["element"], r["case"]) not in large]


# --- The table of expected speeds ---


def make_expected(tables):
    """Returns a table of frames per second, rounded to two digits, of the cases EXPECTED."""
    lines = [["element", "case", *EXPECTED_OF.values()], ["---"] * (2 + len(EXPECTED_OF))]
    for element, case, pixels in EXPECTED:
        line = [f"[{element}](elements/{element}.md)", f"{case} {pixels}"]
        for device in EXPECTED_OF:
            times = [float(r["ours"]) for r in tables[device] if r["unit"] in ("ms", "ms of the device")
                     and (r["element"], r["case"], r["format"], r["size"]) == (element, case, pixels, "1920x1080")]
            line.append(f"{float(f'{1000 / max(times):.2g}'):.0f}" if times else "")
        if not any(line[2:]):
            sys.exit(f"no device has a time of {element}, {case} {pixels}")
        lines.append(line)
    return "".join(f"| {' | '.join(cells)} |\n" for cells in lines)


# --- The commands ---


def make_files(root):
    """Returns the expected content of the page and of the plots, by path."""
    results = root / "docs" / "results"
    for path in results.iterdir():
        if path.suffix != ".tsv" or path.stem not in DEVICES:
            sys.exit(f"{path}: this script names no such device")
    every = {device: read_table(results / f"{device}.tsv") for device in DEVICES}
    tables = {device: [r for r in rows if is_instead(r)] for device, rows in every.items()}
    page = root / "docs" / "performance.md"
    begin, _, rest = page.read_text().partition(BEGIN)
    _, mark, end = rest.partition(END)
    if not mark:
        sys.exit(f"{page} has no place for results between\n{BEGIN}and\n{END}")
    slower = [["element", "case", "device", "ours", "instead", "ratio"], ["---"] * 6]
    files, text = {}, f"{EXPECTED_NOTE}\n{make_expected(every)}\n## Compared with others\n\n"
    for device, rows in tables.items():
        name = DEVICES[device]
        files[root / "docs" / "images" / "performance" / f"{device}.svg"] = make_plot(device, choose(rows))
        text += f"![{name}: speed compared with alternatives](images/performance/{device}.svg)\n\n" \
                f"[All figures of this device](results/{device}.tsv)\n\n"
        slower += [[r["element"], " ".join(r[f] for f in ("case", "format", "size") if r[f]), name,
                    f"{r['ours']} {r['unit']}", f"{r['peer']} {r['theirs']}", f"{to_ratio(r):.2f}"]
                   for r in rows if to_ratio(r) < 1]
    text += "## Where ours is slower\n\n" + "".join(f"| {' | '.join(cells)} |\n" for cells in slower)
    return {page: begin + BEGIN + text + END + end, **files}


def compare(root):
    wrong = [path for path, text in make_files(root).items()
             if not path.exists() or path.read_text() != text]
    for path in wrong:
        print(f"{path} is not what tests/tools/performance.py --write makes of docs/results")
    return len(wrong) > 0


def record(root, device, command):
    commit = subprocess.run(["git", "-C", root, "describe", "--always", "--dirty"],
                            capture_output=True, text=True, check=True).stdout.strip()
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "results.json")
        subprocess.run([*command, "--json", path], check=True)
        new = read_json(json.loads(path.read_text()), f"{datetime.date.today().isoformat()} {commit}")
    path = root / "docs" / "results" / f"{device}.tsv"
    same = ("element", "case", "size", "format", "unit")
    measured = {tuple(row[f] for f in same) for row in new}
    old = read_table(path) if path.exists() else []
    write_table(path, [row for row in old if tuple(row[f] for f in same) not in measured] + new)
    return 0


def main():
    match sys.argv[1:]:
        case ["--write", root]:
            for path, text in make_files(pathlib.Path(root)).items():
                path.write_text(text)
            return 0
        case ["--record", root, device, *command] if command:
            return record(pathlib.Path(root), device, command)
        case [root] if not root.startswith("-"):
            return compare(pathlib.Path(root))
    print(__doc__)
    return 2


if __name__ == "__main__":
    sys.exit(main())

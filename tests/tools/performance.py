#!/usr/bin/python3
"""Makes the tables and plots of docs/performance.md from docs/results.

performance.py ROOT                        compares the page and the plots with the results
performance.py --write ROOT                writes them
performance.py --record ROOT NAME COMMAND  runs kernelcheck or bench-pipelines and keeps what
                                           it measures as docs/results/NAME.json

A file of results is what `kernelcheck --json` or `bench-pipelines --json` writes. An object
may have the members "date", "commit", "command" and "note" as well, and "device" and "class"
where the results do not name them.
"""
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

# --- Reading ---


def to_figure(text):
    """A number as the file has it, with five digits at most."""
    return text if len(text.strip("0.").replace(".", "")) <= 5 else f"{float(text):.5g}"


def device_name(name):
    """PoCL says the name of the processor behind that of LLVM's target."""
    if not name.startswith("pthread-"):
        return name
    name = re.sub(r"\(\w+\)|\bProcessor\b|\bCPU\b|@.*", "", name[name.rfind("-") + 1:])
    return "PoCL, " + " ".join(name.split())


class Row:
    """One figure of ours, and one of a peer where there is one."""

    def __init__(self, run, result, algorithm, what):
        self.run = run
        self.algorithm = algorithm
        self.what = what
        self.device = device_name(result.get("device", run.data.get("device", "")))
        self.is_card = result.get("class", run.data.get("class")) == "discrete"
        self.ours = self.peer = self.peer_name = self.ratio = ""
        self.unit = "ms"
        self.our_name = ""

    def text(self, name, value):
        return " ".join(t for t in (name, value and f"{value} {self.unit}") if t)


class Run:
    """A file of results."""

    def __init__(self, path):
        data = json.loads(path.read_text(), parse_float=str, parse_int=str)
        self.name = path.stem
        self.data = data if isinstance(data, dict) else {"results": data}
        self.rows = []
        for result in self.data["results"]:
            for bench in result.get("benches", []):
                self.add_bench(result, bench)
        for name in dict.fromkeys(r["row"] for r in self.data["results"] if "row" in r):
            self.add_pipelines([r for r in self.data["results"] if r["row"] == name])

    def add_bench(self, result, bench):
        """Times of the device count on a card that measured them, else those that kernelcheck
        was to measure: of all processors together, or of the clock."""
        contestants = bench["contestants"]
        ours = next((c for c in contestants if c["name"] == "ours"), contestants[0])
        is_card = result.get("class") == "discrete" and "device-ms" in ours
        kind = "device" if is_card else "processor" if "processor-ms" in ours else "wall"
        peers = [c for c in contestants if c is not ours] or [{}]
        for peer in peers:
            row = Row(self, result, result["function"], bench["what"])
            row.our_name = "" if ours["name"] == "ours" else ours["name"]
            row.ours = to_figure(ours[kind + "-ms"])
            row.unit = "ms, wall" if row.is_card and not is_card else "ms"
            if kind == "processor":
                row.unit = "ms of processors"
            row.peer_name = peer.get("name", "")
            row.peer = to_figure(peer.get(kind + "-ms", ""))
            row.ratio = to_ratio(peer.get(kind + "-ratio", ""))
            self.rows.append(row)

    def add_pipelines(self, ways):
        """The first way is ours; of the others those are that have its name."""
        measured = [w for w in ways if "frames-per-second" in w]
        name = measured[0]["way"]
        for way in measured:
            row = Row(self, way, "pipelines", way["row"])
            row.unit = "frames/s"
            if way["way"].startswith(name) or way["way"].endswith(("streams", "processes")):
                row.our_name = way["way"]
                row.ours = to_figure(way["frames-per-second"])
            else:
                row.our_name = name
                row.ours = to_figure(measured[0]["frames-per-second"])
                row.peer_name = way["way"]
                row.peer = to_figure(way["frames-per-second"])
                row.ratio = to_ratio(str(float(row.ours) / float(row.peer)))
            self.rows.append(row)


def to_ratio(text):
    return text if len(text) <= 5 else f"{float(text):.2f}"


def read_runs(root):
    paths = sorted((root / "docs" / "results").glob("*.json"))
    runs = [Run(path) for path in paths]
    return sorted(runs, key=lambda run: (run.rows[0].algorithm, run.name))


# --- The tables ---

# What kernelcheck's functions are called elsewhere.
NAMES = {
    "bilateral": "bilateral filter", "convert": "conversion", "dpm": "part models",
    "fhog": "features of part models", "histeq": "histogram equalization",
    "inpaint": "inpainting", "integral": "integral image", "match": "matching",
    "sharpen": "Gaussian, unsharp mask", "sift": "SIFT",
}


def to_cell(text):
    return text.replace("|", "\\|")


def make_table(header, rows):
    lines = [header, ["---"] * len(header)]
    lines += [[to_cell(cell) for cell in row] for row in rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def to_row(row):
    return [NAMES.get(row.algorithm, row.algorithm), row.what, row.device, row.text(row.our_name, row.ours),
            row.text(row.peer_name, row.peer), row.ratio, row.run.data.get("date", ""),
            row.run.data.get("commit", ""), f"[{row.run.name}](results/{row.run.name}.json)"]


def to_run(run):
    command = run.data.get("command", "")
    return [run.name, f"`{command}`" if command else "", run.data.get("note", "")]


def make_page(runs):
    figures = make_table(
        ["algorithm", "what, size", "device", "ours", "peer", "ratio", "date", "commit", "run"],
        [to_row(row) for run in runs for row in run.rows])
    commands = make_table(["run", "command", "note"], [to_run(run) for run in runs])
    return f"## Figures\n\n{figures}\n## Runs\n\n{commands}"


# --- The plots ---

OURS, PEER = "#3566a8", "#d08a2e"
LABELS, BARS, STEP = 300, 460, 17

# Label, algorithm, what.
COMPARED = [
    ("bilateral filter, radius 4, grey", "bilateral", "radius 4 GRAY8 1920x1080"),
    ("bilateral filter, radius 4, BGR", "bilateral", "radius 4 BGR 1920x1080"),
    ("histogram equalization", "histeq", "channels=luma GRAY8 1920x1080"),
    ("CLAHE", "histeq", "clahe GRAY8 1920x1080"),
    ("integral image", "integral", "sum GRAY8 1920x1080"),
    ("integral image and squared", "integral", "sum and squared sum GRAY8 1920x1080"),
    ("Gaussian pyramid, 4 levels", "pyramid", "4 levels GRAY8 1920x1080"),
    ("Laplacian, one level", "pyramid", "1 level of detail GRAY8 1920x1080"),
    ("Gaussian, sigma 1", "sharpen", "Gaussian, sigma 1 GRAY8 1920x1080"),
    ("Gaussian, sigma 8", "sharpen", "Gaussian, sigma 8 GRAY8 1920x1080"),
    ("NV12 to BGR", "convert", "to BGR, nearest NV12 1920x1080"),
    ("quarter turn, BGR", "convert", "rotate 90 BGR 1920x1080"),
    ("SIFT", "sift", "detect and describe GRAY8 1920x1080"),
    ("matching, 2000 and 2000", "match", "2000x2000 descriptors"),
    ("people", "people", "people BGR 1920x1080"),
    ("part models, cascade", "dpm", "dpm inriaperson.xml BGR 768x576"),
]


class Plot:
    """Horizontal bars on a logarithmic axis, in groups with a label."""

    def __init__(self, title, low, origin, high, legend):
        self.low, self.origin, self.high = low, origin, high
        self.title, self.legend = title, legend
        self.shapes, self.y = [], 62

    def place(self, value):
        """Where a value lies on the axis."""
        share = math.log(value / self.low) / math.log(self.high / self.low)
        return LABELS + BARS * min(max(share, 0), 1)

    def text(self, x, y, words, more=""):
        words = words.replace("&", "&amp;").replace("<", "&lt;")
        self.shapes.append(f'<text x="{x:.1f}" y="{y:.1f}"{more}>{words}</text>')

    def add(self, label, bars):
        """bars: colour, value and text of each. Those of ratios begin at 1."""
        self.text(LABELS - 8, self.y + STEP * len(bars) / 2 + 3, label, ' text-anchor="end"')
        for colour, value, words in bars:
            begin, end = sorted((self.place(self.origin), self.place(value)))
            self.shapes.append(f'<rect x="{begin:.1f}" y="{self.y}" '
                               f'width="{max(end - begin, 1):.1f}" '
                               f'height="{STEP - 3}" fill="{colour}"/>')
            self.text(end + 4, self.y + STEP - 6, words, ' font-size="11"')
            self.y += STEP
        self.y += 7

    def finish(self):
        height, width = self.y + 10, LABELS + BARS + 190
        head = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
                f'viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="13">',
                f'<rect width="{width}" height="{height}" fill="#ffffff"/>']
        body, self.shapes = self.shapes, []
        self.text(8, 22, self.title, ' font-size="16"')
        x = 8
        for colour, words in self.legend:
            self.shapes.append(f'<rect x="{x}" y="34" width="12" height="12" fill="{colour}"/>')
            self.text(x + 18, 45, words)
            x += 40 + 7.5 * len(words)
        return "\n".join(head + self.shapes + body + ["</svg>\n"])


def newest(runs):
    """Rows by algorithm, what and kind of device; the newest of each with its peers."""
    rows = {}
    for run in sorted(runs, key=lambda run: (run.data.get("date", ""), run.name)):
        found = {}
        for row in run.rows:
            found.setdefault((row.algorithm, row.what, row.is_card), []).append(row)
        rows.update(found)
    return rows


def plot_compared(plot, make_bars):
    """make_bars: gives the bars of an algorithm and what it does."""
    for label, algorithm, what in COMPARED:
        bars = make_bars(algorithm, what)
        if bars:
            plot.add(label, bars)
    return plot.finish()


def plot_ratios(rows):
    def make_bars(algorithm, what):
        bars = []
        for is_card, colour, peers in ((False, OURS, ("OpenCV", "cv2")), (True, PEER, ("NPP",))):
            # The fastest of the peers counts.
            found = [row.ratio for row in rows.get((algorithm, what, is_card), [])
                     if row.peer_name.split(" ")[0] in peers and row.ratio]
            if found:
                ratio = min(found, key=float)
                bars.append((colour, float(ratio), ratio))
        return bars

    return plot_compared(
        Plot("How many times as fast as OpenCV and NPP (bars begin at 1, logarithmic)", 0.25, 1,
             16, [(OURS, "processor (PoCL), the faster of OpenCV 4.6 and 5.0"),
                  (PEER, "NVIDIA H200, NPP")]),
        make_bars)


def plot_card(rows):
    def make_bars(algorithm, what):
        found = rows.get((algorithm, what, True), [])
        return [(OURS, float(row.ours), row.ours) for row in found[:1]] + [
            (PEER, float(row.peer), row.peer) for row in found
            if row.peer_name == "NPP" and row.peer]

    return plot_compared(Plot("Milliseconds on the NVIDIA H200, logarithmic", 0.005, 0.005, 3,
                              [(OURS, "ours"), (PEER, "NPP")]), make_bars)


def plot_pipelines(rows):
    plot = Plot("Frames per second of pipelines, 1920x1080, logarithmic", 5, 5, 30000,
                [(OURS, "ours"), (PEER, "others")])
    for (algorithm, what, _), found in sorted(rows.items()):
        if algorithm != "pipelines" or "streams" in what:
            continue
        bars = [(PEER if row.peer else OURS, float(row.peer or row.ours),
                 f"{row.peer or row.ours}  {row.peer_name or row.our_name}") for row in found]
        plot.add(f"{what.replace(' 1920x1080', '')}, {found[0].device.split()[-1]}", bars)
    return plot.finish()


# --- The commands ---


def make_files(root):
    """What the page and the plots should be, by path."""
    runs = read_runs(root)
    rows = newest(runs)
    page = root / "docs" / "performance.md"
    begin, _, rest = page.read_text().partition(BEGIN)
    _, mark, end = rest.partition(END)
    if not mark:
        sys.exit(f"{page} has no place for results between\n{BEGIN}and\n{END}")
    images = root / "docs" / "images" / "performance"
    return {page: begin + BEGIN + make_page(runs) + END + end,
            images / "ratios.svg": plot_ratios(rows),
            images / "h200.svg": plot_card(rows),
            images / "pipelines.svg": plot_pipelines(rows)}


def compare(root):
    wrong = [path for path, text in make_files(root).items()
             if not path.exists() or path.read_text() != text]
    for path in wrong:
        print(f"{path} is not what tests/tools/performance.py --write makes of docs/results")
    return len(wrong) > 0


def record(root, name, command):
    commit = subprocess.run(["git", "-C", root, "describe", "--always", "--dirty"],
                            capture_output=True, text=True, check=True).stdout.strip()
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "results.json")
        subprocess.run([*command, "--json", path], check=True)
        measured = json.loads(path.read_text())
    data = measured if isinstance(measured, dict) else {"results": measured}
    kept = {"date": datetime.date.today().isoformat(), "commit": commit,
            "command": " ".join(command), **data}
    path = root / "docs" / "results" / f"{name}.json"
    path.write_text(json.dumps(kept, indent=1) + "\n")
    return 0


def main():
    match sys.argv[1:]:
        case ["--write", root]:
            for path, text in make_files(pathlib.Path(root)).items():
                path.write_text(text)
            return 0
        case ["--record", root, name, *command] if command:
            return record(pathlib.Path(root), name, command)
        case [root] if not root.startswith("-"):
            return compare(pathlib.Path(root))
    print(__doc__)
    return 2


sys.exit(main())

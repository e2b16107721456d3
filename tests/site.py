#!/usr/bin/python3
"""Reads the site as a reader would: follows its links, and opens pages in a browser.

    site.py FOLDER ELEMENTS              reads the HTML of all pages
    site.py --show FOLDER PICTURES       opens a few pages in Chromium; PICTURES gets screenshots

Each link has to lead to a file of the site, and its fragment to an element of that page; each
picture has to be there; each page can be reached from index.html. Each element of the folder
ELEMENTS has its two pages, and the search knows them, but no notes and no papers. Chromium opens
the pages as files, without a server: a page must log no error, the search has to find a page,
the film has to play, and code has a button that copies it. Exits with 77 where there is no Chromium.
"""
import html.parser
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.parse

SHOWN = ["index.html", "elements/mgpublur.html", "plugin/mgpublur.html", "algorithms/sift.html",
         "api/index.html", "performance.html"]
SEARCH = "search.html?q=unrecognizable"
FOUND = "mgpublur"
CODE = "elements/mgpublur.html"
FILM = "images/film.webm"
SECONDS = 60
TRIES = 6
COMPLAINT = re.compile("CONSOLE.*(Uncaught|[Ee]rror|Failed|Refused)")


class Page(html.parser.HTMLParser):
    """Collects the links and the fragments of a page."""

    def __init__(self, path):
        super().__init__()
        self.links, self.files, self.ids = set(), set(), set()
        self.feed(path.read_text())

    def handle_starttag(self, tag, attrs):
        for name, value in attrs:
            if name == "id" or (tag == "a" and name == "name"):
                self.ids.add(value)
            elif name == "href" and value:
                (self.links if tag == "a" else self.files).add(value)
            elif name == "src" and value:
                self.files.add(value)


def resolve(page, link):
    """Returns the path and the fragment to which a link of a page leads; None: another site."""
    url = urllib.parse.urlparse(link)
    if url.scheme or url.netloc:
        return None
    base = "/" + page
    target = urllib.parse.unquote(urllib.parse.urljoin(base, url.path) if url.path else base)
    return target.lstrip("/") + ("index.html" if target.endswith("/") else ""), url.fragment


def read_pages(folder):
    """Follows all links from index.html. Returns what is wrong, and the number of pages."""
    pages, links, wrong = {}, {}, []
    waiting = ["index.html"]
    while waiting:
        name = waiting.pop()
        if name in pages:
            continue
        page = pages[name] = Page(folder / name)
        for link in page.links | page.files:
            found = resolve(name, link)
            if found is None:
                continue
            links[found] = name
            if found[0].endswith(".html") and (folder / found[0]).is_file():
                waiting.append(found[0])
    for (target, fragment), name in sorted(links.items()):
        if not (folder / target).is_file():
            wrong.append(f"{name}: there is no {target}")
        elif fragment and target in pages and urllib.parse.unquote(fragment) not in pages[target].ids:
            wrong.append(f"{name}: {target} has no #{fragment}")
    if "more" in pages["index.html"].ids:
        wrong.append("index.html lists all pages, which the navigation does")
    for path in folder.rglob("*.html"):
        name = str(path.relative_to(folder))
        if name not in pages and name not in ("404.html", "search.html"):
            wrong.append(f"{name}: no page links to it")
    print(f"{len(pages)} pages, {len(links)} links, {len(wrong)} wrong")
    return wrong, len(pages)


def read_search(folder, elements):
    """Returns what is wrong with the index of the search."""
    script = (folder / "search-index.js").read_text()
    index = json.loads(script[script.index("["):script.rindex(";")])
    found = {section["location"].partition("#")[0] for section in index}
    wanted = {"index.html", "api/class.MgpuContext.html"}
    for page in elements.glob("mgpu*.md"):
        wanted |= {f"elements/{page.stem}.html", f"plugin/{page.stem}.html"}
    print(f"{len(index)} sections of {len(found)} pages in the search")
    return [f"the search does not know {page}" for page in sorted(wanted - found)] + \
        [f"the search knows {page}" for page in sorted(found) if page.startswith(("notes/", "papers/"))]


def open_page(chromium, profile, url, option, end="--timeout=5000"):
    """Opens a page until the option END. Returns its elements as HTML, and the errors that it
    logged."""
    shown = subprocess.run(
        [chromium, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
         "--disable-dev-shm-usage", f"--user-data-dir={profile}", "--window-size=1300,900",
         end, "--enable-logging=stderr", option, url],
        capture_output=True, text=True, timeout=SECONDS, check=True)
    return shown.stdout, [line for line in shown.stderr.splitlines() if COMPLAINT.search(line)]


def play_film(chromium, profile, url):
    """Plays the film for some seconds of the page's own time. Returns what is wrong.

    That time does not wait for the decoder: on a busy machine it may be over before the film begins,
    so the page is opened again until the film plays.
    """
    page = pathlib.Path(profile) / "film.html"
    page.write_text(f"<title></title><video id=film muted autoplay src='{url}' ontimeupdate='"
                    "document.title = film.currentTime + \" of \" + film.duration'></video>")
    for _ in range(TRIES):
        shown = open_page(chromium, profile, page.as_uri(), "--dump-dom", "--virtual-time-budget=4000")[0]
        played = re.search(r"<title>([0-9.]+) of ([0-9.]+)</title>", shown)
        if played is not None and float(played[1]) > 0:
            print(f"{FILM}: played {float(played[1]):.1f} of {float(played[2]):.1f} s")
            return []
    return [f"{url}: does not play"]


def open_pages(folder, pictures):
    """Opens the pages SHOWN and the search page in a browser, and plays the film. Returns a list of problems."""
    chromium = shutil.which("chromium")
    if chromium is None:
        print("not run: there is no chromium")
        sys.exit(77)
    pictures.mkdir(parents=True, exist_ok=True)
    wrong = []
    with tempfile.TemporaryDirectory() as profile:
        for name in [*SHOWN, SEARCH]:
            picture = pictures / (name.split("?")[0].replace("/", "-").replace(".html", ".png"))
            try:
                url = f"{folder.resolve().as_uri()}/{name}"
                logged = open_page(chromium, profile, url, f"--screenshot={picture}")[1]
                shown = open_page(chromium, profile, url, "--dump-dom")[0] if name in (SEARCH, CODE) else ""
            except (subprocess.TimeoutExpired, subprocess.CalledProcessError) as error:
                wrong.append(f"{name}: {error}")
                continue
            wrong += [f"{name}: {line}" for line in logged]
            if not picture.is_file() or picture.stat().st_size < 10000:
                wrong.append(f"{name}: nothing is shown")
            if name == SEARCH and f'href="elements/{FOUND}.html' not in shown.partition("<main>")[2]:
                wrong.append(f"{name}: the search does not find {FOUND}")
            if name == CODE and "</code><button>Copy</button></pre>" not in shown:
                wrong.append(f"{name}: no button copies its lines")
        try:
            wrong += play_film(chromium, profile, f"{folder.resolve().as_uri()}/{FILM}")
        except (subprocess.TimeoutExpired, subprocess.CalledProcessError) as error:
            wrong.append(f"{FILM}: {error}")
    print(f"{len(SHOWN) + 1} pages in {chromium}, {len(wrong)} wrong")
    return wrong


def main():
    match sys.argv[1:]:
        case ["--show", folder, pictures]:
            wrong = open_pages(pathlib.Path(folder), pathlib.Path(pictures))
        case [folder, elements]:
            wrong, n = read_pages(pathlib.Path(folder))
            wrong += read_search(pathlib.Path(folder), pathlib.Path(elements))
            if n < 50:
                wrong.append("there are less than 50 pages")
        case _:
            sys.exit(__doc__)
    print("\n".join(wrong))
    return bool(wrong)


sys.exit(main())

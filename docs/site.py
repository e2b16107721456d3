#!/usr/bin/python3
"""Makes the site of gst-mgpu: its pages, those of the plugin, and the manual of the library.

    site.py ROOT VERSION MKDOCS MANUAL CACHE DEPFILE OUTPUT

ROOT has README.md and docs/; MANUAL is the folder that gi-docgen wrote; CACHE is what
plugins-cache.py wrote of the plugin. MKDOCS, the program, makes HTML of the pages, and the
index of the search. DEPFILE gets the names of the files that were read, as make has them.
"""
import html
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

LINK = re.compile(r"(\]\()([^)\s#]+)([^)\s]*\))")
CODE = re.compile(r"(^```.*?^```|`[^`\n]*`)", re.MULTILINE | re.DOTALL)
# Folders of pages, in the order of the navigation. The search leaves out the last two.
FOLDERS = [("Algorithms", "algorithms"), ("Notes", "notes"), ("Papers", "papers")]
NOT_SEARCHED = ("notes/", "papers/")
# Pages for who uses the elements, in this order; the other pages are for who changes them.
USERS = ["faq.md", "first-kernel.md", "own-kernels.md", "filters.md", "from-peers.md",
         "camera.md", "retouch.md", "performance.md",
         "debugging.md", "interop.md", "tuning.md", "stability.md"]


def write_page(root, source, site):
    """Copies a page, and what it links to outside of docs/, such as sources.

    README.md becomes the first page; its links lead into docs/, which is the site's root.
    """
    is_readme = source == root / "README.md"
    here = pathlib.Path("index.md") if is_readme else source.relative_to(root / "docs")
    if here.name == "README.md":
        here = here.with_name("index.md")

    def change(match):
        path = match[2]
        if "://" in path or path.startswith("mailto:"):
            return match[0]
        target = pathlib.Path(os.path.normpath(source.parent / path))
        if target == root / "README.md":
            target = pathlib.Path("index.md")
        elif (root / "docs") in target.parents:
            target = target.relative_to(root / "docs")
            if target.name == "README.md":
                target = target.with_name("index.md")
        else:
            # Shown as text by any browser.
            target = pathlib.Path("source") / target.relative_to(root).with_name(target.name + ".txt")
            if not (site / target).exists():
                (site / target).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(root / target.relative_to("source").with_suffix(""), site / target)
        if (root / "docs" / target).is_dir():
            target = target / "list.md"
        return match[1] + os.path.relpath(target, here.parent) + match[3]

    text = source.read_text()
    parts = CODE.split(text)
    parts[::2] = [LINK.sub(change, part) for part in parts[::2]]
    text = "".join(parts)
    if is_readme:
        # The site has an index of all pages.
        text = re.sub(r"\n## More\n.*?\n(?=License)", "\n", text, flags=re.DOTALL)
    # Lists need an empty line before them here.
    text = re.sub(r"(?m)^(?![-*|\d\s#])(.+)\n(?=[-*] )", r"\1\n\n", text)
    (site / here).parent.mkdir(parents=True, exist_ok=True)
    (site / here).write_text(text)
    return here


def list_folder(folder, site):
    """Writes a page with links to the files of a folder that others link to as a whole."""
    names = sorted(f.name for f in (site / folder).iterdir() if f.suffix != ".md")
    lines = [f"# Files of {folder}", ""] + [f"- [{n}]({n})" for n in names]
    (site / folder / "list.md").write_text("\n".join(lines) + "\n")


def code(text):
    """Formats a value as code in a cell of a table."""
    return "`" + str(text).replace("|", "\\|").replace("\n", " ") + "`" if str(text) else ""


def write_plugin(cache, site):
    """Writes a page for each element as GStreamer's documentation has it: classes, pads, properties."""
    folder = site / "plugin"
    folder.mkdir()
    for plugin in cache.values():
        index = [f"# Plugin {plugin['filename']}", "", plugin["description"], "",
                 "| element | class | rank | what it does |", "| --- | --- | --- | --- |"]
        for name, e in sorted(plugin["elements"].items()):
            index.append(f"| [{name}]({name}.md) | {e['klass']} | {e['rank']} | {e['description']} |")
            page = [f"# {name}", "", f"{e['long-name']}: {e['description']}.", "",
                    f"What it computes, with examples: [{name}](../elements/{name}.md).", "",
                    f"Classes: {e['klass']}  ", f"Authors: {html.escape(e['author'])}  ",
                    f"Plugin: {plugin['filename']}  ", f"Package: {plugin['package']}", "",
                    "## Hierarchy", "", "    " + "\n    ".join(
                        "  " * i + t for i, t in enumerate(reversed(e["hierarchy"]))), "",
                    "## Pads", ""]
            for pad, p in e["pad-templates"].items():
                page += [f"### `{pad}`", "", f"{p['direction']}, {p['presence']}", "", "```",
                         p["caps"], "```", ""]
            page += ["## Properties", ""]
            for prop, p in e["properties"].items():
                flags = [t for k, t in (("controllable", "controllable"), ("construct-only", "construct only"))
                         if p[k]]
                flags.append("readable and writable" if p["readable"] and p["writable"]
                             else "readable" if p["readable"] else "writable")
                if p["writable"]:
                    flags.append(f"changes in {p['mutable'].upper()}")
                page += [f"### `{prop}`", "", p["blurb"].rstrip(".") + ".", "",
                         f"Type {code(p['type'])}; " + ", ".join(flags)
                         + (f"; default {code(p['default'])}" if "default" in p else "")
                         + (f"; range {code(p['min'])} to {code(p['max'])}" if "min" in p else ""), ""]
                if "values" in p:
                    page += ["| value | number | meaning |", "| --- | --- | --- |"]
                    page += [f"| `{v['name']}` | {v['value']} | {v['desc']} |" for v in p["values"]] + [""]
            (folder / f"{name}.md").write_text("\n".join(page) + "\n")
        (folder / "index.md").write_text("\n".join(index) + "\n")


def make_navigation(pages, site):
    """The lists of pages in the order in which the site shows them."""
    def in_folder(folder):
        return sorted(str(p) for p in pages if p.parts[0] == folder)

    top = [str(p) for p in pages if len(p.parts) == 1 and p.name != "index.md"]
    folders = ["recipes", "elements", *(folder for _, folder in FOLDERS)]
    assert all(len(p.parts) == 1 or p.parts[0] in folders for p in pages), pages
    recipes = in_folder("recipes")
    recipes.sort(key=lambda page: not page.endswith("index.md"))
    return [{"Home": "index.md"},
            {"Recipes": recipes},
            {"Using it": [p for p in USERS if p in top]},
            {"Elements": in_folder("elements")},
            {"Plugin": ["plugin/index.md"] + sorted(
                f"plugin/{p.name}" for p in (site / "plugin").glob("mgpu*.md"))},
            {"Library": "api/index.html"},
            {"Changing it": sorted(p for p in top if p not in USERS)},
            *({title: in_folder(folder)} for title, folder in FOLDERS)]


def write_search(output):
    """Makes a script of the index, with the library's pages: files may not request JSON."""
    index = json.loads((output / "search/search_index.json").read_text())["docs"]
    kept, page = [], {}
    for section in index:
        section["text"] = section["text"].replace("\u00b6", "")
        if "#" not in section["location"]:
            page = section
        elif section["title"] == page["title"]:
            continue
        else:
            section["title"] = f"{page['title']}: {section['title']}"
        if not section["location"].startswith(NOT_SEARCHED):
            kept.append(section)
    for path in sorted((output / "api").glob("*.*.html")):
        page = path.read_text()
        title = re.search(r"<title>(.*?)</title>", page, re.DOTALL)[1].strip()
        text = html.unescape(re.sub(r"<[^>]*>", " ", re.search(r"<section.*</section>", page, re.DOTALL)[0]))
        kept.append({"location": f"api/{path.name}", "title": title, "text": " ".join(text.split())})
    (output / "search-index.js").write_text(f"const search_index = {json.dumps(kept)};\n")
    shutil.rmtree(output / "search")


def main():
    root, version, mkdocs, manual, cache, depfile, output = sys.argv[1:]
    root, output = pathlib.Path(root), pathlib.Path(output).resolve()
    work = output.with_name(output.name + ".pages")
    shutil.rmtree(work, ignore_errors=True)
    site = work / "docs"
    site.mkdir(parents=True)
    sources = sorted((root / "docs").rglob("*.md"))
    for source in sorted((root / "docs").rglob("*")):
        if source.suffix in (".jpg", ".png", ".svg", ".json", ".tsv", ".webm"):
            target = site / source.relative_to(root / "docs")
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, target)
    pages = [write_page(root, source, site) for source in [root / "README.md"] + sources]
    list_folder("results", site)
    write_plugin(json.loads(pathlib.Path(cache).read_text()), site)
    shutil.copytree(manual, site / "api")

    # JSON is also YAML.
    (work / "mkdocs.yml").write_text(json.dumps({
        "site_name": f"gst-mgpu {version}",
        "site_description": "Computer vision on OpenCL for GStreamer",
        "docs_dir": str(site), "site_dir": str(output), "use_directory_urls": False,
        "theme": {"name": None, "custom_dir": str(root / "docs/theme"),
                  "static_templates": ["404.html", "search.html"]},
        "plugins": ["search"], "nav": make_navigation(pages, site),
        "markdown_extensions": [{"toc": {"permalink": True}}, "tables", "fenced_code"],
    }))
    subprocess.run([mkdocs, "--quiet", "build", "--clean", "--strict", "--config-file", work / "mkdocs.yml"],
                   check=True)
    shutil.rmtree(work)
    # Maps of the site for search engines, with addresses of a server that there is not
    for path in output.glob("sitemap.xml*"):
        path.unlink()
    write_search(output)
    read = [root / "README.md", *(f for f in sorted((root / "docs").rglob("*")) if f.is_file())]
    pathlib.Path(depfile).write_text(f"{sys.argv[-1]}: " + " ".join(map(str, read)) + "\n")


main()

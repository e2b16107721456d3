#!/usr/bin/python3
"""docs-links.py ROOT: checks the links of README.md, of the other pages in the same folder and
of the pages in docs/.

Each link must name a file that exists, and, if it has a fragment, a heading of that page. In
the folders of docs/ the link text must be more than the name of the file. The table of messages
in docs/elements/common.md must have a row for each element message of the sources.
"""
import pathlib
import re
import sys

LINK = re.compile(r"!?\[([^\]]*)\]\(([^)\s]+)\)")
MESSAGE = re.compile(r'message_new(?:_structure|_element)? ?\([^;"]*"(mgpu-[a-z-]+)"')
CODE = re.compile(r"^```.*?^```|`[^`\n]*`", re.MULTILINE | re.DOTALL)


def anchors(page):
    """Returns the fragments of the headings of a page, as GitHub generates them."""
    found = set()
    for heading in re.findall(r"^#+ +(.*)$", page.read_text(), re.MULTILINE):
        words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).strip().lower()
        found.add(re.sub(r"[^\w\- ]", "", words).replace(" ", "-"))
    return found


def check_link(page, text, link):
    """Returns what is wrong with a link of a page, if anything."""
    if page.parent.name != "docs" and page.parent.parent.name == "docs" and re.fullmatch(r"docs/\S+\.md", text):
        return "the text is the name of a file"
    path, _, fragment = link.partition("#")
    target = page.parent / path if path else page
    if not target.exists():
        return "there is no such file"
    if fragment and fragment not in anchors(target):
        return "the page has no such heading"
    return None


def find_messages(root):
    """Returns the names of the element messages that the sources post and the table does not
    list."""
    table = set(re.findall("`(mgpu-[a-z-]+)`", "".join(re.findall(
        r"^\| (`mgpu-[^|]*)\|", (root / "docs/elements/common.md").read_text(), re.MULTILINE))))
    posted = {name for path in (root / "gst").rglob("*.c") for name in MESSAGE.findall(path.read_text())}
    print(f"{len(posted)} messages, {len(posted - table)} missing")
    return sorted(posted - table) if len(posted) > 9 else ["fewer than ten messages are found"]


def main():
    root = pathlib.Path(sys.argv[1])
    n_links = n_wrong = 0
    for page in [*sorted(root.glob("*.md")), *sorted((root / "docs").rglob("*.md"))]:
        for text, link in LINK.findall(CODE.sub("``", page.read_text())):
            if "://" in link:
                continue
            n_links += 1
            wrong = check_link(page, text, link)
            if wrong:
                n_wrong += 1
                print(f"{page.relative_to(root)}: {link}: {wrong}")
    print(f"{n_links} links, {n_wrong} wrong")
    missing = find_messages(root)
    for name in missing:
        print(f"docs/elements/common.md: messages: {name}")
    return n_wrong > 0 or n_links == 0 or bool(missing)


sys.exit(main())

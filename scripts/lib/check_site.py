"""Checks that a site of static pages is whole.

    check_site.py FOLDER

Every link to the site itself leads to a file and to a place in it, every script,
style and picture that a page asks for is there, nothing is asked for elsewhere, and
the search knows every page. Prints what is not so, and exits with 1 if there is any.
"""

import html.parser
import json
import pathlib
import posixpath
import sys
import urllib.parse


class Page(html.parser.HTMLParser):
    """What a page refers to, and the places in it that others may refer to."""

    def __init__(self, text):
        super().__init__()
        self.ids = set()
        self.links = []
        self.parts = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        found = dict(attrs)
        self.ids.update(value for key, value in attrs if key in ("id", "name"))
        if tag in ("script", "img") and "src" in found:
            self.parts.append(found["src"])
        elif tag == "link" and found.get("rel") in ("stylesheet", "shortcut icon"):
            self.parts.append(found["href"])
        elif tag == "a" and "href" in found:
            self.links.append(found["href"])


def target(name, reference):
    """(file, place) within the site that a page's reference leads to, or None."""
    parts = urllib.parse.urlsplit(reference)
    if parts.scheme or parts.netloc:
        return None
    path = urllib.parse.unquote(parts.path)
    base = "" if path.startswith("/") else posixpath.dirname(name)
    file = posixpath.normpath(posixpath.join(base, path.lstrip("/"))) if path else name
    return file, urllib.parse.unquote(parts.fragment)


def faults(folder):
    """Yields a sentence for each thing that is missing."""
    pages = {path.relative_to(folder).as_posix(): Page(path.read_text(encoding="utf-8"))
             for path in sorted(folder.rglob("*.html"))}
    for name, page in pages.items():
        for part in page.parts:
            found = target(name, part)
            if found is None:
                yield f"{name} asks for {part}, which is elsewhere"
            elif not (folder / found[0]).is_file():
                yield f"{name} asks for {part}, which is not there"
        for link in page.links:
            found = target(name, link)
            if found is None:
                continue
            file, place = found
            if not (folder / file).exists():
                yield f"{name} leads to {link}, which is not there"
            elif place and file in pages and place not in pages[file].ids:
                yield f"{name} leads to {link}, where there is no such place"
    index = json.loads((folder / "search/search_index.json").read_text(encoding="utf-8"))
    known = {entry["location"].partition("#")[0] or "index.html" for entry in index["docs"]}
    for name in sorted(set(pages) - known - {"404.html", "search.html"}):
        yield f"the search does not know {name}"


def main(words):
    found = sorted(set(faults(pathlib.Path(words[0]))))
    print("\n".join(found), file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

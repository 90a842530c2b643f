"""Figures as part of a page: several of them side by side, without getting in each other's way."""

import re
from xml.etree import ElementTree

from arsm_l2r.report.text import printable

_SVG = "http://www.w3.org/2000/svg"
_XLINK = "http://www.w3.org/1999/xlink"
_UNWANTED = {f"{{{_SVG}}}{name}" for name in ("metadata", "script", "foreignObject")}

_WORDS = {f"{{{_SVG}}}{name}" for name in ("text", "tspan")}
_REFERENCE = re.compile(r"#([^\s\"')]+)")


_DARK = "invert(.92) hue-rotate(180deg)"
"""Turned over, what is drawn on white stands on dark, and colours keep their hue."""


def dark_where_pages_are(text: str) -> str:
    """An SVG file that is a picture of a page, to be dark where its reader likes pages dark."""
    rule = f"@media (prefers-color-scheme: dark) {{ svg {{ filter: {_DARK} }} }}"
    return re.sub(r"(<svg[^>]*>)", rf"\1\n <style>{rule}</style>", text, count=1)


def inline_svg(text: str, prefix: str, label: str) -> str:
    """An SVG file as an element of an HTML page.

    Args:
        text: the file's content.
        prefix: put before every identifier, so that none occurs twice in the page.
        label: what the figure shows, for those who cannot see it.
    """
    ElementTree.register_namespace("", _SVG)
    ElementTree.register_namespace("xlink", _XLINK)
    root = ElementTree.fromstring(printable(text))
    for parent in list(root.iter()):
        for child in [child for child in parent if child.tag in _UNWANTED]:
            parent.remove(child)
    used = set(_REFERENCE.findall(text))
    for element in root.iter():
        _without_waste(element, used)
        for name, value in element.attrib.items():
            element.set(name, _renamed(name, value, prefix))
        if element.tag == f"{{{_SVG}}}style" and element.text:
            # A rule for everything would be one for everything in the page.
            element.text = element.text.replace("*{", f"#{prefix} *{{")
    for name in ("width", "height"):
        root.attrib.pop(name, None)
    root.attrib |= {"id": prefix, "role": "img", "aria-label": label, "class": "plot"}
    return ElementTree.tostring(root, encoding="unicode")


def _without_waste(element: ElementTree.Element, used: set[str]) -> None:
    """Drop identifiers that nothing refers to and white space that nobody sees."""
    if element.get("id") not in used:
        element.attrib.pop("id", None)
    if "d" in element.attrib:
        element.set("d", " ".join(element.attrib["d"].split()))
    if element.tag not in _WORDS and not (element.text or "").strip():
        element.text = None
    if not (element.tail or "").strip():
        element.tail = None


def _renamed(name: str, value: str, prefix: str) -> str:
    if name == "id":
        return f"{prefix}-{value}"
    if name in ("href", f"{{{_XLINK}}}href"):
        return value.replace("#", f"#{prefix}-", 1) if value.startswith("#") else "#"
    return re.sub(r"url\(#", f"url(#{prefix}-", value)

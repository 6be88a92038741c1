# SPDX-License-Identifier: MIT
"""Pages of `class report`: what a submission says stays text; nothing is loaded; order, words for
pictures, contrast."""

import itertools
import re

import pytest
from conftest import ROOT
from documents import MAP, case, flipped, pending_speed, result, speed, stage

HOSTILE = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "'--></style></script><svg onload=alert(1)>",
    "</pre></details></main><h1>You passed</h1>",
    "&lt;b&gt; &amp;amp; ]]> <!-- x",
    "`<b>`",
    "\x1b[31mred\x1b[0m\x07\x00\x9b2J\x7f",
    "\u202eevil\u2066 \u200f",
    "\ud800 half",
    "x" * 3000,
    "javascript:alert(1)",
]
BAD = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)
# Where the pages may have them.
ELEMENTS = """
html head meta title link style script body a header div nav ul ol li main footer section h1 h2 h3
h4 p span b strong bdi time code pre table caption thead tbody tr th td details summary article
figure figcaption svg g rect path circle text
"""


def _stage_part(page):
    return page.one("section", id="stage-01_cpu_conv")


def hostile_stage(text):
    return stage(
        title=text,
        message=text,
        log=text,
        notes=[text],
        failed_files=[{"file": text, "status": "BUILD_FAILED", "message": text}],
        groups=[dict(name="all", title=text, passed=0, total=2, points=0, max_points=80)],
        cases=[
            case(text, op=text, task=text, message=text, hint=text, printed=text, map=text),
            case(text, op=text, message=text, mistake=text, map=f"{text}, 1 x 1: . right\n."),
            case(text, op=text, message=text, hidden=True),
            case(text, op=text, message=text, status="SKIPPED"),
            case(text, op=text, message=text, status="NOT_STARTED"),
        ],
        speed=[speed(title=text), pending_speed("later", title=text, message=text)],
    )


def check_text_stays_text(page):
    elements = page.all()
    assert {e.tag for e in elements} <= set(ELEMENTS.split())
    for element in elements:
        for name, value in element.attributes.items():
            assert not name.startswith("on") and name != "style", name
            if name in ("href", "src"):
                assert re.match(r"#|data:,$|students/[a-z0-9-]+\.html$", value), value
    assert not BAD.search(page.text)


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_words_of_a_submission_are_never_markup(report, text):
    page = report(
        result(
            hostile_stage(text),
            submission={"name": text, "sha256": ""},
            notes=[text],
            error=text,
            device=text,
            sandbox=text,
        )
    )
    check_text_stays_text(page)
    assert not page.all("script") and len(page.all("h1")) == 1
    if not BAD.search(text) and "`" not in text:
        assert text in page.one("h1").text and text in _stage_part(page).text


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_names_of_people_are_never_markup_either(room, pages, text):
    safe = text.encode("utf-8", "replace").decode().replace("\x00", "").replace('"', '""')
    room.hand_in("ann.zip", stage=hostile_stage(text), note=1)
    room.hand_in("stranger.zip", stage=hostile_stage(text), note=2)
    roster = room.roster(f'login,name,team\nann,"{safe}","{safe}"\n')
    assert room.grade("--roster", roster) == 0
    room.run("points", "ann", 1, 1, "--reason", text.encode("utf-8", "replace").decode())
    for page in (pages(), pages("ann")):
        check_text_stays_text(page)
    assert [s.text for s in pages().all("script")] == [
        (ROOT / "classroom/convkit_class/pages/sort.js").read_text()
    ]


def test_control_characters_are_shown_by_name(report):
    text = _stage_part(report(result(stage(message="\x1b[31m\u202e\x7f\x9b")))).text
    assert "␛[31m[U+202E]␡[U+009B]" in text


# The form of a page


def check_form(page):
    levels = [int(e.tag[1]) for e in page.all() if re.fullmatch("h[1-6]", e.tag)]
    assert levels[0] == 1 and levels.count(1) == 1
    assert all(b <= a + 1 for a, b in itertools.pairwise(levels)), levels
    ids = [e.attributes["id"] for e in page.all() if "id" in e.attributes]
    assert len(set(ids)) == len(ids)
    for element in page.all():
        told = element.attributes
        for to in filter(None, [told.get("aria-labelledby"), told.get("href", "")[1:]]):
            assert not (element.tag == "a" and told["href"][0] == "#") or to in ids, to
        assert "aria-labelledby" not in told or told["aria-labelledby"] in ids
        assert told.get("tabindex", "0") in ("0", "-1")
    assert page.attributes["lang"] == "en" and page.one("title").text
    for landmark in ("header", "nav", "main", "footer"):
        page.one(landmark)
    assert page.one("nav").attributes["aria-label"]
    for table in page.all("table"):
        assert table.one("caption").text
        assert all(th.attributes.get("scope") in ("col", "row") for th in table.all("th"))
        widths = {len(row.children) for row in table.all("tr")}
        assert len(widths) == 1, table.text
    for svg in page.all("svg"):
        told = svg.attributes
        assert told.get("aria-hidden") == "true" or (told["role"] == "img" and told["aria-label"])
    for details in page.all("details"):
        assert details.children[0].tag == "summary" and details.children[0].text


def check_stands_alone(page):
    policy = page.one("meta", **{"http-equiv": "Content-Security-Policy"}).attributes["content"]
    assert policy.startswith("default-src 'none'; style-src 'sha256-")
    assert "unsafe" not in policy and "http" not in policy
    assert page.one("link").attributes == {"rel": "icon", "href": "data:,"}  # else it is asked for
    style = page.one("style").text
    assert "url(" not in style and "@import" not in style and "prefers-color-scheme" in style


def test_pages_are_in_order_for_readers_who_hear_them_and_load_nothing(room, report, pages):
    room.hand_in(
        "ann.zip", stage=stage(cases=[flipped("d"), case(map=MAP), case("h", hidden=True)])
    )
    room.hand_in("stranger.zip", do="crash")
    room.grade("--roster", room.roster("login\nann\nbob\n"))
    room.run("points", "ann", 1, 1, "--reason", "x")
    everything = [flipped("d"), case(map=MAP, printed="x"), case("h", hidden=True)]
    single = report(result(stage(cases=everything, log="x"), stage(id="02_direct_conv")))
    for page in (pages(), pages("ann"), pages("bob"), single):
        check_form(page)
        check_stands_alone(page)


def test_a_page_has_at_most_a_megabyte(report, room):
    cases = [case(f"c{i}", message=f"{i}" * 500, printed="<" * 2000, map=MAP) for i in range(150)]
    stages = [stage(id=f"0{i}_x", log="&" * 400_000, cases=cases) for i in range(1, 8)]
    page = report(result(*stages))
    assert (room.folder / "page.html").stat().st_size <= 1_000_000
    assert "more characters are in the result file" in page.text


def luminance(colour):
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return sum(w * p for w, p in zip((0.2126, 0.7152, 0.0722), linear))


def contrast(a, b):
    light, dark = sorted((luminance(a), luminance(b)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def test_contrasts_are_those_of_wcag_aa_in_light_and_dark():
    css = (ROOT / "classroom/convkit_class/pages/page.css").read_text()
    light, dark = (
        dict(re.findall(r"--([\w-]+): (#[0-9a-f]{6})", block))
        for block in re.findall(r":root \{([^}]*--tier0[^}]*)\}", css)
    )
    text = [
        (ink, ground) for ink in ("ink", "soft", "link", "fair") for ground in ("ground", "raised")
    ]
    text += [(mark, f"{mark}-ground") for mark in ("good", "bad", "fair", "open")]
    shapes = ["fill-good", "fill-bad", "fill-nan", "fill-other", "fill-accent", "strong", "soft"]
    for colours in (light, dark):
        for ink, ground in text:
            assert contrast(colours[ink], colours[ground]) >= 4.5, (ink, ground)
        for shape in shapes:
            assert contrast(colours[shape], colours["ground"]) >= 3, shape
        assert contrast(colours["strong"], colours["tier3"]) >= 3


def test_the_pages_write_svg_in_one_place():
    files = (ROOT / "classroom").rglob("*.py")
    writers = [f.name for f in files if re.search("[\"'<]svg", f.read_text(encoding="utf-8"))]
    assert writers == ["markup.py"]

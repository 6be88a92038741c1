# SPDX-License-Identifier: MIT
"""Pages of `class report` in a browser: no message of its console, nothing fetched, no wider than a
phone, and the table of students sorts."""

import functools
import html
import http.server
import json
import re
import shutil
import subprocess
import threading

import pytest
from documents import MAP, case, flipped, pending_speed, result, speed, stage
from html_page import read_page

CHROMIUM = shutil.which("chromium")
PHONE = 360
pytestmark = pytest.mark.skipif(not CHROMIUM, reason="chromium is not installed")

# Shows a page in a frame as wide as a phone, waits, and says what came of it.
LOOK = """<!DOCTYPE html><title>look</title><body>
<iframe width="%d" height="2000" srcdoc="%s"></iframe><output></output>
<script>
onload = () => {
  const page = document.querySelector("iframe").contentDocument;
  const seen = (() => { %s })();
  document.querySelector("output").textContent = JSON.stringify(seen);
};
</script>
"""
WIDER = """
const wide = page.documentElement.clientWidth;
const scrolls = (e) => e.closest(".scroll, pre, nav ul, .skip");
return {
  wide,
  scrolled: page.documentElement.scrollWidth,
  over: [...page.querySelectorAll("body *")]
    .filter((e) => e.getBoundingClientRect().right > wide + 1 && !scrolls(e))
    .map((e) => e.outerHTML.slice(0, 200)),
  fetched: page.defaultView.performance.getEntriesByType("resource").map((e) => e.name),
};
"""
SORT = """
const table = page.querySelector("table.sortable");
const rows = () => [...table.tBodies[0].rows].map((row) => row.cells[1].textContent);
const header = (i) => table.tHead.rows[0].cells[i];
const seen = [rows()];
for (const i of [3, 3, 1]) {
  header(i).querySelector("button").click();
  seen.push(rows(), header(i).getAttribute("aria-sort"));
}
return seen;
"""


class Server(http.server.ThreadingHTTPServer):
    """Serves a folder on this machine and remembers what was asked for."""

    def __init__(self, folder):
        self.asked = asked = []

        class Handler(http.server.SimpleHTTPRequestHandler):
            def do_GET(self):
                asked.append(self.path)
                super().do_GET()

            def log_message(self, *_):
                pass

        super().__init__(("127.0.0.1", 0), functools.partial(Handler, directory=str(folder)))
        threading.Thread(target=self.serve_forever, daemon=True).start()


@pytest.fixture
def browser(tmp_path):
    """Opens a page: its document after its scripts ran, and what the console said."""

    def open_page(address, *options):
        command = [
            CHROMIUM,
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
            "--enable-logging=stderr",
            f"--user-data-dir={tmp_path / 'profile'}",
            "--dump-dom",
            *options,
            str(address),
        ]
        ran = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120)
        return ran.stdout, [line for line in ran.stderr.splitlines() if "CONSOLE" in line]

    return open_page


@pytest.fixture
def look(tmp_path, browser):
    def look(text, script):
        file = tmp_path / "look.html"
        file.write_text(LOOK % (PHONE, html.escape(text), script), encoding="utf-8")
        out, said = browser(file.as_uri())
        return json.loads(html.unescape(re.search("<output>(.*)</output>", out, re.S)[1])), said

    return look


@pytest.fixture
def folder(room, pages):
    """Pages of a class with long words in all places, and one of a result alone."""
    long, hostile = (
        "w" * 400,
        "<script>alert(1)</script>\"><img src='//x.example/y' onerror=alert(1)>",
    )
    cases = [
        flipped("d", map=MAP, message=long, printed=long),
        case(long, op=long, message=hostile, hint=hostile, mistake=hostile, map="x" * 300),
        case("h", hidden=True, message=long),
    ]
    whole = stage(
        title=long,
        message=hostile,
        cases=cases,
        log=long * 3,
        notes=[hostile],
        speed=[speed(title=long), pending_speed("later", title=hostile)],
    )
    for number, name in enumerate(("ann", "bob", "eve")):
        room.hand_in(f"{name}.zip", n=number, stage=whole | {"points": (70, 9, 100)[number]})
    room.hand_in("stranger.zip", n=9, stage=whole)
    room.hand_in("max.zip", do="crash")
    names = (
        f'login,name,team\nann,"{long}",\nbob,"{hostile.replace(chr(34), chr(34) * 2)}",{long}\n'
    )
    room.grade("--roster", room.roster(names + "eve,Eve,\nmax,Max,\n"))
    room.run("points", "ann", 1, 1, "--reason", long)
    pages()
    (room.folder / "result.json").write_text(json.dumps(result(whole, stage(id="02_direct_conv"))))
    out = room.folder / "pages/single.html"
    assert room.run("report", "--result", room.folder / "result.json", "--out", out) == 0
    return room.folder / "pages"


PAGES = ["index.html", "students/ann.html", "students/bob.html", "single.html"]


def test_the_console_is_heard(browser, tmp_path):
    """Else the test below could not fail."""
    page = tmp_path / "page.html"
    page.write_text("<script>console.error('heard')</script>")
    assert "heard" in browser(page.as_uri())[1][0]


@pytest.mark.parametrize("page", PAGES)
def test_a_browser_shows_the_page_and_asks_for_nothing_else(browser, folder, page):
    server = Server(folder)
    try:
        shown, said = browser(f"http://127.0.0.1:{server.server_port}/{page}")
    finally:
        server.shutdown()
    assert said == []
    assert server.asked == [f"/{page}"]
    main = read_page(shown).one("main")
    assert main.all("h2") and not main.all("script") and not main.all("img")


@pytest.mark.parametrize("page", PAGES)
def test_a_page_is_no_wider_than_a_phone(look, folder, page):
    seen, said = look((folder / page).read_text(encoding="utf-8"), WIDER)
    assert said == [] and seen["fetched"] == []
    assert seen["over"] == []
    assert seen["scrolled"] == seen["wide"] <= PHONE


def test_the_table_of_students_sorts_by_the_column_that_is_pressed(look, folder):
    seen, _ = look((folder / "index.html").read_text(encoding="utf-8"), SORT)
    logins = ["ann", "bob", "eve", "max"]
    most_first = ["eve", "ann", "bob", "max"]
    assert seen == [
        logins,
        most_first,
        "descending",
        most_first[::-1],
        "ascending",
        logins,
        "ascending",
    ]


def test_a_script_that_is_not_the_page_s_own_does_not_run(look, folder):
    """The policy in the head holds even where escaping would not."""
    text = (folder / "index.html").read_text(encoding="utf-8")
    planted = text.replace("</main>", "<script>document.title = 'planted'</script></main>")
    seen, said = look(planted, "return page.title;")
    assert seen.startswith("Class: ") and "Content Security Policy" in said[0]

# SPDX-License-Identifier: MIT
"""`class report`: what the pages say and draw."""

import json
import math
import re

import pytest
from convkit_class.book import Student
from convkit_class.pages.write import page_names
from documents import MAP, case, flipped, pending_speed, result, speed, stage


def rows(table):
    return [[c.text for c in r.children] for r in table.one("tbody").children]


def stage_part(page):
    return page.one("section", id="stage-01_cpu_conv")


# What a page says


def test_points_are_told_by_group_task_and_shape(report):
    part = stage_part(report(result()))
    assert [row[:3] for row in rows(part.one("table", class_="parts"))] == [
        ["Convolution01.1 Convolution, forward", "3 of 5", "48 of 80"],
        ["Speed: 2x64x56x56, 3x3", "SLOW", "10 of 20"],
    ]


def test_pending_points_are_named_with_what_they_are_for(report, room, pages):
    part = stage_part(report(result(stage(points=48, pending_points=20, speed=[pending_speed()]))))
    assert "48 of 100 points, 20 pending" in part.text
    assert rows(part.one("table", class_="parts"))[1][2] == "0 of 20 + 20 pending"
    assert "Not measured in this run." in part.one("ul", class_="shapes").text
    room.hand_in("ann.zip", stage=stage(pending_points=20, speed=[pending_speed()]))
    room.grade()
    assert "01_cpu_conv: speed, 2x64x56x56, 3x3" in pages("ann").one(id="summary").text


def test_a_cause_is_told_once_with_its_hint_and_the_cases_that_it_explains(report):
    cases = [flipped("small"), flipped("larger"), flipped("other", op="conv2d_same_forward")]
    causes = stage_part(report(result(stage(cases=cases)))).all("article")
    assert [c.one("h4").text for c in causes] == [
        "WRONG conv2d_forward: flipped kernel",
        "WRONG conv2d_same_forward: flipped kernel",
    ]
    assert "5 outputs differ.\nThe kernel is flipped: w[p] is read." in causes[0].text
    assert "Hint: Read the handout." in causes[0].text
    assert [li.text for li in causes[0].one("ul", class_="names").children] == ["small", "larger"]
    assert "./convkit check 1 --case small" in causes[0].text


def test_formulas_that_differ_are_causes_of_their_own(report):
    cases = [
        flipped(name, mistake="formula", message=f"x\nb[{name}] is missing: `a` instead of `b`.")
        for name in ("map", "row")
    ]
    titles = [
        c.one("h4").text for c in stage_part(report(result(stage(cases=cases)))).all("article")
    ]
    assert titles == [f"WRONG conv2d_forward: b[{n}] is missing" for n in ("map", "row")]


def test_cases_that_fail_for_no_known_reason_are_folded_after_the_first(report):
    cases = [case(n, message=f"{n} differs") for n in ("first", "second", "third")]
    part = stage_part(report(result(stage(cases=cases))))
    articles = part.all("article")
    assert [a.parent.tag for a in articles] == ["section", "details", "details"]
    assert articles[1].parent.one("summary").text == "2 more failing cases of conv2d_forward"


def test_of_a_hidden_case_nothing_is_shown_but_its_public_sentence(report):
    cases = [
        case("twin", hidden=True, message="Stride 2 both ways"),
        case("good", hidden=True, status="PASS", message="One channel"),
    ]
    text = stage_part(report(result(stage(cases=cases)))).text
    assert "Stride 2 both ways" in text and "1 hidden case" in text


@pytest.mark.parametrize(
    "shown", [{"map": MAP}, {"hint": "SECRET"}, {"mistake": "SECRET"}, {"printed": "SECRET"}, {}]
)
def test_a_result_that_reveals_hidden_cases_makes_a_page_that_does_not(report, shown):
    cases = [
        case("twin", hidden=True, message="expected SECRET, got 1", **shown),
        case("good", hidden=True, status="PASS", message=""),  # as --reveal-hidden leaves it
    ]
    page = report(result(stage(cases=cases)))
    assert "SECRET" not in page.text and "NaN" not in stage_part(page).text
    assert "1 hidden case" in page.text


def test_what_does_not_build_and_what_is_not_started_is_said_once(report):
    why = "`f` is in `a.cpp`, which does not compile"
    cases = [case(n, op=n, status="BUILD_FAILED", message=why) for n in ("f", "g")]
    cases += [case(n, op=n, status="NOT_STARTED", message="Not yet.") for n in ("h", "i")]
    cases += [case(n, op=n, status="SKIPPED", message="Skipped: too late.") for n in ("j", "k")]
    failed = [{"file": "a.cpp", "status": "BUILD_FAILED", "message": "a.cpp:1: what is this?"}]
    part = stage_part(report(result(stage(cases=cases, failed_files=failed, log="warning: x"))))
    assert len(part.all("article")) == 1
    assert "h, i: nothing was written yet." in part.text
    assert "2 cases: Skipped: too late." in part.text
    assert "a.cpp:1: what is this?" in part.text
    assert "Build log (1 warning)" in [s.text for s in part.all("summary")]


def test_what_was_printed_and_the_build_log_are_folded(report):
    cases = [case("one", printed="debug 42")]
    part = stage_part(report(result(stage(cases=cases, log="compiler says", notes=["Look."]))))
    folds = {d.one("summary").text: d.text for d in part.all("details")}
    assert "debug 42" in folds["What it printed"] and "compiler says" in folds["Build log"]
    assert "All 1 case" in folds and "Look." in [li.text for li in part.all("li")]


def test_kit_device_sandbox_and_nonce_that_judged_are_named(report):
    facts = dict(rows(report(result()).one(id="judged").one("table")))
    assert facts["Kit"] == "1.2.3" and facts["Device"] == "cpu" and facts["Nonce"] == "b" * 64
    assert facts["Sandbox"] == "Landlock + seccomp" and facts["Compiler"] == "g++ 12"
    assert facts["Visible cases of 01_cpu_conv"] == "5, manifest " + "c" * 64


def test_a_submission_that_could_not_be_read_says_why(report):
    page = report(result(stages=[], error="`x.zip` is no archive.", points=0))
    assert "x.zip is no archive." in page.one(id="summary").text


# Pictures


def test_the_map_is_drawn_with_a_legend_and_told_in_words(report):
    figure = stage_part(report(result(stage(cases=[case(map=MAP)])))).one("figure", class_="map")
    picture = figure.one("svg", class_="cells")
    drawn = {p.attributes["class"]: p.attributes["d"].count("M") for p in picture.all("path")}
    rows_ = MAP.split("\n", 1)[1]
    assert drawn["state-wrong"] == rows_.count("#") and drawn["state-right"] == rows_.count(".")
    assert drawn["state-nan"] == rows_.count("N")
    assert picture.attributes["aria-label"] == (
        "Map of y[0,1,:,:], 8 x 6. 6 of 24 cells wrong, in rows 1 to 2 and columns 1 to 5. "
        "2 of 24 cells NaN, in row 3 and columns 0 to 1."
    )
    assert [li.text for li in figure.all("li")] == ["right", "wrong", "NaN"]
    assert [t.text for t in picture.all("text")] == ["0", "0", "5", "7"]
    assert figure.one("pre").text == MAP


def test_a_map_of_another_form_stays_text(report):
    for text in ("nothing known", "y, 2 x 2: . right\n..\n.", "y, 2 x 2: . right\n.x\n.."):
        part = stage_part(report(result(stage(cases=[case(map=text)]))))
        assert part.one("pre", class_="map-text").text == text
        assert not part.all("figure")


def test_speeds_lie_on_a_logarithmic_axis_between_the_tiers(report):
    part = stage_part(report(result()))
    picture = part.one("svg", class_="speed")
    ticks = [
        float(re.match(r"M([\d.]+)", t.attributes["d"])[1])
        for t in picture.all("path", class_="tick")
    ]
    dot = float(picture.one("circle").attributes["cx"])
    assert math.isclose(dot, sum(ticks) / 2, abs_tol=0.1)  # 4 lies between 1 and 16
    line = picture.one("path", class_="quartiles").attributes["d"]
    low, high = float(re.match(r"M([\d.]+)", line)[1]), float(re.search(r"H([\d.]+)", line)[1])
    assert low < dot < high
    assert "×4 the baseline; quartiles ×3.5 to ×4.5; 7 rounds" in part.text
    assert "points: none at ×1, all at ×16" in part.text


def test_a_shape_that_the_kit_does_not_know_has_its_baseline_all_the_same(report):
    part = stage_part(report(result(stage(speed=[speed("gone")]))))
    assert "×1 baseline" in part.one("svg", class_="speed").text


# A student of a book


def test_a_student_reads_attempts_lateness_and_points_by_hand(room, pages):
    room.course(
        '[grading]\nlate_percent_per_day = 10\n[deadlines]\n"01_cpu_conv" = 2026-10-15T12:00:00Z\n'
    )
    room.hand_in("ann.zip", "2026-10-14T12:00:00+00:00", stage=stage(points=10))
    room.grade()
    room.hand_in("ann.zip", "2026-10-16T11:00:00+00:00", stage=stage(points=58))
    room.grade()
    room.run("points", "ann", 1, 2.5, "--reason", "explained it well")
    page = pages("ann")
    context = page.one("ul", class_="context").text
    assert "Attempt 2 of 2 counts, handed in 2026-10-16 11:00 UTC." in context
    assert "Due 2026-10-15 12:00 UTC." in context
    assert "Late: 90 % of 58 points count." in context
    assert "By hand: +2.5 points." in context and "In the book: 54.7 of 100 points." in context
    by_hand = next(t for t in page.all("table") if t.one("caption").text == "Points by hand")
    assert rows(by_hand)[0][:3] == ["01_cpu_conv", "+2.5", "explained it well"]
    assert len(rows(page.one(id="attempts").one("table"))) == 2
    assert "54.7 of 100 points" in page.one(id="summary").text


def test_both_devices_are_named_where_both_judged(room, pages):
    room.hand_in("ann.zip", untimed=True)
    room.grade("--no-speed")
    room.grade("--device", "gpu")
    facts = [dict(rows(t)) for t in pages("ann").one(id="judged").all("table")]
    assert [f["Device"] for f in facts] == ["cpu", "H200"]


def test_who_handed_nothing_in_has_a_page_too(room, pages):
    room.hand_in("ann.zip", stage=stage())
    room.grade("--roster", room.roster("login,name\nann,Ann\nbob,Bob\n"))
    assert "nothing handed in" in pages("bob").text


# The class


def test_staff_read_what_many_get_wrong_and_who(room, pages):
    room.hand_in("ann.zip", n=1, stage=stage(cases=[flipped("d"), flipped("e"), case("f")]))
    room.hand_in("bob.zip", n=2, stage=stage(cases=[flipped("e")]))
    room.hand_in("eve.zip", n=3, stage=stage(cases=[], status="POLICY", message="It calls fork()."))
    room.grade()
    mistakes = pages().one(id="mistakes").one("ol").children
    assert mistakes[0].one("div", class_="how-many").text == "2 students"
    assert mistakes[0].one("h4").text == "conv2d_forward: flipped kernel"
    told = [m.text for m in mistakes]
    assert "The kernel is flipped: w[p] is read." in told[0] and "ann, bob" in told[0]
    assert "1 student" in told[1]
    assert any("calls what is not allowed" in t and "eve" in t for t in told)
    assert [a.attributes["href"] for a in mistakes[0].all("a")] == [
        "students/ann.html",
        "students/bob.html",
    ]


def test_of_many_students_some_are_named_at_once_and_the_others_folded(room, pages):
    for number in range(11):
        room.hand_in(f"s{number:02}.zip", n=number, stage=stage(cases=[flipped("d")]))
    room.grade()
    mistake = pages().one(id="mistakes").one("ol").children[0]
    folds = {d.one("summary").text: len(d.all("a")) for d in mistake.all("details")}
    assert len(mistake.all("a")) == 11 and folds["3 more"] == 3


def test_staff_see_progress_distribution_and_speeds(room, pages):
    good = [case("a", status="PASS", message="")]
    room.hand_in("ann.zip", n=1, stage=stage(status="PASS", points=100, cases=good))
    room.hand_in("bob.zip", n=2, stage=stage(points=15))
    room.hand_in("eve.zip", n=3, stage=stage(points=0, speed=[pending_speed()]))
    room.grade("--roster", room.roster("login\nann\nbob\neve\nmax\n"))
    page = pages()
    progress = rows(page.one(id="progress").one("table"))[0]
    assert progress[:6] == ["01_cpu_conv", "3 of 4", "1", "1", "1", "15 of 100"]
    histogram = page.one("svg", class_="histogram")
    assert [t.text for t in histogram.all("text", class_="value")] == ["1", "1", "1"]
    assert histogram.attributes["aria-label"] == (
        "Students by share of the points of 01_cpu_conv: 1 from 0 to 10 %, 1 from 10 to 20 %, "
        "1 from 90 to 100 %."
    )
    speeds = page.one(id="speed")
    assert speeds.one("path", class_="dots").attributes["d"].count("M") == 2
    assert "2 students: ×4 to ×4, median ×4; 1 pending." in speeds.text


def test_a_page_and_the_terminal_tell_the_same_quartiles(room, pages, capsys):
    for number, points in enumerate((0, 15, 40, 100)):
        room.hand_in(f"student{number}.zip", n=number, stage=stage(points=points))
    room.grade()
    assert "quartiles 11.25, 27.5, 55 of 100 points" in pages().one("figcaption").text
    capsys.readouterr()
    assert room.run("stats") == 0
    assert "quartiles 11.25, 27.5, 55\n" in capsys.readouterr().out


def test_staff_see_whose_submissions_need_them(room, pages):
    room.hand_in("ann.zip", do="crash")
    room.hand_in("stranger.zip")
    room.grade("--roster", room.roster("login\nann\n"))
    text = pages().one(id="attention").text
    assert 'class match "stranger" LOGIN' in text and "GRADER_ERROR  it broke" in text
    assert "it broke" not in pages("ann").text
    assert "no fault of yours" in pages("ann").text


def test_the_table_of_students_links_to_every_page(room, pages):
    for name in ("ann", "bob"):
        room.hand_in(f"{name}.zip", note=name)
    room.grade()
    table = pages().one(id="students").one("table", class_="sortable")
    for link in table.all("a"):
        assert (room.folder / "pages" / link.attributes["href"]).is_file()
    assert [row[:2] for row in rows(table)] == [["ann", "ann"], ["bob", "bob"]]


def test_pages_of_a_student_who_is_forgotten_go_and_other_files_stay(room, pages):
    for name in ("ann", "bob"):
        room.hand_in(f"{name}.zip", note=name)
    room.grade()
    pages()
    other = room.folder / "pages/students/notes.html"
    other.write_text("<p>mine")
    room.run("forget", "ann")
    pages()
    left = {file.name for file in (room.folder / "pages/students").iterdir()}
    assert left == {"bob.html", "notes.html"}
    assert "ann" not in (room.folder / "pages/index.html").read_text()


def test_every_login_has_a_file_name_of_its_own_inside_the_folder():
    logins = [
        "ann",
        "Ann",
        "../../x",
        "a/b",
        "a b",
        "=cmd()",
        "\u202eevil",
        "con.",
        "é",
        "ann-",
        "x" * 300,
    ]
    names = page_names([Student(login) for login in logins])
    hashed = names["Ann"].removesuffix(".html")
    again = page_names([Student("Ann"), Student(hashed)])
    assert len(set(names.values())) == len(logins) and len(set(again.values())) == 2
    assert names["ann"] == "ann.html"
    for file in names.values():
        assert re.fullmatch(r"[a-z0-9-]{1,64}\.html", file), file


def test_what_is_no_result_is_refused_in_a_sentence(room, capsys):
    file = room.folder / "x.json"
    assert room.run("report", "--result", file) == 2
    for text in ("no json", "[]", "{}", '{"schema": "convkit-result-1", "stages": [3]}'):
        file.write_text(text)
        assert room.run("report", "--result", file) == 2
    assert len(capsys.readouterr().err.splitlines()) == 5
    file.write_text(json.dumps(result()))
    assert room.run("report", "--result", file) == 0 and file.with_suffix(".html").is_file()
    assert room.run("report", "--result", file, "--out", room.folder) == 2

# SPDX-License-Identifier: MIT
"""`class similar`: what submissions share beyond what everybody was given, and what it does not
say."""

import io
import random
import re
import sys
import tarfile
import zipfile
from html.parser import HTMLParser
from pathlib import Path

import pytest
from conftest import ROOT
from convkit_class.batch import Files
from convkit_class.book import Book, Student
from convkit_class.similarity import archives
from convkit_class.similarity.compare import THRESHOLD
from convkit_class.similarity.fingerprints import K, W, hashes, winnow
from convkit_class.similarity.sources import StageText
from convkit_class.similarity.tokens import Vocabulary

sys.path.append(str(Path(__file__).with_name("similar")))

from disguises import disguised
from measure import bases, measured, precision_and_recall

BASES = bases()
POOLING, CONV2D, DENSE = BASES["pooling"], BASES["conv2d"], BASES["dense"]


@pytest.fixture
def compared(room, capsys):
    """Hands in, and gives what `class similar` prints."""
    room.set("CONVKIT_ROOT", str(ROOT))
    book = Book(room.book, create=True)

    def hand_in(login, files, *, team="", at="2026-10-01", source=None, archive=None):
        """`files`: texts by path, or bytes of one file."""
        book.put_student(Student(login, team=team))
        source = source or f"{login}.zip"
        number = len(book.submissions())
        submission = book.add_submission(login, login, source, f"{number}", f"{at}T00:00:00Z")
        folder = Files(room.book).folder / f"submissions/{submission.id}"
        for path, content in files.items():
            file = folder / path if archive is None else room.folder / "unused"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content if isinstance(content, bytes) else content.encode())
        return folder

    def similar(*words):
        capsys.readouterr()
        assert room.run("similar", *words) == 0
        return capsys.readouterr().out

    similar.hand_in, similar.book = hand_in, book
    return similar


def pairs_of(said):
    """{(login, login)} of the table."""
    rows = re.findall(r"(?m)^ +(\d+) %  (\S+) +(\S+) +\d+ %", said)
    return {(one, other) for _, one, other in rows}


def copy_of(source, seed="x"):
    return disguised(source, "all of these", seed)


# The figures


@pytest.fixture(scope="module")
def pairs():
    return measured()


def test_no_honest_pair_reaches_the_threshold_and_nearly_all_copies_do(pairs):
    honest = [p for p in pairs if p.kind == "honest"]
    copies = [p for p in pairs if p.kind != "honest"]
    assert len(honest) >= 40 and len(copies) >= 40
    precision, recall = precision_and_recall(pairs, THRESHOLD)
    assert precision == 1, [p for p in honest if p.share >= THRESHOLD]
    assert recall >= 0.98, [p for p in copies if p.share < THRESHOLD]


def test_the_threshold_is_well_above_the_most_alike_honest_pair(pairs):
    most = max(p.share for p in pairs if p.kind == "honest")
    assert most <= THRESHOLD - 0.09


def test_every_copy_that_was_not_rewritten_is_found(pairs):
    missed = [
        p
        for p in pairs
        if p.kind not in ("honest", "all, and dead statements and long assignments")
        and p.share < THRESHOLD
    ]
    assert not missed


def test_the_document_has_these_figures(pairs):
    document = (ROOT / "docs/similarity.md").read_text()
    for kind in {p.kind for p in pairs}:
        shares = [p.share for p in pairs if p.kind == kind]
        mean = sum(shares) / len(shares)
        row = f"| {len(shares)} | {min(shares):.0%} | {mean:.0%} | {max(shares):.0%} |"
        assert f"| {kind} {row}" in document
    precision, recall = precision_and_recall(pairs, THRESHOLD)
    assert f"precision {precision:.0%}, recall {recall:.1%}" in " ".join(document.split())
    assert f"k = {K}" in document and f"w = {W}" in document


# Tokens and fingerprints


def test_names_comments_layout_and_literals_do_not_change_the_tokens():
    one = "int a = f(b, 1.5f); // x\nfor (int i = 0; i < n; ++i) { sum += v[i] * 2; }"
    other = 'const long\nzz=gg(yy,7);/* "y" */for(size_t q=1;q<=m;q++)\n total+=data[q]*0x1F;'
    vocabulary = Vocabulary()
    assert vocabulary.codes(one) == vocabulary.codes(other)


def test_what_a_writer_cannot_choose_stays():
    vocabulary = Vocabulary("struct Shape { int pad_h; int oh(); }; void conv(Shape s);")
    for one, other in (
        ("s.pad_h", "s.width"),
        ("threadIdx.x", "threadIdx.y"),
        ("conv(x)", "mine(x)"),
        ("std::max(a, b)", "std::min(a, b)"),
        ("a + b", "a - b"),
        ("__syncthreads()", "wait()"),
    ):
        assert vocabulary.codes(one) != vocabulary.codes(other), one
    assert vocabulary.codes("int max = end;") == vocabulary.codes("int largest = stop;")


@pytest.mark.parametrize("text", ["/* open", '"open', "'", "\\", "#include", "int x; /*/", ""])
def test_text_that_is_no_cpp_is_read_all_the_same(text):
    vocabulary = Vocabulary()
    assert len(vocabulary.codes(text)) == len(vocabulary.places(text))


def test_every_token_has_its_place_in_the_text():
    vocabulary = Vocabulary(StageText(ROOT, "01_cpu_conv").headers)
    for styles in BASES.values():
        for source in styles.values():
            places = vocabulary.places(source)
            assert len(places) == len(vocabulary.codes(source))
            assert all(a < b for a, b in places)
            assert places == sorted(places)


def test_fingerprints_of_a_source_are_the_same_whoever_else_handed_in():
    fresh, used = Vocabulary(), Vocabulary()
    used.codes(CONV2D["plain"])
    source = DENSE["unrolled"]
    assert hashes(fresh.codes(source)) == hashes(used.codes(source))


def test_a_shared_run_of_k_plus_w_minus_1_tokens_always_has_a_common_fingerprint():
    chance = random.Random(1)
    for _ in range(300):
        run = [chr(chance.randrange(40, 60)) for _ in range(K + W - 1)]
        texts = []
        for _ in range(2):
            around = [chr(chance.randrange(40, 60)) for _ in range(60)]
            cut = chance.randrange(60)
            texts.append("".join(around[:cut] + run + around[cut:]))
        one, other = ({value for value, _ in winnow(hashes(text))} for text in texts)
        assert one & other


def test_fewer_than_k_tokens_have_no_fingerprint():
    assert winnow(hashes("a" * (K - 1))) == []
    assert winnow(hashes("a" * K)) != []


# What is listed


def test_a_disguised_copy_is_listed_and_an_honest_solution_is_not(compared):
    compared.hand_in("ann", {"01_cpu_conv/pooling.cpp": POOLING["flags"]})
    compared.hand_in("bob", {"pooling.cpp": copy_of(POOLING["flags"])})
    compared.hand_in("eve", {"work/pooling.cpp": POOLING["clipped"]})
    said = compared("--stage", "1")
    assert pairs_of(said) == {("ann", "bob")}
    assert "3 submissions, 1 pair to look at" in said


def test_members_of_a_team_are_not_compared(compared):
    compared.hand_in("ann", {"pooling.cpp": POOLING["flags"]}, team="red")
    compared.hand_in("bob", {"pooling.cpp": POOLING["flags"]}, team="red")
    compared.hand_in("eve", {"pooling.cpp": POOLING["flags"]}, team="blue")
    assert pairs_of(compared()) == {("ann", "eve"), ("bob", "eve")}


def test_a_group_of_gradescope_is_one_and_two_equal_archives_are_two(compared):
    compared.book.put_student(Student("ann"))
    for login, source, sha256 in (
        ("ann", "submission_1", "1"),
        ("bob", "submission_1", "1"),
        ("eve", "conv.zip", "2"),
        ("max", "conv.zip", "2"),
    ):
        compared.book.put_student(Student(login))
        submission = compared.book.add_submission(
            login, login, source, sha256, "2026-10-01T00:00:00Z"
        )
        folder = Files(compared.book.file).folder / f"submissions/{submission.id}"
        folder.mkdir(parents=True)
        style = "flags" if source == "conv.zip" else "clipped"
        (folder / "pooling.cpp").write_text(POOLING[style])
    said = compared("--stage", "1")
    assert pairs_of(said) == {("eve", "max")}
    assert "3 submissions" in said


def test_starters_share_nothing(compared):
    files = {
        f"01_cpu_conv/{p.name}": p.read_text() for p in (ROOT / "starter/01_cpu_conv").iterdir()
    }
    compared.hand_in("ann", files)
    compared.hand_in("bob", files)
    assert "2 submissions, no pairs to look at" in compared("--stage", "1")


def small_kit(room, *, handout="", solution=""):
    """With one stage that has little; "a.cpp" is its file."""
    root = room.folder / "small"
    stage = root / "assignments/01_small"
    stage.mkdir(parents=True)
    (stage / "stage.toml").write_text('files = ["a.cpp"]\n')
    (stage / "README.md").write_text(f"Text.\n\n```cpp\n{handout}\n```\n\nText.\n")
    (root / "solutions/01_small").mkdir(parents=True)
    (root / "solutions/01_small/a.cpp").write_text(solution)
    room.set("CONVKIT_ROOT", str(root))


def test_code_of_the_handout_does_not_count(room, compared):
    small_kit(room, handout=POOLING["flags"])
    for login in ("ann", "bob"):
        compared.hand_in(login, {"a.cpp": disguised(POOLING["flags"], "renamed", login)})
    assert pairs_of(compared()) == set()
    (room.folder / "small/assignments/01_small/README.md").unlink()
    assert pairs_of(compared()) == {("ann", "bob")}


def test_what_very_many_have_is_an_idiom_and_what_some_have_is_not(room, compared):
    small_kit(room)
    for number in range(10):
        compared.hand_in(f"s{number}", {"a.cpp": POOLING["flags"]})
    assert "10 submissions, 45 pairs" in compared()
    compared.hand_in("s10", {"a.cpp": POOLING["flags"]})
    said = compared()
    assert "11 submissions, no pairs" in said
    assert "fingerprints that many submissions have were left out" in said


def test_likeness_to_the_reference_solution_is_told_apart(compared, tmp_path):
    solution = (ROOT / "solutions/01_cpu_conv/pooling.cpp").read_text()
    for login in ("ann", "bob"):
        files = {"pooling.cpp": disguised(solution, "other comments and layout", login)}
        compared.hand_in(login, files)
    for login in ("eve", "max"):
        compared.hand_in(login, {"pooling.cpp": POOLING["template"]})
    said = compared("--stage", "1")
    assert "1 more pair shares little but the reference solution." in said
    assert re.search(
        r"Near the reference solution: (ann|bob) \(\d+ %\), (ann|bob) \(\d+ %\)\.", said
    )
    rows = [line for line in said.splitlines() if re.match(r" +\d+ %", line)]
    assert len(rows) == 1 and "eve" in rows[0]
    file = tmp_path / "similar.html"
    compared("--stage", "1", "--out", file)
    page = file.read_text()
    assert re.search(
        r"both are near the reference solution: \d+ % and \d+ %; beyond it they share \d %", page
    )
    rows = re.findall(r"<tr>.*?</tr>", page, re.S)
    listed = [i for i, row in enumerate(rows) if "eve" in row or "ann" in row]
    assert "eve" in rows[listed[0]]  # what the solution explains comes last


def test_a_file_near_the_solution_is_told_apart_also_where_the_rest_is_not(compared):
    """Such as the one obvious program of a small task; and it hides no other file."""
    solution = (ROOT / "solutions/01_cpu_conv/layout.cpp").read_text()
    own = {"ann": ("helpers", "flags"), "bob": ("padded_copy", "template")}
    for login, (conv2d, pooling) in own.items():
        files = {"conv2d.cpp": CONV2D[conv2d], "pooling.cpp": POOLING[pooling]}
        compared.hand_in(login, {"layout.cpp": solution} | files)
    said = compared("--stage", "1")
    assert "2 submissions, no pairs to look at" in said
    assert "1 more pair shares little but the reference solution." in said
    files = {"conv2d.cpp": CONV2D["plain"], "pooling.cpp": copy_of(POOLING["flags"])}
    compared.hand_in("eve", {"layout.cpp": solution} | files)
    said = compared("--stage", "1")
    assert pairs_of(said) == {("ann", "eve")}
    assert "ann, eve: this file is near the reference solution: 100 %; beyond it" in said


def test_one_copied_file_of_several_is_listed_with_its_name(compared):
    own = {"ann": ("helpers", "algorithms"), "bob": ("padded_copy", "outer_product")}
    for login, (conv2d, dense) in own.items():
        compared.hand_in(
            login,
            {
                "conv2d.cpp": CONV2D[conv2d],
                "dense.cpp": DENSE[dense],
                "mine.h": POOLING["template" if login == "ann" else "rows_then_columns"],
                "pooling.cpp": disguised(POOLING["flags"], "renamed", login),
            },
        )
    said = compared("--stage", "1")
    assert pairs_of(said) == {("ann", "bob")}
    assert "ann: pooling.cpp" in said or "bob: pooling.cpp" in said


def test_the_latest_submission_that_has_the_stage_counts(compared):
    compared.hand_in("ann", {"pooling.cpp": POOLING["flags"]})
    compared.hand_in("bob", {"pooling.cpp": POOLING["flags"]}, at="2026-10-01")
    compared.hand_in("bob", {"tiled.cu": BASES["tiled"]["weights_too"]}, at="2026-10-02")
    assert pairs_of(compared()) == {("ann", "bob")}
    compared.hand_in("bob", {"pooling.cpp": POOLING["template"]}, at="2026-10-03")
    assert pairs_of(compared()) == set()


def test_files_of_another_stage_in_the_same_folder_are_that_stages(compared):
    compared.hand_in(
        "ann", {"conv2d.cpp": CONV2D["plain"], "tiled.cu": BASES["tiled"]["weights_too"]}
    )
    compared.hand_in(
        "bob", {"conv2d.cpp": CONV2D["helpers"], "tiled.cu": BASES["tiled"]["weights_too"]}
    )
    assert "01_cpu_conv: 2 submissions, no pairs" in compared()
    assert "03_tiled_conv: 2 submissions, 1 pair" in compared()


# Archives


def zipped(files):
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return data.getvalue()


def tarred(files, mode):
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode=mode) as archive:
        for name, text in files.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(text)
            archive.addfile(entry, io.BytesIO(text.encode()))
    return data.getvalue()


def test_archives_are_read_also_one_in_another(compared):
    files = {"top/01_cpu_conv/pooling.cpp": POOLING["flags"]}
    packed = {
        "a.zip": zipped(files),
        "b.tar": tarred(files, "w"),
        "c.tar.gz": tarred(files, "w:gz"),
        "d.tar.xz": tarred(files, "w:xz"),
        "e.tar.bz2": tarred(files, "w:bz2"),
        "f.zip": zipped({"inner.zip": zipped(files)}),
    }
    for name, data in packed.items():
        compared.hand_in(name[0], {name: data})
    assert len(pairs_of(compared())) == 15


def test_names_that_lead_outside_write_nothing_and_links_are_not_followed(room, compared):
    secret = room.folder / "pooling.cpp"
    secret.write_text(POOLING["template"])
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w") as archive:
        link = tarfile.TarInfo("pooling.cpp")
        link.type, link.linkname = tarfile.SYMTYPE, str(secret)
        archive.addfile(link)
        outside = tarfile.TarInfo("../../../pooling.cpp")
        outside.size = 3
        archive.addfile(outside, io.BytesIO(b"int"))
    before = sorted(room.folder.rglob("*"))
    file = room.folder / "x.tar"
    file.write_bytes(data.getvalue())
    assert archives.read_sources(file) == {"x.tar/../../../pooling.cpp": "int"}
    file.unlink()
    assert sorted(room.folder.rglob("*")) == before
    folder = room.folder / "linked"
    folder.mkdir()
    (folder / "pooling.cpp").symlink_to(secret)
    (folder / "more").symlink_to(room.folder)
    assert archives.read_sources(folder) == {}


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("bomb.tar.gz", tarred({"x.bin": "\0" * (65 << 20)}, "w:gz"), "more than 64 MiB unpacked"),
        ("bomb.zip", zipped({f"{n}.h": "a" * 200_000 for n in range(20)}), "more than 2 MiB"),
        ("many.zip", zipped({f"{n}.txt": "" for n in range(2001)}), "more than 2000 files"),
        ("cut.zip", zipped({"pooling.cpp": "int x;"})[:-30], "cannot be read"),
        ("cut.tar.gz", tarred({"pooling.cpp": "int x;"}, "w:gz")[:-20], "cannot be read"),
        ("odd.tar.zst", b"(\xb5/\xfd", "does not read"),
    ],
    ids=["tar bomb", "many bytes", "many files", "cut zip", "cut tar", "zst"],
)
def test_what_cannot_be_read_is_said_and_stops_nothing(compared, name, data, said):
    compared.hand_in("ann", {"pooling.cpp": POOLING["flags"]})
    compared.hand_in("bob", {"pooling.cpp": POOLING["flags"]})
    compared.hand_in("eve", {name: data})
    printed = compared()
    assert pairs_of(printed) == {("ann", "bob")}
    (line,) = [line for line in printed.splitlines() if line.startswith("UNREAD  eve")]
    assert said in line


def test_a_copy_that_is_no_longer_beside_the_book_is_said(compared):
    for login in ("ann", "bob"):
        compared.hand_in(login, {"pooling.cpp": POOLING["flags"]})
    (compared.hand_in("eve", {"pooling.cpp": ""}) / "pooling.cpp").unlink()
    compared.book.add_submission("eve", "eve", "gone.zip", "gone", "2026-10-02T00:00:00Z")
    said = compared()
    assert "UNREAD  eve, gone.zip: Its copy beside the book is not there." in said
    assert pairs_of(said) == {("ann", "bob")}


# The page


class _Seen(HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.tags, self.ids, self.links, self.text = [], set(), set(), []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        found = dict(attrs)
        assert not {"src", "style"} & set(found) and not any(k.startswith("on") for k in found)
        self.ids.add(found.get("id"))
        if "href" in found:
            self.links.add(found["href"])

    def handle_data(self, data):
        self.text.append(data)


def page_of(compared, room):
    out = room.folder / "similar.html"
    assert str(out) in compared("--out", out)
    return out.read_text()


def test_the_page_shows_both_sources_with_the_shared_passages_linked(room, compared):
    compared.hand_in("ann", {"pooling.cpp": POOLING["flags"]})
    compared.hand_in("bob", {"pooling.cpp": copy_of(POOLING["flags"])})
    page = page_of(compared, room)
    seen = _Seen(page)
    assert seen.links and all(link[0] == "#" and link[1:] in seen.ids for link in seen.links)
    text = "".join(seen.text)
    for line in POOLING["flags"].splitlines():
        for part in re.split(r"\W+", line):
            assert part in text
    assert "prefers-color-scheme: dark" in page and "viewport" in page


def test_what_students_write_cannot_run_on_the_page(room, compared):
    evil = "// </pre><script>alert(1)</script><img src=x onerror=alert(1)> &lt; \x1b[2J \u202e\n"
    compared.hand_in("ann", {"pooling.cpp": evil + POOLING["flags"]})
    name = "<script>alert(2)</script>"
    compared.hand_in(name, {"pooling.cpp": POOLING["flags"] + evil})
    page = page_of(compared, room)
    seen = _Seen(page)
    assert not {"script", "img", "iframe", "link", "object"} & set(seen.tags)
    assert "http://" not in page and "https://" not in page and "url(" not in page
    assert "\x1b" not in page and "\u202e" not in page
    assert evil[:20] in "".join(seen.text)


def test_nobody_is_accused(room, compared):
    compared.hand_in("ann", {"pooling.cpp": POOLING["template"]})
    compared.hand_in("bob", {"pooling.cpp": POOLING["template"]})
    said = compared() + re.sub(r"(?s)<pre>.*?</pre>", "", page_of(compared, room))
    assert not re.search(r"(?i)plagiar|cheat|copied|copies|guilt|suspect|dishonest|stole", said)
    assert "Look at both sources, and talk to both students" in " ".join(said.split())


def test_a_place_that_cannot_be_written_and_an_unknown_stage_are_said(room, compared, capsys):
    assert room.run("similar", "--out", room.folder / "no/such/folder.html") == 2
    assert "cannot be written" in capsys.readouterr().err
    assert room.run("similar", "--stage", "99") == 2
    assert "no stage 99" in capsys.readouterr().err
    assert "Nobody has handed in a file of a stage." in compared()

# SPDX-License-Identifier: MIT
"""datasets/fetch.py with a server on this machine."""

import hashlib
import http.server
import importlib.util
import re
import threading
from pathlib import Path

import pytest

_PATH = Path(__file__).resolve().parents[2] / "datasets" / "fetch.py"
_SPEC = importlib.util.spec_from_file_location("fetch", _PATH)
CONTENT = bytes(range(256)) * 700


class _Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        server = self.server
        start = int(self.headers.get("Range", "bytes=0-")[6:-1])
        server.starts.append(start)
        body = server.content.get(self.path)
        if body is None:
            self.send_error(404)
            return
        if not server.ranges:
            start = 0
        self.send_response(206 if start else 200)
        self.send_header("Content-Length", str(len(body) - start))
        self.end_headers()
        self.wfile.write(body[start:])

    def log_message(self, *arguments):
        pass


@pytest.fixture
def fetch(monkeypatch):
    import sys

    module = importlib.util.module_from_spec(_SPEC)
    monkeypatch.setitem(sys.modules, "fetch", module)
    _SPEC.loader.exec_module(module)
    return module


@pytest.fixture
def server(fetch, monkeypatch):
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), _Handler) as server:
        server.starts, server.ranges = [], True
        server.content = {"/mnist/digits.gz": CONTENT}
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        address = f"http://127.0.0.1:{server.server_port}"
        file = fetch.File("digits.gz", len(CONTENT), hashlib.sha256(CONTENT).hexdigest())
        monkeypatch.setattr(fetch, "FILES", {"mnist": (file,)})
        monkeypatch.setattr(fetch, "MIRRORS", {"mnist": (f"{address}/gone/", f"{address}/mnist/")})
        yield server
        server.shutdown()
        thread.join()


def test_a_file_comes_from_the_first_mirror_that_has_it(fetch, server, tmp_path):
    assert fetch.main(["--to", str(tmp_path)]) == 0
    assert (tmp_path / "mnist" / "digits.gz").read_bytes() == CONTENT
    assert [path.name for path in (tmp_path / "mnist").iterdir()] == ["digits.gz"]


def test_a_file_that_is_right_is_not_fetched_again(fetch, server, tmp_path):
    fetch.main(["--to", str(tmp_path)])
    server.starts.clear()
    assert fetch.main(["--to", str(tmp_path)]) == 0
    assert server.starts == []


@pytest.mark.parametrize("ranges", [True, False])
def test_a_download_is_continued_if_the_server_supports_it(ranges, fetch, server, tmp_path):
    server.ranges = ranges
    (tmp_path / "mnist").mkdir()
    (tmp_path / "mnist" / "digits.gz.part").write_bytes(CONTENT[:1000])
    assert fetch.main(["--to", str(tmp_path)]) == 0
    assert 1000 in server.starts
    assert (tmp_path / "mnist" / "digits.gz").read_bytes() == CONTENT


@pytest.mark.parametrize(
    ("sent", "reason"),
    [
        (CONTENT[:-1] + b"x", "has the right size but the wrong sha256"),
        (CONTENT + b"x", f"has {len(CONTENT) + 1} bytes, not {len(CONTENT)}"),
        (CONTENT[:-1], f"has {len(CONTENT) - 1} bytes, not {len(CONTENT)}"),
        (None, "Not Found"),
    ],
)
def test_wrong_content_is_never_kept_under_the_files_name(
    sent, reason, fetch, server, tmp_path, capsys
):
    server.content["/mnist/digits.gz"] = sent
    assert fetch.main(["--to", str(tmp_path)]) == 1
    assert not (tmp_path / "mnist" / "digits.gz").exists()
    message = capsys.readouterr().err
    assert reason in message and message.count("\n") == 1


def test_a_damaged_file_is_fetched_again(fetch, server, tmp_path):
    (tmp_path / "mnist").mkdir()
    (tmp_path / "mnist" / "digits.gz").write_bytes(b"damaged")
    assert fetch.main(["--to", str(tmp_path)]) == 0
    assert (tmp_path / "mnist" / "digits.gz").read_bytes() == CONTENT


def test_without_a_network_it_says_what_to_do(fetch, server, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(fetch, "MIRRORS", {"mnist": ("https://mirror.invalid/",)})
    assert fetch.main(["--to", str(tmp_path)]) == 1
    message = capsys.readouterr().err
    assert "digits.gz could not be fetched (https://mirror.invalid/:" in message
    assert "Without a network, copy the file there" in message


def test_check_names_what_is_missing_and_fetches_nothing(fetch, server, tmp_path, capsys):
    assert fetch.main(["--to", str(tmp_path), "--check"]) == 1
    assert f"{tmp_path / 'mnist' / 'digits.gz'} is missing." in capsys.readouterr().err
    assert server.starts == []


def test_an_unknown_dataset_is_named(fetch, capsys):
    with pytest.raises(SystemExit) as exit:
        fetch.main(["cifar"])
    assert exit.value.code == 2
    assert 'unknown dataset "cifar"; there are: mnist, fashion-mnist' in capsys.readouterr().err


def test_the_table_in_the_readme_is_the_one_in_the_code(fetch):
    readme = _PATH.with_name("README.md").read_text()
    for dataset, files in fetch.FILES.items():
        for file in files:
            assert f"| {dataset}/{file.name} | {file.bytes} | {file.sha256} |" in readme
    assert all(mirror.startswith("https://") for m in fetch.MIRRORS.values() for mirror in m)


def test_the_checksums_that_convkit_train_compares_with_are_the_ones_in_the_code(fetch):
    source = _PATH.parents[1] / "runtime" / "src" / "datasets.cpp"
    said = re.findall(
        r'Dataset::(\w+), "([^"]+)",\s*"([0-9a-f]{64})"', source.read_text(encoding="utf-8")
    )
    names = {"mnist": "mnist", "fashion-mnist": "fashion_mnist"}
    wanted = [
        (names[dataset], file.name, file.sha256)
        for dataset, files in fetch.FILES.items()
        for file in files
    ]
    assert sorted(said) == sorted(wanted)

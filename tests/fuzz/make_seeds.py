# SPDX-License-Identifier: MIT
"""Writes the first inputs of the fuzz targets, from visible data of the kit, and what fuzzing has
found (found.toml).

python3 tests/fuzz/make_seeds.py FOLDER: one folder for each target, FOLDER/npz, ...
"""

import base64
import gzip
import io
import json
import struct
import sys
import tarfile
import zipfile
from pathlib import Path

try:
    import tomllib
except ImportError:  # Python 3.10
    import tomli as tomllib

ROOT = Path(__file__).resolve().parents[2]
SOURCE = b"int f() { return 1; }\n"
LIMIT = b"\x10"  # the first byte of binary inputs: a limit of 2^16 bytes


class Seeds:
    def __init__(self, folder: Path):
        self.folder = folder

    def write(self, target: str, name: str, content: bytes) -> None:
        (self.folder / target).mkdir(parents=True, exist_ok=True)
        (self.folder / target / name).write_bytes(content)


def small_arrays() -> dict[str, bytes]:
    """The .npy files of the smallest visible case of each kind of array."""
    with zipfile.ZipFile(ROOT / "reference_data/visible/01_cpu_conv/cases.npz") as archive:
        infos = sorted(archive.infolist(), key=lambda info: info.file_size)
        return {info.filename: archive.read(info) for info in infos[:4]}


def npz(arrays: dict[str, bytes], method: int) -> bytes:
    memory = io.BytesIO()
    with zipfile.ZipFile(memory, "w", method) as archive:
        for name, content in arrays.items():
            archive.writestr(zipfile.ZipInfo(name), content, method)
    return memory.getvalue()


def tar(mode: str, names: list[str]) -> bytes:
    memory = io.BytesIO()
    with tarfile.open(fileobj=memory, mode=mode) as archive:
        for name in names:
            info = tarfile.TarInfo(name)
            info.size = len(SOURCE)
            archive.addfile(info, io.BytesIO(SOURCE))
        link = tarfile.TarInfo("01_a/link")
        link.type, link.linkname = tarfile.SYMTYPE, "conv2d.cpp"
        if "link" in names:
            archive.addfile(link)
    if mode != "w:":
        return memory.getvalue()
    last = len(memory.getvalue().rstrip(b"\0"))  # two blocks of zeros end a tar; more are padding
    return memory.getvalue()[: (last + 511) // 512 * 512 + 1024]


def toml_value(value) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{k} = {toml_value(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(toml_value, value)) + "]"
    return json.dumps(value)


def short_stage(text: str) -> bytes:
    """A stage with the first table of each kind and short words."""
    stage = tomllib.loads(text)
    stage.update(id="01_a", title="t", summary="s", needs=["00_a"])
    task = stage["task"][0]
    stage["files"] = [*stage["files"][:2], task["file"]]
    task.update(title="t", hints=["h"])
    groups = {table.get("group") for key in ("adjoint", "training") for table in stage.get(key, [])}
    stage["group"] = [g for g in stage["group"] if g["name"] in groups][:1] or stage["group"][:1]
    tables = {"task": [task], "group": stage["group"]}
    for key in ("speed", "adjoint", "training", "sweep", "ladder", "chart"):
        tables[key] = [table | {"title": "t"} for table in stage.get(key, [])[:1]]
        for table in tables[key]:
            for entry in [table, *table.get("check", [])]:
                if "task" in entry:
                    entry["task"] = task["id"]
            for inner in ("check", "step", "shape"):
                if isinstance(table.get(inner), list):
                    table[inner] = table[inner][:2]
            if "speed" in table:
                table["speed"] = stage["speed"][0]["name"]
            if "file" in table:
                table["file"] = stage["files"][0]
    lines = [f"{k} = {toml_value(v)}" for k, v in stage.items() if k not in tables]
    for key, entries in tables.items():
        for entry in entries:
            lines.append(f"[[{key}]]")
            lines += [f"{k} = {toml_value(v)}" for k, v in entry.items()]
    return "\n".join(lines).encode()


def write_arrays(seeds: Seeds) -> None:
    arrays = small_arrays()
    for number, content in enumerate(arrays.values()):
        seeds.write("npy", str(number), LIMIT + content)
    seeds.write("npz", "stored", LIMIT + npz(arrays, zipfile.ZIP_STORED))
    seeds.write("npz", "deflated", LIMIT + npz(arrays, zipfile.ZIP_DEFLATED))
    idx = b"\0\0\x08\x03" + struct.pack(">3I", 2, 3, 4) + bytes(range(24))
    seeds.write("idx", "plain", LIMIT + idx)
    seeds.write("idx", "gzip", LIMIT + gzip.compress(idx, mtime=0))


def write_archives(seeds: Seeds) -> None:
    names = ["01_a/conv2d.cpp", "02_b/blur.cu", "02_b/conv2d.cpp", "__MACOSX/._x"]
    memory = io.BytesIO()
    with zipfile.ZipFile(memory, "w") as archive:
        for name, method in zip(names, (0, 8, 12, 14), strict=True):
            archive.writestr(zipfile.ZipInfo(name), SOURCE, method)
    seeds.write("archive", "zip", LIMIT + memory.getvalue())
    for kind in ("", "gz", "bz2", "xz"):
        seeds.write("archive", f"tar_{kind or 'plain'}", LIMIT + tar(f"w:{kind}", names))
    seeds.write("archive", "tar_link", LIMIT + tar("w:", [names[0], "link"]))
    seeds.write("archive", "source", b"\x90" + SOURCE)


def write_texts(seeds: Seeds) -> None:
    for file in sorted((ROOT / "assignments").glob("*/stage.toml")):
        seeds.write("stage", file.parent.name, short_stage(file.read_text()))
    course = (
        'reference = ["01_a"]\n[students]\nbaselines = false\n[weights]\n01_a = 1\n02_b = 2.5\n'
    )
    seeds.write("course", "weights", course.encode())
    for file in sorted((ROOT / "cpu_device/rewrite/tests/fixtures").glob("*.cu")):
        seeds.write("rewriter", file.stem, file.read_bytes())


def write_replies(seeds: Seeds) -> None:
    """Phase, killed, signal, length; the Reply; the FlightRecord (runner/protocol.h)."""
    for kind in range(1, 9):
        phase = 0 if kind == 8 else 1 if kind < 3 else 2
        reply = struct.pack("<4I", 0x636B7231, kind, 0, 7)
        for signal, region in ((11, kind % 4), (31, 0)):
            record = struct.pack("<iiQIIIIq64s512s128s", signal, 59, 4096, region, 2, 0, 0, -3,
                                 b"x", b"std::bad_alloc \x1b[2J", b" leak ")  # fmt: skip
            how = bytes([phase, 1, signal, 16])
            seeds.write("replies", f"{kind}_{signal}", how + reply + record)


def write_found(seeds: Seeds) -> None:
    found = tomllib.loads(Path(__file__).with_name("found.toml").read_text(encoding="utf-8"))
    for one in found["input"]:
        text = one["text"].encode() if "text" in one else base64.b64decode(one["base64"])
        seeds.write(one["target"], one["name"], text)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    seeds = Seeds(Path(sys.argv[1]))
    write_arrays(seeds)
    write_archives(seeds)
    write_texts(seeds)
    write_replies(seeds)
    write_found(seeds)

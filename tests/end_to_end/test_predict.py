# SPDX-License-Identifier: MIT
"""`predict`: photos and scans of digits, and files that are not images."""

import gzip
import json
import os
import struct
import zlib
from pathlib import Path

import numpy as np
import pytest
from driver import PASSED, ROOT, USED_WRONGLY

LENET = """input 1x28x28
conv 6 5x5 pad 2
relu
maxpool 2x2
conv 16 5x5
relu
maxpool 2x2
flatten
dense 120
relu
dense 84
relu
dense 10
softmax
"""
MEAN, DEVIATION = 0.1307, 0.3081


@pytest.fixture(scope="session")
def lenet(tmp_path_factory) -> Path:
    """Stage 01's trained weights as a checkpoint, whose first layer sees normalised pixels."""
    with np.load(ROOT / "reference_data" / "weights" / "lenet_mnist.npz") as file:
        weights = {name: file[name] for name in file.files}
    w, b = weights["conv1_w"], weights["conv1_b"]
    arrays = {"architecture": np.frombuffer(LENET.encode(), np.uint8)}
    arrays["conv1.weight"] = w * np.float32(DEVIATION)
    arrays["conv1.bias"] = b + w.sum(axis=(1, 2, 3)) * np.float32(MEAN)
    arrays["conv2.weight"], arrays["conv2.bias"] = weights["conv2_w"], weights["conv2_b"]
    for i in (1, 2, 3):
        arrays[f"dense{i}.weight"] = weights[f"fc{i}_w"]
        arrays[f"dense{i}.bias"] = weights[f"fc{i}_b"]
    arrays["epoch"] = np.array([3], np.int32)
    path = tmp_path_factory.mktemp("lenet") / "model.npz"
    np.savez(path, **{name: np.ascontiguousarray(array) for name, array in arrays.items()})
    return path


def places():
    chosen = os.environ.get("CONVKIT_DATA")
    yield from [Path(chosen)] if chosen else []
    yield ROOT / "datasets" / "cache"
    yield ROOT.parent / "shared" / "datasets"


@pytest.fixture(scope="session")
def digits():
    """(image [28][28], label): the first two test digits of each class."""
    folder = next((p / "mnist" for p in places() if (p / "mnist").is_dir()), None)
    if folder is None:
        pytest.skip("MNIST is not here: python3 datasets/fetch.py")

    def read(name, offset):
        with gzip.open(folder / name) as file:
            return np.frombuffer(file.read(), np.uint8, offset=offset)

    images = read("t10k-images-idx3-ubyte.gz", 16).reshape(-1, 28, 28)
    labels = read("t10k-labels-idx1-ubyte.gz", 8)
    chosen = [np.flatnonzero(labels == k)[i] for k in range(10) for i in (0, 1)]
    return [(images[i], int(labels[i])) for i in chosen]


def png(array: np.ndarray) -> bytes:
    """Grey [h][w] or RGB [h][w][3]."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        check = zlib.crc32(kind + data)
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", check)

    height, width = array.shape[:2]
    head = struct.pack(">IIBBBBB", width, height, 8, 0 if array.ndim == 2 else 2, 0, 0, 0)
    rows = b"".join(b"\0" + row.tobytes() for row in array)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", head)
        + chunk(b"IDAT", zlib.compress(rows))
        + chunk(b"IEND", b"")
    )


def photo(digit: np.ndarray, random: np.random.Generator, chalk: bool = False) -> np.ndarray:
    """The digit drawn with a pen on paper under a lamp: RGB, larger, off-centre, with noise."""
    side = int(random.integers(9, 15))
    ink = np.kron(digit.astype(np.float64) / 255, np.ones((side, side)))
    for axis in (0, 1):  # strokes of a pen have smooth edges
        kernel = np.ones(side) / side
        ink = np.apply_along_axis(np.convolve, axis, ink, kernel, mode="same")
    height, width = 640, 800
    paper = np.zeros((height, width))
    top = int(random.integers(20, height - ink.shape[0] - 20))
    left = int(random.integers(20, width - ink.shape[1] - 20))
    paper[top : top + ink.shape[0], left : left + ink.shape[1]] = np.clip(1.6 * ink, 0, 1)
    y, x = np.mgrid[0:height, 0:width]
    lamp = np.hypot(
        (x - random.uniform(0, width)) / width, (y - random.uniform(0, height)) / height
    )
    light = 235 / (1 + 1.2 * lamp**2)
    picture = light * (0.25 + 0.75 * paper) if chalk else light * (1 - 0.7 * paper)
    picture = picture[..., None] * np.array([1.0, 0.97, 0.9])
    picture += random.normal(0, 3, picture.shape)
    return np.clip(picture, 0, 255).astype(np.uint8)


def classes(convkit, model, files):
    out = convkit.home / "predicted.json"
    ran = convkit.run("predict", model, *files, "--json", out, timeout=120)
    assert ran.code == PASSED, ran.out + ran.err
    return [image["class"] for image in json.loads(out.read_text())["images"]], ran


def written(folder, pictures, suffix=".png"):
    files = []
    for number, picture in enumerate(pictures):
        files.append(folder / f"{number}{suffix}")
        files[-1].write_bytes(png(picture))
    return files


def test_digits_of_the_data_set_are_recognised(convkit, lenet, digits, tmp_path):
    files = written(tmp_path, [image for image, _ in digits])
    found, ran = classes(convkit, lenet, files)
    assert sum(a == label for a, (_, label) in zip(found, digits)) >= 19
    assert f"{files[0]}: " in ran.out


@pytest.mark.parametrize("chalk", [False, True], ids=["pen on paper", "chalk on a board"])
def test_photos_of_digits_are_recognised(convkit, lenet, digits, tmp_path, chalk):
    random = np.random.default_rng(5)
    files = written(tmp_path, [photo(image, random, chalk) for image, _ in digits])
    found, _ = classes(convkit, lenet, files)
    right = sum(a == label for a, (_, label) in zip(found, digits))
    assert right >= 18, list(zip(found, [label for _, label in digits]))


def test_the_network_gets_a_picture_like_the_one_in_the_data_set(convkit, lenet, digits, tmp_path):
    random = np.random.default_rng(6)
    pictures = [photo(image, random) for image, _ in digits]
    out = tmp_path / "seen.json"
    convkit.run("predict", lenet, *written(tmp_path, pictures), "--json", out, timeout=120)
    alike = []
    for (image, _), told in zip(digits, json.loads(out.read_text())["images"]):
        seen = np.array(told["seen"], np.float64).reshape(28, 28)
        alike.append(np.corrcoef(seen.ravel(), image.astype(np.float64).ravel())[0, 1])
    # The pen is wider than the digit's own stroke, so the pictures are alike but not equal.
    assert min(alike) > 0.8 and np.mean(alike) > 0.9, np.round(alike, 2)


def test_the_probabilities_are_those_of_numpy(convkit, lenet, digits, tmp_path):
    image, _ = digits[0]
    (file,) = written(tmp_path, [image])
    out = tmp_path / "out.json"
    ran = convkit.run("predict", lenet, file, "--json", out)
    told = json.loads(out.read_text())
    assert told["schema"] == "convkit-predict-1"
    (entry,) = told["images"]
    assert entry["seen"] == image.ravel().tolist()
    with np.load(lenet) as arrays:
        expected = forward(arrays, image)
    np.testing.assert_allclose(entry["probabilities"], expected, atol=1e-6)
    shown = [line for line in ran.out.splitlines() if line.startswith("  |")]
    assert len(shown) == 14
    likeliest = int(np.argmax(expected))
    assert any(f"  {likeliest}  {100 * expected[likeliest]:5.1f} %  ===" in line for line in shown)


def forward(arrays, image):
    """LeNet in a few lines, in double."""
    x = ((image.astype(np.float64) / 255 - MEAN) / DEVIATION)[None]
    for name, pad in (("conv1", 2), ("conv2", 0)):
        w, b = arrays[f"{name}.weight"].astype(np.float64), arrays[f"{name}.bias"]
        x = np.pad(x, ((0, 0), (pad, pad), (pad, pad)))
        windows = np.lib.stride_tricks.sliding_window_view(x, (5, 5), axis=(1, 2))
        x = np.maximum(np.einsum("cijpq,mcpq->mij", windows, w) + b[:, None, None], 0)
        c, h, width = x.shape
        x = x.reshape(c, h // 2, 2, width // 2, 2).max(axis=(2, 4))
    x = x.ravel()
    for i in (1, 2, 3):
        x = arrays[f"dense{i}.weight"].astype(np.float64) @ x + arrays[f"dense{i}.bias"]
        x = np.maximum(x, 0) if i < 3 else x
    return np.exp(x - x.max()) / np.exp(x - x.max()).sum()


def test_a_file_that_is_not_an_image_is_named_and_the_others_are_read(convkit, lenet, tmp_path):
    bad, empty = tmp_path / "bad.png", tmp_path / "empty.jpg"
    bad.write_text("not a picture")
    empty.write_bytes(b"")
    blank = tmp_path / "blank.png"
    blank.write_bytes(png(np.full((100, 100), 255, np.uint8)))
    bar = np.full((60, 60), 255, np.uint8)
    bar[10:50, 27:33] = 0
    good = tmp_path / "good.png"
    good.write_bytes(png(bar))
    out = tmp_path / "out.json"
    none = tmp_path / "none.png"
    ran = convkit.run("predict", lenet, bad, empty, blank, none, tmp_path, good, "--json", out)
    assert ran.code == USED_WRONGLY
    assert f"'{bad}' cannot be read as an image" in ran.err
    assert f"'{empty}' is empty." in ran.err
    assert f"'{blank}' shows no stroke that differs from its paper." in ran.err
    assert f"'{none}' does not exist." in ran.err
    assert f"'{tmp_path}' is not a file." in ran.err
    assert f"{good}: 1\n" in ran.out
    images = json.loads(out.read_text())["images"]
    assert ["error" in image for image in images] == [True] * 5 + [False]


@pytest.mark.parametrize("side", [9000, 90000, 2**31 - 1])
def test_a_huge_image_is_refused_before_it_is_decoded(convkit, lenet, tmp_path, side):
    head = struct.pack(">IIBBBBB", side, side, 8, 0, 0, 0, 0)
    chunk = struct.pack(">I", 13) + b"IHDR" + head + struct.pack(">I", zlib.crc32(b"IHDR" + head))
    huge = tmp_path / "huge.png"
    huge.write_bytes(b"\x89PNG\r\n\x1a\n" + chunk + b"\0" * 100)
    ran = convkit.run("predict", lenet, huge)
    assert ran.code == USED_WRONGLY
    assert f"'{huge}' " in ran.err and "64 million" in ran.err


def test_a_checkpoint_that_does_not_fit_names_the_layer(convkit, lenet, tmp_path):
    with np.load(lenet) as file:
        arrays = {name: file[name] for name in file.files}
    arrays["conv2.weight"] = arrays["conv2.weight"][:, :, :3, :3].copy()
    model = tmp_path / "odd.npz"
    np.savez(model, **arrays)
    ran = convkit.run("predict", model, tmp_path / "unread.png")
    assert ran.code == USED_WRONGLY
    assert (
        f"'{model}': `conv2.weight` is float32 [16, 6, 3, 3], but layer conv2 (`conv 16 5x5`) "
        "needs float32 [16, 6, 5, 5]." in ran.err
    )
    model.write_bytes(lenet.read_bytes()[:20000])
    ran = convkit.run("predict", model, tmp_path / "unread.png")
    assert ran.code == USED_WRONGLY and str(model) in ran.err
    ran = convkit.run("predict", tmp_path / "none.npz", tmp_path / "unread.png")
    assert ran.code == USED_WRONGLY and "none.npz" in ran.err

# SPDX-License-Identifier: MIT
"""What people do to a program that is not theirs. Each function takes a source and a generator of
random numbers, and gives the source in its disguise. They need not know C++ well: the sources are
those of honest/, in clang-format's layout."""

import random
import re

_NAME = re.compile(r"(?<![\w.#>])[A-Za-z_]\w*")
_FIXED = set(
    """for if else while do return const float int int64_t long size_t bool double unsigned auto
    void static inline struct template typename namespace using std include sizeof continue break
    constexpr true false extern define min max vector fill fill_n copy_n exp expf log fmax fmaf
    memcpy accumulate inner_product max_element transform for_each numeric_limits infinity begin
    end data size INFINITY FLT_MAX dim3 threadIdx blockIdx blockDim gridDim cmath cfloat cstddef
    algorithm limits numeric cstring math h cpu_conv tile cuh x_size y_size Conv2dShape
    Pool2dShape conv2d_forward max_pool2d_forward avg_pool2d_forward global_avg_pool_forward
    dense_forward softmax_forward conv2d_tiled input_extent tile_origin TileOrigin padded ceil_div
    cudaError_t cudaStream_t cudaGetLastError cudaPeekAtLastError cudaFuncSetAttribute
    cudaFuncAttributeMaxDynamicSharedMemorySize lenet_forward relu_forward leaky_relu_forward
    sigmoid_forward tanh_forward LenetWeights nchw_to_nhwc nhwc_to_nchw same_padding
    conv2d_same_forward conv2d_fast
    unique_ptr make_unique tanh expf tanhf fabs memory""".split()  # noqa: SIM905
)


def renamed(source: str, chance: random.Random) -> str:
    """Every name that is the writer's own gets another one."""
    words = ["idx", "val", "tmp", "cur", "pos", "res", "cnt", "buf", "row_id", "elem", "part"]
    code = re.sub(r'//[^\n]*|"[^"\n]*"|#include[^\n]*', "", source)
    own = sorted({n for n in _NAME.findall(code) if n not in _FIXED and not n.startswith("__")})
    chance.shuffle(own)
    new = {name: f"{chance.choice(words)}{i}" for i, name in enumerate(own)}
    outside = re.compile(r'(//[^\n]*|"[^"\n]*"|#include[^\n]*)')
    parts = outside.split(source)
    return "".join(
        part if i % 2 else _NAME.sub(lambda m: new.get(m.group(), m.group()), part)
        for i, part in enumerate(parts)
    )


def other_comments(source: str, chance: random.Random) -> str:
    lines = [re.sub(r"\s*//[^\n]*", "", line) for line in source.split("\n")]
    said = ["compute the value", "loop", "next element", "check the border", "store"]
    return "\n".join(
        f"{line}  // {chance.choice(said)}" if line.strip() and chance.random() < 0.3 else line
        for line in lines
    )


def other_layout(source: str, chance: random.Random) -> str:
    """Braces on lines of their own, other indentation, blank lines, tabs."""
    lines = []
    for line in source.split("\n"):
        bare = line.lstrip()
        indent = "\t" * ((len(line) - len(bare)) // 2)
        if bare.endswith("{") and "//" not in bare and chance.random() < 0.8:
            lines += [indent + bare[:-1].rstrip(), indent + "{"]
        else:
            lines.append(indent + bare)
        if chance.random() < 0.1 and not bare.startswith("#"):
            lines.append("")
    return "\n".join(lines)


def other_literals(source: str, chance: random.Random) -> str:
    return re.sub(
        r"(?<![\w.])\d+(?:\.\d*)?f?\b",
        lambda m: chance.choice([m.group(), m.group(), "7", "0.0f", "32"]),
        source,
    )


def _blocks(source: str) -> tuple[str, list[str]]:
    """What stands before the first function, and the functions."""
    parts = re.split(r"(?m)^(?=(?:[A-Za-z_][^;\n]*\(|template)[^;]*?\{)", source)
    return parts[0], parts[1:]


def reordered_functions(source: str, chance: random.Random) -> str:
    head, functions = _blocks(source)
    chance.shuffle(functions)
    return head + "\n".join(functions)


def reordered_declarations(source: str, chance: random.Random) -> str:
    """Neighbouring declarations change places."""
    lines = source.split("\n")
    declares = re.compile(r"^\s+(?:const )?(?:int|int64_t|float|double|size_t|bool|auto)\b.*;$")
    at = 0
    while at + 1 < len(lines):
        if declares.match(lines[at]) and declares.match(lines[at + 1]):
            lines[at], lines[at + 1] = lines[at + 1], lines[at]
            at += 2
        else:
            at += 1
    return "\n".join(lines)


def other_kinds(source: str, chance: random.Random) -> str:
    """int becomes long, float double; const comes and goes; i++ becomes ++i."""
    source = re.sub(r"\bint\b", "long", source)
    source = re.sub(r"\bconst (?=int|long|float|double|auto)", "", source)
    source = re.sub(r"\+\+(\w+)(?=[;)])", r"\1++", source)
    return source.replace("double ", "float ")


def dead_statements(source: str, chance: random.Random) -> str:
    """Statements that do nothing, after some of the lines."""
    lines = []
    for line in source.split("\n"):
        lines.append(line)
        if line.startswith("    ") and line.endswith(";") and chance.random() < 0.12:
            name = f"unused{len(lines)}"
            lines.append(f"    int {name} = {chance.randrange(9)}; (void){name};")
    return "\n".join(lines)


def long_assignments(source: str, chance: random.Random) -> str:
    """a += b becomes a = a + (b)."""
    return re.sub(
        r"(?m)^(\s*(?:\w+\) )?)([\w.]+(?:\[[^\]=;\n]*\])?) \+= ([^;\n]+);",
        r"\1\2 = \2 + (\3);",
        source,
    )


def half_of_it(source: str, chance: random.Random) -> str:
    """Only the longest function is taken; the rest is the taker's own, or missing."""
    _, functions = _blocks(source)
    return max(functions, key=len)


def unchanged(source: str, chance: random.Random) -> str:
    return source


_SIMPLE = (renamed, other_comments, other_layout, other_literals, reordered_functions)
DISGUISES = {
    "copied as it is": (unchanged,),
    "renamed": (renamed,),
    "other comments and layout": (other_comments, other_layout),
    "functions and declarations in another order": (reordered_declarations, reordered_functions),
    "other literals and kinds": (other_literals, other_kinds),
    "all of these": (reordered_declarations, other_kinds, *_SIMPLE),
    "one function of several, renamed": (half_of_it, renamed, other_comments),
    "all, and dead statements and long assignments": (
        long_assignments,
        dead_statements,
        reordered_declarations,
        other_kinds,
        *_SIMPLE,
    ),
}


def disguised(source: str, kind: str, seed: str) -> str:
    chance = random.Random(f"{seed}/{kind}")
    for disguise in DISGUISES[kind]:
        source = disguise(source, chance)
    return source

# SPDX-License-Identifier: MIT
"""C++ and CUDA sources as tokens without what a writer may choose: names, literals, comments,
layout, kinds of integers, braces around one statement.

A name stays only where a writer cannot choose it: of the language, of CUDA, of the C++ library,
of the stage's header. A loop that counts is one token, and so is a nest of them: the handouts ask
everybody for the same loops."""

from __future__ import annotations

import re
import zlib

# Each alternative ends at the end of the text at the latest and never tries again, so no text
# takes more than linear time.
_TOKEN = re.compile(
    r"""//[^\n]*
    |/\*(?:.*?\*/|.*)
    |\#[ \t]*(?:include|pragma)\b[^\n]*
    |"(?:[^"\\\n]|\\.)*"?
    |'(?:[^'\\\n]|\\.)*'?
    |(?:threadIdx|blockIdx|blockDim|gridDim)\s*\.\s*[xyz]\b
    |(?:\.|->)\s*[A-Za-z_]\w*
    |(?:std\s*::\s*)?[A-Za-z_]\w*(?:\s*\()?
    |\.?[0-9](?:[eEpP][+-]|[\w.'])*
    |<<<|>>>|<<=|>>=|\+\+|--|&&|\|\||[-+*/%&|^=!<>]=|->|::|<<|>>
    |[^\s\w]
    """,
    re.VERBOSE | re.DOTALL,
)
_NAME = re.compile(r"[A-Za-z_]\w*")
_CALLED = re.compile(r"([A-Za-z_]\w*)\s*\(")

_KEYWORDS = set(
    """for while do if else switch case default break continue return goto struct class enum union
    template typename namespace using typedef operator new delete this throw try catch sizeof
    alignas alignof nullptr true false void static_assert decltype virtual public private dim3
    float2 float4 int2 int4""".split()  # noqa: SIM905
)
# Of the C++ library, where they are called or qualified: a variable may have such a name, too.
_CALLS = set(
    """max min max_element min_element accumulate inner_product fill fill_n copy copy_n swap clamp
    transform for_each generate iota sort vector array unique_ptr make_unique string pair tuple
    function span numeric_limits infinity lowest memcpy memset malloc free exp expf exp2 log logf
    sqrt sqrtf pow tanh tanhf fabs fmax fmaxf fmin fminf fma fmaf isnan isfinite thread async
    atomicAdd atomicMax atomicCAS""".split()  # noqa: SIM905
)
_MEMBERS = {"size", "data", "begin", "end", "push_back", "resize", "assign"}
_LIBRARY = ("cuda", "cublas", "cudnn", "curand", "CUDA", "CUDNN", "CUBLAS", "CURAND", "__")
_INTEGERS = set(
    """int long short char bool auto size_t ptrdiff_t int8_t int16_t int32_t int64_t uint8_t
    uint16_t uint32_t uint64_t uint""".split()  # noqa: SIM905
)
_REALS = {"float", "double"}
# Words that one may add and take away, and what nobody reads a program by.
_DROPPED = set(
    """const constexpr static inline volatile register mutable noexcept unsigned signed
    __restrict__ __restrict restrict std static_cast reinterpret_cast __forceinline__
    __host__""".split()  # noqa: SIM905
) | {"{", "}"}

_NUMBER, _STRING, _CHOSEN, _MEMBER = "<number>", "<string>", "<name>", ".<name>"
_FIRST_CODE, _CODES = 0x30000, 0xE0000 - 2  # Unicode beyond what anybody writes
_INTEGER, _REAL, _LOOP = "<integer>", "<real>", "<loop>"


class Vocabulary:
    """Codes of tokens: one character each, the same in every process. `header`: the stage's."""

    def __init__(self, header: str = ""):
        bare = " ".join(w for w in _TOKEN.findall(header) if not w.startswith(("//", "/*", '"')))
        self._members = set(_NAME.findall(bare)) | _MEMBERS
        self._functions = set(_CALLED.findall(bare))
        self._codes: dict[str, str] = {}  # by normal form
        self._taken: set[str] = set()
        self._of_word = _Memory(self)
        for form in (_LOOP, "for", "(", ")", ";", "=", "<", "<=", "!=", "++", "+=", ",", "*"):
            self._code(form)
        code = {form: re.escape(c) for form, c in self._codes.items()}
        integer, name = map(re.escape, map(self._code, (_INTEGER, _CHOSEN)))
        end = code[";"]
        loop = (
            f"{code['for']}{code['(']}{integer}?{name}{code['=']}[^{end}]{{1,24}}{end}"
            f"{name}(?:{code['<']}|{code['<=']}|{code['!=']})[^{end}]{{1,24}}{end}"
            f"(?:{name}{code['++']}|{code['++']}{name}){code[')']}"
        )
        # A nest of loops is one, too.
        self._loops = re.compile(f"(?:{loop})+")

    def _code(self, form: str) -> str:
        """A character for a form. It follows from the form, so that fingerprints do not depend on
        who else handed in."""
        if form not in self._codes:
            number = _FIRST_CODE + zlib.crc32(form.encode()) % _CODES
            while (code := chr(number)) in self._taken:
                number = number + 1 if number + 1 < _FIRST_CODE + _CODES else _FIRST_CODE
            self._taken.add(code)
            self._codes[form] = code
        return self._codes[form]

    def _normal(self, word: str) -> str:
        """What counts of a token; '' if nothing does."""
        first = word[0]
        if word.startswith(("//", "/*")) or word in _DROPPED:
            return ""
        if first == "#":
            return "" if len(word) > 1 else "#"
        if first in "\"'":
            return _STRING
        if first.isdigit() or (first == "." and word[1:2].isdigit()):
            return _NUMBER
        if word[:2] == "->" or (first == "." and len(word) > 1):
            member = word.lstrip(".->").strip()
            return "." + member if member in self._members else _MEMBER
        if not (first.isalpha() or first == "_"):
            return word
        name = re.sub(r"\s", "", word.removesuffix("("))
        bare = name.removeprefix("std::")
        if bare in _DROPPED:
            return ""
        if bare in _INTEGERS:
            return _INTEGER
        if bare in _REALS:
            return _REAL
        if "." in bare or bare in _KEYWORDS or bare.startswith(_LIBRARY):
            return bare
        called = word.endswith("(")
        if bare in _CALLS and (called or name != bare):
            return bare
        return bare if called and bare in self._functions else _CHOSEN

    def code_of(self, word: str) -> str:
        """One character for each token, and one for the bracket of a call."""
        form = self._normal(word)
        code = self._code(form) if form else ""
        is_call = word.endswith("(") and len(word) > 1 and word[0] not in "\"'/#"
        return code + self._code("(") if is_call else code

    def codes(self, text: str) -> str:
        """The tokens of a source, a character each."""
        codes = "".join(map(self._of_word.__getitem__, _TOKEN.findall(text)))
        return self._loops.sub(self._codes[_LOOP], codes)

    def places(self, text: str) -> list[tuple[int, int]]:
        """Where each of `codes(text)` begins and ends in the text."""
        known = [(m.span(), self._of_word[m.group()]) for m in _TOKEN.finditer(text)]
        codes = "".join(code for _, code in known)
        spans = [span for span, code in known for _ in code]
        found: list[tuple[int, int]] = []
        at = 0
        for loop in self._loops.finditer(codes):
            found += spans[at : loop.start()]
            found.append((spans[loop.start()][0], spans[loop.end() - 1][1]))
            at = loop.end()
        return found + spans[at:]


class _Memory(dict):
    """Codes of words that have been seen; comments are not kept."""

    def __init__(self, vocabulary: Vocabulary):
        super().__init__()
        self._vocabulary = vocabulary

    def __missing__(self, word: str) -> str:
        code = self._vocabulary.code_of(word)
        if code:
            self[word] = code
        return code

// SPDX-License-Identifier: MIT
#include "repair/mutants.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "catch.h"
#include "repair/code.h"

namespace convkit::repair {
namespace {

using rewrite::Source;

// The whole text after each mutant's changes.
std::vector<std::string> programs(const std::string& text, const std::string& header = "") {
  const Source source(text);
  rewrite::Names names;
  names.add(source);
  names.finish();
  std::vector<Source> headers;
  headers.emplace_back(header);
  std::vector<std::string> all;
  for (const Mutant& mutant : find_mutants(source, names, headers)) {
    std::string changed = text;
    for (auto edit = mutant.edits.rbegin(); edit != mutant.edits.rend(); ++edit) {
      changed.replace(edit->begin, edit->end - edit->begin, edit->text);
    }
    all.push_back(changed);
  }
  return all;
}

// Whether one mutant turns `before`, which stands in the program, into `after`.
bool turns(const std::string& program, const std::string& before, const std::string& after,
           const std::string& header = "") {
  std::string wanted = program;
  const size_t at = program.find(before);
  REQUIRE(at != program.npos);
  wanted.replace(at, before.size(), after);
  const std::vector<std::string> all = programs(program, header);
  return std::ranges::find(all, wanted) != all.end();
}

const std::string kWindow = R"(
void f(const float* x, float* y, int h, int w, int kh, int kw, float slope) {
  for (int i = 0; i < h; ++i) {
    if (i >= kh && kw > 2) continue;
    y[i * w + kw] = fmaxf(x[i], slope);
  }
}
)";

}  // namespace

TEST_CASE("a name is changed into another one of its kind") {
  CHECK(turns(kWindow, "i * w + kw", "i * h + kw"));
  CHECK(turns(kWindow, "x[i], slope", "x[h], slope"));
  CHECK_FALSE(turns(kWindow, "x[i], slope", "x[slope], slope"));
  CHECK_FALSE(turns(kWindow, "x[i], slope", "x[i], h"));
}

TEST_CASE("a number, a name and a bound are one more or less") {
  CHECK(turns(kWindow, "kw > 2", "kw > 3"));
  CHECK(turns(kWindow, "x[i]", "x[(i + 1)]"));
  CHECK(turns(kWindow, "i < h", "i <= h"));
  CHECK(turns(kWindow, "i < h", "i < (h - 1)"));
}

TEST_CASE("a part of a condition and a statement are left out") {
  CHECK(turns(kWindow, "i >= kh && kw > 2", "true && kw > 2"));
  CHECK(turns(kWindow, "i >= kh && kw > 2", "i >= kh || kw > 2"));
  CHECK(turns(kWindow, "continue;", ";"));
  CHECK(turns(kWindow, "continue", "break"));
}

TEST_CASE("a function is changed into another one, or keeps a NaN") {
  CHECK(turns(kWindow, "fmaxf(x[i], slope)", "fminf(x[i], slope)"));
  CHECK(turns(kWindow, "fmaxf(x[i], slope)", "x[i]"));
  CHECK(turns(kWindow, "fmaxf(x[i], slope)", "x[i] < slope ? slope : x[i]"));
}

TEST_CASE("rows and columns change together, and two names are exchanged") {
  const std::string program = R"(
struct Shape { int stride, dilation; };
int g(int i, int j, int kh, int kw, Shape s) {
  const int row = i * s.stride + kw;
  const int column = j * s.dilation + kh;
  return row + column;
}
)";
  const auto both = [&](std::string text, const std::string& row, const std::string& column) {
    text.replace(text.find("i * s.stride + kw"), 17, row);
    text.replace(text.find("j * s.dilation + kh"), 19, column);
    return text;
  };
  const std::vector<std::string> all = programs(program);
  const std::set<std::string> found(all.begin(), all.end());
  CHECK(found.contains(both(program, "i * s.stride + kh", "j * s.dilation + kw")));
  CHECK(found.contains(both(program, "i * s.dilation + kw", "j * s.stride + kh")));
}

TEST_CASE("members come from the headers, too") {
  const std::string header = "struct Shape { int h, w; float scale; };";
  const std::string program = "int area(const Shape& s) { return s.h * 4; }";
  CHECK(turns(program, "s.h", "s.w", header));
  CHECK_FALSE(turns(program, "s.h", "s.scale", header));
}

TEST_CASE("conditions are joined otherwise wherever they stand") {
  const std::string program = "bool f(int i, int n, int m) { return i < n && i < m; }";
  CHECK(turns(program, "i < n && i < m", "i < n || i < m"));
  CHECK(turns(program, "i < n && i < m", "true && i < m"));
  const std::string chosen = "int f(int i, int n) { int k = i > 0 && i < n ? i : n; return k; }";
  CHECK(turns(chosen, "i > 0 && i < n", "i > 0 || i < n"));
}

TEST_CASE("the address of another variable is taken") {
  const std::string program = "void f(float alpha, float beta) { scale(&alpha, &beta); }";
  CHECK(turns(program, "(&alpha", "(&beta"));
}

TEST_CASE("arguments side by side are exchanged") {
  const std::string program = "void h(int a, int b) { call(a, 2 * b, 3); }";
  CHECK(turns(program, "a, 2 * b", "2 * b, a"));
  CHECK(turns(program, "a, 2 * b, 3", "3, 2 * b, a"));
}

TEST_CASE("names of one kind are exchanged in a call, however far apart") {
  const std::string program =
      "void h(float a, int n, int c, int w, float b) { call(n, a, b, 3, w); call(c, a, 1, b); }";
  CHECK(turns(program, "n, a, b, 3, w", "w, a, b, 3, n"));
  CHECK_FALSE(turns(program, "c, a, 1, b", "b, a, 1, c"));
}

TEST_CASE("the values of a braced list are exchanged, designated or not") {
  const std::string program = R"(
struct Size { int n, height, width; };
Size whole(const Size& a) { return {a.n, a.width, a.height}; }
Size named(const Size& a) {
  const Size b = {.n = a.n, .height = a.width, .width = a.height};
  use(Size{.n = 1, .height = a.n, .width = b.n});
  each([&](int i) { first(i); second(i, a.n); });
  return b;
}
)";
  CHECK(turns(program, "a.n, a.width, a.height", "a.n, a.height, a.width"));
  CHECK(turns(program, ".height = a.width, .width = a.height",
              ".height = a.height, .width = a.width"));
  CHECK(turns(program, ".height = a.n, .width = b.n", ".height = b.n, .width = a.n"));
  CHECK_FALSE(turns(program, "first(i); second(i, a.n)", "second(i, a.n); first(i), a.n"));
}

TEST_CASE("a barrier is put into functions of a device only") {
  const std::string body = "k(float* y) { y[threadIdx.x] = 1; y[0] = y[1]; }";
  CHECK(turns("__global__ void " + body, "y[0] = y[1]", "__syncthreads(); y[0] = y[1]"));
  CHECK(turns("__global__ void " + body, "threadIdx.x", "threadIdx.y"));
  CHECK_FALSE(turns("void " + body, "y[0] = y[1]", "__syncthreads(); y[0] = y[1]"));
}

TEST_CASE("a copy counted in elements is counted in bytes") {
  const std::string program = "void c(float* d, float* h, int n) { cudaMemcpy(d, h, n, kind); }";
  CHECK(turns(program, "h, n", "h, sizeof(float) * (n)"));
  const std::string header = "struct S { int h, w; int area() const { return h * w; } };";
  const std::string cast = "void c(float* d, const S* s) { cudaMemset(d, 0, size_t(s->area())); }";
  CHECK(turns(cast, "size_t(s->area())", "sizeof(float) * (size_t(s->area()))", header));
  CHECK_FALSE(turns(program, "(d, h", "(sizeof(float) * (d), h"));
}

TEST_CASE("one library's constant is changed into another one of its family") {
  const std::string program = "void p() { set(CUDNN_CONVOLUTION); }";
  CHECK(turns(program, "CUDNN_CONVOLUTION", "CUDNN_CROSS_CORRELATION"));
}

TEST_CASE("a division of integers keeps its remainder where a float takes it") {
  const std::string program = "float mean(int h, int w) { float m = 1 / (h * w); return m; }";
  CHECK(turns(program, "1 / (h * w)", "1.0f * 1 / (h * w)"));
}

TEST_CASE("the body of a constructor begins behind its members") {
  const std::string program =
      "struct A { A(int n, int m) : b_(1, {n}), c_{n} { set(n); } int b_, c_; };";
  CHECK(turns(program, "set(n)", "set(m)"));
  CHECK_FALSE(turns(program, "c_{n}", "c_{m}"));
}

TEST_CASE("what must be known when it is compiled stays") {
  const std::string program = R"(
constexpr int tile(int n) { return n + 1; }
template <int n> struct Box {};
void f(int n, int m) {
  float a[4 + 1];
  Box<2> box;
  unsigned long size = sizeof(n);
}
)";
  for (const std::string& changed : programs(program)) {
    CHECK(changed.find("return n + 1") != changed.npos);
    CHECK(changed.find("a[4 + 1]") != changed.npos);
    CHECK(changed.find("Box<2>") != changed.npos);
    INFO(changed);
    CHECK(changed.find("sizeof(n)") != changed.npos);
  }
}

TEST_CASE("an operator of a class is a function, and names the members of its class") {
  const std::string program =
      "struct Leaky { float slope; float operator()(float y) const { return y >= 0 ? y : y; } };";
  CHECK(turns(program, "y >= 0", "y > 0"));
  CHECK(turns(program, ": y;", ": slope;"));
  const std::string closed = "class Net { int layers; }; int f(Net n, int m) { return m; }";
  CHECK_FALSE(turns(closed, "return m", "return n.layers"));
}

TEST_CASE("a member of a member is known") {
  const std::string program = R"(
struct Size { int h, w; };
struct Layer { Size in, out; };
int f(const Layer* l) { return l->in.h * 2; }
)";
  CHECK(turns(program, "l->in.h * 2", "(l->in.h + 1) * 2"));
}

TEST_CASE("a division is rounded up") {
  const std::string program = "int blocks(int n, int size) { return n / size; }";
  CHECK(turns(program, "n / size", "((n + size - 1) / size)"));
  CHECK_FALSE(turns("float f(float n, float m) { return n / m; }", "n / m", "((n + m - 1) / m)"));
}

TEST_CASE("terms and factors are left out and put in") {
  const std::string program = R"(
void f(float* y, int h, int w, int c, int stride) {
  for (int p = 0; p < c; ++p) y[p * h * w + c] = y[h - 1 - p] + 1;
}
)";
  CHECK(turns(program, "p * h * w + c", "(p * h * w)"));
  CHECK(turns(program, "p * h * w", "(p * h)"));
  CHECK(turns(program, "h - 1 - p", "p"));
  CHECK(turns(program, "p * h * w", "(p * stride) * h * w"));
  const std::string index = R"(
void f(float* y, int n, int c, int h) {
  for (int k = 0; k < c; ++k) y[n * c * h] = 1;
}
)";
  CHECK(turns(index, "n * c * h", "((n * c + k) * h)"));
  CHECK(turns(index, "y[n * c * h]", "y[0]"));
}

TEST_CASE("brackets are moved") {
  const std::string program = "int row(int i, int pad, int stride) { return (i - pad) * stride; }";
  CHECK(turns(program, "(i - pad) * stride", "(i * stride - pad)"));
  const std::string other = "int row(int i, int pad, int stride) { return i * stride - pad; }";
  CHECK(turns(other, "i * stride - pad", "(i - pad) * stride"));
  const std::string root = "float f(float v, float e) { return sqrtf(v) + e; }";
  CHECK(turns(root, "sqrtf(v) + e", "sqrtf(v + e)"));
}

TEST_CASE("rows are taken for columns in a whole term") {
  const std::string program =
      "int area(int top, int bottom, int left, int right) { return (bottom - top) * (bottom - top);"
      " }";
  CHECK(turns(program, "(bottom - top) * (bottom - top)", "(bottom - top) * (right - left)"));
}

TEST_CASE(
    "a condition gets what another one of the function tests, or the same of the other axis") {
  const std::string program = R"(
bool f(int i, int j, int h, int w, int pad_h, int pad_w) {
  if (i < 0 || i >= h) return false;
  if (j < 0) return false;
  if (pad_h > 0) return true;
  return i == j;
}
)";
  CHECK(turns(program, "(j < 0)", "(j < 0 || j >= w)"));
  CHECK(turns(program, "(pad_h > 0)", "(pad_h > 0 || pad_w > 0)"));
  CHECK(turns(program, "(pad_h > 0)", "(!(pad_h > 0))"));
}

TEST_CASE("the values of a choice are exchanged") {
  const std::string program = "int f(bool all, int n, int m) { int k = all ? n : m; return k; }";
  CHECK(turns(program, "all ? n : m", "all ? m : n"));
}

TEST_CASE("statements change places, and the last one of a block goes behind it") {
  const std::string program = R"(
void f(int n) {
  first(n);
  second(n);
  for (int i = 0; i < n; ++i) {
    step(i);
    wait(n);
  }
  last(n);
}
)";
  CHECK(turns(program, "first(n);\n  second(n);", "second(n);\n  first(n);"));
  CHECK(turns(program, "wait(n);\n  }\n  last", "\n  }\n  wait(n); last"));
  CHECK_FALSE(turns(program, "step(i);\n    wait(n);\n  }\n", "wait(n);\n  }\n step(i);"));
}

TEST_CASE("what an `if` does is repeated where that may change its condition") {
  const std::string carry = "int f(int x, int y, int w) { if (x >= w) { x -= w; ++y; } return x; }";
  CHECK(turns(carry, "if (x", "while (x"));
  for (const char* other :
       {"int f(int x, int y, int w) { if (x >= w) { y -= 1; } return y; }",
        "int f(int x, int y, int w) { if (x >= w) { x -= w; return x; } return y; }",
        "int f(int x, int y, int w) { if (x >= w) { x -= w; } else { x += w; } return x; }"}) {
    CHECK_FALSE(turns(other, "if (x", "while (x"));
  }
}

TEST_CASE("a barrier stands at the end of a block, too") {
  const std::string program = "__global__ void k(float* y) { for (;;) { y[0] = y[1]; } }";
  CHECK(turns(program, "y[1]; }", "y[1]; __syncthreads(); }"));
}

TEST_CASE("a sum of threads is added atomically") {
  const std::string program = "__global__ void k(float* y, int i, float v) { y[i] += 2 * v; }";
  CHECK(turns(program, "y[i] += 2 * v;", "atomicAdd(&y[i], 2 * v);"));
  CHECK_FALSE(turns("void k(float* y, int i, float v) { y[i] += v; }", "y[i] += v;",
                    "atomicAdd(&y[i], v);"));
}

TEST_CASE("a thread leaves behind the last element, and a function returns early as another one") {
  const std::string kernel = R"(
struct Shape { int m; };
__global__ void k(float* y, Shape s) { const int m = threadIdx.x; y[m] = 1; }
)";
  CHECK(turns(kernel, "y[m] = 1", "if (m >= s.m) return; y[m] = 1"));
  const std::string two = R"(
int f(int n) { if (n == 0) return 1; return 2; }
int g(int n) { work(n); return 3; }
)";
  CHECK(turns(two, "work(n)", "if ( n == 0 ) return 1 ; work(n)"));
}

TEST_CASE("bytes are asked for by a function whose name says so") {
  const std::string program =
      "unsigned long workspace_of(const int* s) { return size_of(s) * parts(s); }";
  CHECK(turns(program, "size_of(s) * parts(s)", "sizeof(float) * (size_of(s) * parts(s))"));
}

TEST_CASE("what the host queues goes to the given stream") {
  const std::string launch = "void f(float* y, cudaStream_t s) { k<<<1, 2>>>(y); }";
  CHECK(turns(launch, "1, 2>>>", "1, 2, 0, s>>>"));
  const std::string shared = "void f(float* y, cudaStream_t s) { k<<<1, 2, 64>>>(y); }";
  CHECK(turns(shared, "64>>>", "64, s>>>"));
  const std::string none = "void f(float* y, cudaStream_t s) { k<<<1, 2, 0, nullptr>>>(y); }";
  CHECK(turns(none, "nullptr", "s"));
  const std::string memory =
      "int f(float* y, int n, cudaStream_t s) { return cudaMemset(y, 0, n); }";
  CHECK(turns(memory, "cudaMemset(y, 0, n)", "cudaMemsetAsync(y, 0, n, s)"));
  const std::string event = "void f(cudaEvent_t e, cudaStream_t s) { cudaEventRecord(e, 0); }";
  CHECK(turns(event, "(e, 0)", "(e, s)"));
  CHECK_FALSE(turns("void f(float* y) { k<<<1, 2>>>(y); }", "1, 2>>>", "1, 2, 0, s>>>"));
}

TEST_CASE("the host waits, gives a library the stream, and clears an array") {
  const std::string program =
      "void f(float* y, int size, cublasHandle_t h, cudaStream_t s) { k<<<1, 2, 0, s>>>(y); }";
  const auto before = [&](const std::string& statement) {
    return turns(program, "k<<<", statement + " k<<<");
  };
  CHECK(before("cudaStreamSynchronize(s);"));
  CHECK(before("cublasSetStream(h, s);"));
  CHECK(before("cudaMemsetAsync(y, 0, sizeof(float) * size, s);"));
  CHECK_FALSE(before("cublasSetStream(s, s);"));
}

TEST_CASE("a sum begins anew in each turn of a loop") {
  const std::string program =
      "void f(float* y, int n) { float sum = 1; for (int i = 0; i < n; ++i) { sum += i; } }";
  CHECK(turns(program, "{ sum += i", "{ sum = 1; sum += i"));
  const std::string other =
      "void f(float* y, int n) { float sum = 1; for (int i = 0; i < n; ++i) { y[i] = sum; } }";
  CHECK_FALSE(turns(other, "{ y[i]", "{ sum = 1; y[i]"));
}

TEST_CASE("the last part of a loop is smaller") {
  const std::string program =
      "void f(int n, int most) { for (int i = 0; i < n; i += most) { int part = most; g(part); } }";
  CHECK(turns(program, "part = most", "part = n - i < most ? n - i : most"));
}

TEST_CASE("the last part of a loop ends with it, in a call and in a loop of its elements") {
  const std::string calls = "void f(int n) { for (int i = 0; i < n; i += 4) { g(i, 4); } }";
  CHECK(turns(calls, "g(i, 4)", "g(i, n - i < 4 ? n - i : 4)"));
  const std::string loops =
      "void f(float* y, int n) { for (int i = 0; i < n; i += 4) { "
      "for (int j = 0; j < 4; ++j) { y[i + j] = 0; } } }";
  CHECK(turns(loops, "j < 4", "(j < 4) && i + j < n"));
}

TEST_CASE("what a turn does for the next one is left out of the last turn") {
  const std::string program =
      "void f(float* t, int n) { for (int i = 0; i < n; ++i) { load(t, i + 1); use(t, i); } }";
  CHECK(turns(program, "load(t", "if (i + 1 < n) load(t"));
  CHECK_FALSE(turns(program, "use(t", "if (i + 1 < n) use(t"));
}

TEST_CASE("the lines behind an access are those that may decide where it goes") {
  std::map<std::string, Source> files;
  files.emplace("a.cuh", Source(R"(int helper(int a) {
  return 2 * a;
}
void load(const float* x, int row, int w) {
  const int unused = 5;
  if (row < 0) return;
  const int at = row * w;
  float value = x[at];
}
)"));
  files.emplace("b.cu", Source(R"(void other(int n) {
  n = 3;
}
void f(const float* x, int first, int n) {
  int more = n;
  const int row = first + 1;
  if (row < n) {
    load(x, row, helper(n));
  }
}
)"));
  const auto found = lines_behind(files, {"a.cuh", 8}, 4);
  const std::map<Line, unsigned> wanted = {
      {{"a.cuh", 1}, 3}, {{"a.cuh", 2}, 2}, {{"a.cuh", 4}, 1}, {{"a.cuh", 6}, 1}, {{"a.cuh", 7}, 1},
      {{"a.cuh", 8}, 0}, {{"b.cu", 4}, 2},  {{"b.cu", 6}, 2},  {{"b.cu", 7}, 2},  {{"b.cu", 8}, 1}};
  CHECK(found == wanted);
  CHECK(lines_behind(files, {"c.cu", 8}, 4).empty());
}

TEST_CASE("behind an access in a lambda lie its calls") {
  std::map<std::string, Source> files;
  files.emplace("a.cu", Source(R"(void f(float* x, int n) {
  const auto clear = [&](int i) {
    x[i] = 0;
  };
  n = 2;
  clear(n + 1);
}
)"));
  const auto found = lines_behind(files, {"a.cu", 3}, 1);
  CHECK(found.contains({"a.cu", 6}));
  CHECK_FALSE(found.contains({"a.cu", 5}));
}

TEST_CASE("a statement moves over others, before its loop and into a block") {
  const std::string over = "void f(int n) { a(n); int m = n; b(m); c(n); }";
  CHECK(turns(over, "a(n); int m = n; b(m); c(n);", "a(n); c(n); int m = n; b(m); "));
  CHECK_FALSE(turns(over, "a(n); int m = n; b(m); c(n);", "b(m); a(n); int m = n;  c(n);"));
  const std::string loop = "void f(int n) { for (int i = 0; i < n; ++i) { a(n); b(i); } }";
  CHECK(turns(loop, "for (int i = 0; i < n; ++i) { a(n);", "a(n); for (int i = 0; i < n; ++i) { "));
  CHECK_FALSE(turns(loop, "for (int i = 0; i < n; ++i) { a(n); b(i);",
                    "b(i); for (int i = 0; i < n; ++i) { a(n); "));
  const std::string block = "void f(int n) { a(n); if (n > 1) { b(n); } c(n); }";
  CHECK(turns(block, "a(n); if (n > 1) { b", " if (n > 1) { a(n); b"));
  CHECK(turns(block, "b(n); } c(n);", "b(n); c(n); } "));
}

TEST_CASE("a condition also asks for the remainder of a division") {
  const std::string program =
      "int f(int x, int n, int s) { if (x < 0 || x >= n) return 0; return x / s; }";
  CHECK(turns(program, "x >= n)", "x >= n || x % s != 0)"));
}

TEST_CASE("an index takes rows for columns") {
  const std::string program =
      "float f(const float* w, int i, int o, int rows, int cols) { return w[i * rows + o]; }";
  CHECK(turns(program, "i * rows + o", "(o * cols + i)"));
}

TEST_CASE("a change knows whether it decides what the host does") {
  const std::string text =
      "int f(int n, int m) { if (n > 2) return g(m); int k = n < 9 ? a(m) : b(m); return k + 7; }"
      "__device__ int d(int n) { return n > 4 ? n : 0; }";
  const Source source(text);
  rewrite::Names names;
  names.add(source);
  names.finish();
  std::map<std::string, bool> decides;
  for (const Mutant& mutant : find_mutants(source, names, {})) {
    const Mutant::Edit& edit = mutant.edits[0];
    if (mutant.edits.size() == 1)
      decides[text.substr(edit.begin, edit.end - edit.begin)] = mutant.decides;
    CHECK(mutant.on_device == (edit.begin > text.find("__device__")));
  }
  CHECK(decides.at("2"));
  CHECK(decides.at("9"));
  CHECK_FALSE(decides.at("7"));
  CHECK_FALSE(decides.at("4"));
}

TEST_CASE("what is likely comes before what is seldom") {
  const Source source(kWindow);
  rewrite::Names names;
  names.add(source);
  names.finish();
  std::map<Cause, unsigned> best;
  for (const Mutant& mutant : find_mutants(source, names, {})) {
    const auto [place, is_new] = best.try_emplace(mutant.cause, mutant.rank);
    if (!is_new) place->second = std::min(place->second, mutant.rank);
  }
  CHECK(best.at(Cause::operation) == kLikely);
  CHECK(best.at(Cause::off_by_one) == kSeldom);
}

TEST_CASE("text without functions, or cut off, has no mutants") {
  CHECK(programs("").empty());
  CHECK(programs("int x = 3 + 4;").empty());
  CHECK(programs("void f( { if (").empty());
}

}  // namespace convkit::repair

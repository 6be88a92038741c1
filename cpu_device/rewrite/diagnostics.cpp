// SPDX-License-Identifier: MIT
#include "cpu_device/rewrite/diagnostics.h"

#include <algorithm>
#include <array>
#include <set>
#include <string>

#include "cpu_device/rewrite/expression.h"

namespace convkit::rewrite {
namespace {

// Functions that only threads of a block can call together.
bool is_device_call(std::string_view name) {
  static constexpr std::array<std::string_view, 19> kNames = {
      "__syncthreads",       "__syncthreads_count",  "__syncthreads_and", "__syncthreads_or",
      "__syncwarp",          "__shfl_sync",          "__shfl_up_sync",    "__shfl_down_sync",
      "__shfl_xor_sync",     "__ballot_sync",        "__all_sync",        "__any_sync",
      "__match_any_sync",    "__match_all_sync",     "__activemask",      "__threadfence",
      "__threadfence_block", "__threadfence_system", "__reduce_add_sync"};
  return std::find(kNames.begin(), kNames.end(), name) != kNames.end();
}

// Functions of the runtime that kernels cannot call, and what to do instead.
struct HostCall {
  std::string_view name, instead;
};
constexpr std::string_view kNoWait =
    "a kernel cannot wait for the grids that it launches; what is to follow them goes into "
    "`cudaStreamTailLaunch`, or into a launch by the host";
constexpr std::string_view kAllocate = "in kernels there is `cudaMalloc`";
constexpr std::string_view kAssign =
    "in kernels there are `cudaMemcpyAsync` and `cudaMemsetAsync`, which run when the kernel has "
    "ended";
constexpr std::string_view kNonBlocking =
    "in kernels there is `cudaStreamCreateWithFlags` with `cudaStreamNonBlocking`";

std::string_view instead_of(std::string_view name) {
  static constexpr std::array<HostCall, 14> kCalls = {{
      {"cudaDeviceSynchronize", kNoWait},
      {"cudaThreadSynchronize", kNoWait},
      {"cudaStreamSynchronize", kNoWait},
      {"cudaStreamQuery", kNoWait},
      {"cudaEventSynchronize", kNoWait},
      {"cudaEventCreate", kNoWait},
      {"cudaEventRecord", kNoWait},
      {"cudaStreamWaitEvent", kNoWait},
      {"cudaMallocManaged", kAllocate},
      {"cudaMemcpy", kAssign},
      {"cudaMemset", kAssign},
      {"cudaStreamCreate", kNonBlocking},
      {"cudaStreamCreateWithPriority", kNonBlocking},
      {"cudaEventCreateWithFlags", kNoWait},
  }};
  const auto found = std::find_if(kCalls.begin(), kCalls.end(),
                                  [&](const HostCall& call) { return call.name == name; });
  return found == kCalls.end() ? std::string_view() : found->instead;
}

std::string in_quotes(std::string_view name) {
  return "`" + std::string(name) + "`";
}

class MisuseFinder {
 public:
  MisuseFinder(const Stream& stream, const Scopes& scopes, const Names& names, Report& report)
      : s_(stream), scopes_(scopes), names_(names), report_(report) {}

  void launch(const Launch& launch) {
    const Token& at = s_[launch.kernel_begin];
    if (!report_.certain(at)) return;
    const size_t name = plain_name(launch.kernel_begin, launch.open);
    if (name == kNone || !names_.is_only_ordinary_function(s_[name].text)) return;
    const bool device = names_.may_run_on_device(s_[name].text);
    report_.error(at, in_quotes(s_[name].text) +
                          (device ? " is a `__device__` function" : " is an ordinary function") +
                          " and cannot be launched; declare it `__global__`, or call it " +
                          (device ? "from a kernel" : "without `<<<...>>>`"));
  }

  void code() {
    for (size_t i = 0; i < s_.size() && !report_.full(); ++i) {
      if (!s_.is_identifier(i) || !report_.certain(s_[i])) continue;
      if (s_.is(i + 1, "(") && is_device_call(s_[i].text)) device_call(i);
      if (s_.is(i + 1, "(") && s_[i].text.starts_with("cuda")) host_call(i);
      if (scopes_.in_block[i] && names_.is_only_kernel(s_[i].text)) kernel_call(i);
    }
  }

 private:
  const DeclaredFunction* function_at(size_t i) const {
    return scopes_.function[i] == kNone ? nullptr : &scopes_.functions[scopes_.function[i]];
  }

  // The token that names the kernel of a launch, where that is `ns::kernel` or `kernel<3>`.
  size_t plain_name(size_t begin, size_t open) const {
    size_t name = open - 1;
    if (closing_angles(s_[name]) > 0) name = template_open(s_, name) - 1;
    return s_.is_identifier(name) && name_begin(s_, name) == begin ? name : kNone;
  }

  void device_call(size_t i) {
    if (i > 0 && (s_.is(i - 1, ".") || s_.is(i - 1, "->"))) return;
    const DeclaredFunction* inside = function_at(i);
    if (!inside || !inside->head.runs_on_host_only() || names_.is_declared(s_[i].text)) return;
    const std::string_view function = s_[inside->head.name].text;
    if (!inside->in_class && names_.may_run_on_device(function)) return;
    std::string message =
        in_quotes(std::string(s_[i].text) + "()") + " is called in " + in_quotes(function) +
        ", which is host code; it belongs into a kernel or a `__device__` function";
    if (s_[i].text.starts_with("__syncthreads")) {
      message += ". On the host, `cudaDeviceSynchronize()` waits for the GPU";
    }
    report_.error(s_[i], std::move(message));
  }

  void host_call(size_t i) {
    const DeclaredFunction* inside = function_at(i);
    if (!inside || !(inside->head.is_kernel() || inside->head.runs_on_device_only())) return;
    if (i > 0 && (s_.is(i - 1, ".") || s_.is(i - 1, "->"))) return;
    const std::string_view instead = instead_of(s_[i].text);
    if (instead.empty() || names_.is_declared(s_[i].text)) return;
    report_.error(s_[i], in_quotes(std::string(s_[i].text) + "()") +
                             " cannot be called in device code; " + std::string(instead));
  }

  // `kernel(arguments);` as a statement.
  void kernel_call(size_t name) {
    const size_t begin = name_begin(s_, name);
    if (begin == 0 || !begins_statement(begin)) return;
    size_t open = name + 1;
    if (s_.is(open, "<")) {
      open = skip_template_arguments(open);
    }
    const size_t close = s_.is(open, "(") ? s_.match(open) : kNone;
    if (close == kNone || !s_.is(close + 1, ";")) return;
    const std::string kernel(s_[name].text);
    report_.error(s_[begin], in_quotes(kernel) +
                                 " is a kernel and cannot be called like a function; "
                                 "launch it: `" +
                                 kernel + "<<<grid, block>>>(...)`");
  }

  bool begins_statement(size_t i) const {
    for (const std::string_view before : {";", "{", "}", "else", "do"}) {
      if (s_.is(i - 1, before)) return true;
    }
    if (!s_.is(i - 1, ")")) return false;
    const size_t open = s_.match(i - 1);
    if (open == kNone || open == 0) return false;
    return s_.is(open - 1, "if") || s_.is(open - 1, "for") || s_.is(open - 1, "while");
  }

  size_t skip_template_arguments(size_t open) const {
    size_t depth = 0;
    for (size_t i = open; i < s_.size() && i < open + 200; ++i) {
      if (s_.is(i, ";") || s_.is(i, "{") || s_.is(i, "<<<")) return kNone;
      if (s_.is(i, "<")) ++depth;
      if (s_.is(i, "(") && s_.match(i) != kNone) i = s_.match(i);
      const size_t closed = closing_angles(s_[i]);
      if (closed >= depth) return i + 1;
      depth -= closed;
    }
    return kNone;
  }

  const Stream& s_;
  const Scopes& scopes_;
  const Names& names_;
  Report& report_;
};

}  // namespace

void find_misuse(const Stream& stream, const Scopes& scopes, const Names& names,
                 const std::vector<Launch>& launches, Report& report) {
  MisuseFinder finder(stream, scopes, names, report);
  for (const Launch& launch : launches) finder.launch(launch);
  finder.code();
}

namespace {

struct Unsupported {
  std::string_view name;    // with a star: and all that begin so
  std::string_view before;  // and that stand before one of these tokens, space-separated; "": any
  std::string_view what, instead;
};

constexpr std::string_view kReferences =
                               "texture and surface references, which CUDA 12 dropped, are",
                           kObjects =
                               "make a texture object with `cudaCreateTextureObject`, or a surface "
                               "object with `cudaCreateSurfaceObject`",
                           kMipmaps = "mipmapped arrays are",
                           kLevels = "make an array and a texture object for each level",
                           kCubemaps = "cubemaps are",
                           kFaces = "make a layered array of 6 faces, and choose the face",
                           kMemoryNodes = "memory that graphs allocate is",
                           kMemoryBefore = "allocate it before the graph is made",
                           kConditions = "conditional nodes of graphs are",
                           kHostDecides = "let the host decide which graph to launch",
                           kPlainMaths =
                               "call the function of the same purpose without the prefix, "
                               "such as `sqrtf` or `__expf`";

constexpr std::array<Unsupported, 30> kUnsupported = {{
    {"cudaBindTexture*", "(", kReferences, kObjects},
    {"cudaUnbindTexture", "(", kReferences, kObjects},
    {"cudaBindSurface*", "(", kReferences, kObjects},
    {"cudaGetTextureReference", "(", kReferences, kObjects},
    {"texture", "<", kReferences, kObjects},
    {"surface", "<", kReferences, kObjects},
    {"textureReference", "", kReferences, kObjects},
    {"tex1DLod", "( <", kMipmaps, kLevels},
    {"tex2DLod", "( <", kMipmaps, kLevels},
    {"tex3DLod", "( <", kMipmaps, kLevels},
    {"tex1DLayeredLod", "( <", kMipmaps, kLevels},
    {"tex2DLayeredLod", "( <", kMipmaps, kLevels},
    {"tex1DGrad", "( <", kMipmaps, kLevels},
    {"tex2DGrad", "( <", kMipmaps, kLevels},
    {"tex3DGrad", "( <", kMipmaps, kLevels},
    {"tex1DLayeredGrad", "( <", kMipmaps, kLevels},
    {"tex2DLayeredGrad", "( <", kMipmaps, kLevels},
    {"cudaMipmappedArray_t", "", kMipmaps, kLevels},
    {"cudaMallocMipmappedArray", "(", kMipmaps, kLevels},
    {"cudaGetMipmappedArrayLevel", "(", kMipmaps, kLevels},
    {"cudaFreeMipmappedArray", "(", kMipmaps, kLevels},
    {"texCubemap*", "( <", kCubemaps, kFaces},
    {"surfCubemap*", "( <", kCubemaps, kFaces},
    {"cudaGraphics*", "", "sharing memory with a graphics API is", "copy the data to the host"},
    {"cudaGraphAddMemAllocNode", "(", kMemoryNodes, kMemoryBefore},
    {"cudaGraphAddMemFreeNode", "(", kMemoryNodes, kMemoryBefore},
    {"cudaGraphConditional*", "", kConditions, kHostDecides},
    {"cudaGraphSetConditional", "(", kConditions, kHostDecides},
    {"__nv_*", "(", "functions of NVIDIA's device library are", kPlainMaths},
    {"__nvvm_*", "(", "functions of NVIDIA's device library are", kPlainMaths},
}};

bool stands_before(const Stream& s, size_t i, std::string_view tokens) {
  if (tokens.empty()) return true;
  while (!tokens.empty()) {
    const size_t end = std::min(tokens.find(' '), tokens.size());
    if (s.is(i + 1, tokens.substr(0, end))) return true;
    tokens.remove_prefix(std::min(end + 1, tokens.size()));
  }
  return false;
}

const Unsupported* find(const Stream& s, size_t i) {
  const std::string_view name = s[i].text;
  // All of them begin with one of these.
  if (name.empty() || std::string_view("cst_").find(name[0]) == std::string_view::npos) {
    return nullptr;
  }
  // Types of CUDA's headers and their conversions, not the device library.
  for (const std::string_view type : {"__nv_bfloat16", "__nv_fp", "__nv_cvt_"}) {
    if (name.starts_with(type)) return nullptr;
  }
  for (const Unsupported& each : kUnsupported) {
    std::string_view wanted = each.name;
    const bool family = wanted.ends_with('*');
    if (family) wanted.remove_suffix(1);
    if (family ? !name.starts_with(wanted) : name != wanted) continue;
    if (stands_before(s, i, each.before)) return &each;
  }
  return nullptr;
}

// A member, or a name in some namespace of the program's own.
bool belongs_to_something(const Stream& s, size_t i) {
  if (i == 0) return false;
  if (s.is(i - 1, ".") || s.is(i - 1, "->")) return true;
  return s.is(i - 1, "::") && s.is_identifier(i >= 2 ? i - 2 : kNone);
}

std::string message(std::string_view name, std::string_view what, std::string_view instead) {
  return "`" + std::string(name) + "`: " + std::string(what) +
         " not supported by the CPU device; " + std::string(instead);
}

}  // namespace

void find_unsupported(const Stream& s, const Scopes* scopes, const Names& names, Report& report) {
  std::set<std::string_view> said;
  for (size_t i = 0; i < s.size() && !report.full(); ++i) {
    if (!s.is_identifier(i)) continue;
    const Unsupported* found = find(s, i);
    if (!found || belongs_to_something(s, i) || names.is_declared(s[i].text)) continue;
    // In a macro, the name may be pasted, or made a string.
    if (!scopes && (s.is(i + 1, "##") || (i > 0 && (s.is(i - 1, "##") || s.is(i - 1, "#"))))) {
      continue;
    }
    if (!said.insert(s[i].text).second) continue;
    report.error(s[i], message(s[i].text, found->what, found->instead));
  }
}

}  // namespace convkit::rewrite

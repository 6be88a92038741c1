// SPDX-License-Identifier: MIT
#include "cpu_device/rewrite/unsupported.h"

#include <array>
#include <set>
#include <string>

namespace convkit::rewrite {
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

// SPDX-License-Identifier: MIT
#include "cpu_device/cc/translation_unit.h"

#include "catch.h"
#include "cc_scene.h"
#include "convkit/kit_error.h"

namespace convkit {
namespace {

using test::CcScene;

TranslationUnit unit_of(const CcScene& scene, const std::string& file,
                        std::vector<std::filesystem::path> include_folders = {},
                        std::vector<std::filesystem::path> roots = {}) {
  TranslationUnitRequest request;
  request.folder = scene.work();
  request.file = file;
  request.include_folders = std::move(include_folders);
  request.scratch = scene.root() / "scratch";
  request.roots = std::move(roots);
  return read_translation_unit(request);
}

std::string names(const TranslationUnit& unit) {
  std::string all;
  for (const RewrittenFile& file : unit.files) all += (all.empty() ? "" : " ") + file.name;
  return all;
}

}  // namespace

TEST_CASE("headers beside the source, below it and in -I folders belong to the unit") {
  CcScene scene;
  scene.source("src/a.cu", "#include \"tile.cuh\"\n#include <lib/b.h>\n#include <stdio.h>\n")
      .source("src/tile.cuh", "#include \"sub/c.h\"\n")
      .source("src/sub/c.h", "#include \"../tile.cuh\"\n#include \"missing.h\"\n")
      .source("inc/lib/b.h", "#include \"d.h\"\n")
      .source("inc/lib/d.h", "k<<<1, 2>>>();\n");
  const TranslationUnit unit = unit_of(scene, "src/a.cu", {"inc"});
  CHECK(names(unit) == "src/a.cu src/tile.cuh inc/lib/b.h src/sub/c.h inc/lib/d.h");
  const RewrittenFile& main = unit.files.front();
  CHECK(main.text == "#line 1 \"src/a.cu\"\n#include \"" + unit.files[1].copy.string() +
                         "\"\n#include \"" + unit.files[2].copy.string() +
                         "\"\n#include <stdio.h>\n");
  CHECK(unit.files[4].text == "#line 1 \"inc/lib/d.h\"\nCONVKIT_SIMT_LAUNCH((k),(1, 2)) ();\n");
  CHECK(unit.files[3].text.find("#include \"missing.h\"") != std::string::npos);
}

TEST_CASE("a header under two names is one file") {
  CcScene scene;
  scene.source("a.cu", "#include \"h.h\"\n#include \"./h.h\"\n#include \"../work/h.h\"\n")
      .source("h.h", "");
  CHECK(names(unit_of(scene, "a.cu")) == "a.cu h.h");
}

TEST_CASE("names in messages may hold anything") {
  CcScene scene;
  scene.source("a \"quoted\" \\ name.cu", "int a;\n");
  const TranslationUnit unit = unit_of(scene, "a \"quoted\" \\ name.cu");
  CHECK(unit.files[0].text == "#line 1 \"a \\\"quoted\\\" \\\\ name.cu\"\nint a;\n");
  CHECK(unit.files[0].copy.filename() == "0_a _quoted_ _ name.cu");
}

TEST_CASE("files of others are left to the compiler where roots are named") {
  CcScene scene;
  scene.file("secret.h", "int secret;\n")
      .file("api/api.h", "int api;\n")
      .source("a.cu",
              "#include \"../secret.h\"\n#include \"own.h\"\n#include \"api.h\"\n"
              "#include \"link.h\"\n")
      .source("own.h", "");
  std::filesystem::create_symlink(scene.root() / "secret.h", scene.work() / "link.h");
  const TranslationUnit unit =
      unit_of(scene, "a.cu", {scene.root() / "api"}, {scene.work(), scene.root() / "api"});
  CHECK(names(unit) == "a.cu own.h " + (scene.root() / "api/api.h").string());
  CHECK(names(unit_of(scene, "a.cu", {}, {scene.root() / "nowhere"})) == "a.cu");
}

TEST_CASE("pipes and folders are no headers") {
  CcScene scene;
  scene.source("a.cu", "#include \"/dev/zero\"\n#include \"folder\"\n").source("folder/x", "");
  CHECK(names(unit_of(scene, "a.cu")) == "a.cu");
}

TEST_CASE("errors of all files come with the lines they are about") {
  CcScene scene;
  scene.source("a.cu", "#include \"h.cuh\"\nint main() {\n\tk<<<1, 2(3);\n}\n")
      .source("h.cuh", "__device__ void f() { cudaDeviceSynchronize(); k<<<1>>>(); }\n");
  const TranslationUnit unit = unit_of(scene, "a.cu");
  CHECK(unit.failed);
  CHECK(unit.messages() ==
        "a.cu:3:3: error: this launch configuration has no closing `>>>`; write "
        "`kernel<<<grid, block>>>(arguments)`\n"
        "    3 | \tk<<<1, 2(3);\n"
        "      | \t ^~~\n"
        "h.cuh:1:23: error: `cudaDeviceSynchronize()` cannot be called in device code; a kernel "
        "cannot wait for the grids that it launches; what is to follow them goes into "
        "`cudaStreamTailLaunch`, or into a launch by the host\n"
        "    1 | __device__ void f() { cudaDeviceSynchronize(); k<<<1>>>(); }\n"
        "      |                       ^~~~~~~~~~~~~~~~~~~~~\n"
        "h.cuh:1:49: warning: this launch names no block size, so a block has one thread; write "
        "`<<<grid, block>>>`\n"
        "    1 | __device__ void f() { cudaDeviceSynchronize(); k<<<1>>>(); }\n"
        "      |                                                 ^~~\n");
}

TEST_CASE("what headers declare counts in the source") {
  CcScene scene;
  scene.source("a.cu", "#include \"h.cuh\"\nint main() {\n  k(3);\n}\n")
      .source("h.cuh", "__global__ void k(int);\n");
  CHECK(unit_of(scene, "a.cu").messages().starts_with("a.cu:3:3: error: `k` is a kernel"));
}

TEST_CASE("a source that is not there is named") {
  CcScene scene;
  CHECK_THROWS_WITH(unit_of(scene, "none.cu"), "none.cu cannot be read.");
}

}  // namespace convkit

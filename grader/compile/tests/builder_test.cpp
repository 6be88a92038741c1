// SPDX-License-Identifier: MIT
#include "compile/builder.h"

#include <dlfcn.h>
#include <sched.h>
#include <sys/stat.h>

#include <algorithm>
#include <fstream>
#include <memory>
#include <random>
#include <sstream>
#include <thread>

#include "catch.h"
#include "compile/missing_functions.h"
#include "compile/symbols.h"
#include "process/process.h"
#include "scene.h"

namespace convkit {
namespace {

namespace fs = std::filesystem;
using test::compiled_objects;
using test::fresh;
using test::Scene;
using test::TemporaryFolder;
using Status = BuildResult::Status;

bool holds(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::string read(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

void write(const fs::path& file, const std::string& text) {
  std::ofstream(file, std::ios::binary) << text;
}

}  // namespace

TEST_CASE("sources become a shared object that defines their functions") {
  Scene scene;
  scene.file("one.cpp", fresh("extern \"C\" int two(int);\n"
                              "extern \"C\" int one(int x) { return two(x) + 1; }\n"));
  scene.file("two.cc", fresh("extern \"C\" int two(int x) { return x; }\n"));
  scene.file("notes.txt", "not compiled");
  const BuildResult result = scene.build();
  REQUIRE(result.status == Status::ok);
  CHECK(result.log.empty());
  CHECK(result.compiled == 3);
  const Symbols symbols = dynamic_symbols(result.library);
  CHECK(holds(symbols.defined, "one"));
  CHECK(holds(symbols.defined, "two"));
}

TEST_CASE("names with spaces, other letters and a leading dash are files like others") {
  Scene scene;
  scene.file("-fplugin=evil.cpp", fresh("extern \"C\" int a() { return 1; }\n"));
  scene.file("größe 2.cpp", fresh("#include \"unter ordner/maß.h\"\n"));
  scene.file("unter ordner/maß.h", "extern \"C\" int b() { return 2; }\n");
  scene.file("@flags.cpp", fresh("extern \"C\" int c() { return 3; }\n"));
  const BuildResult result = scene.build();
  REQUIRE(result.message == "");
  CHECK(holds(dynamic_symbols(result.library).defined, "b"));
}

TEST_CASE("unchanged sources are not compiled again") {
  Scene scene;
  scene.file("a.cpp", fresh("#include \"shared.h\"\nint a() { return kOne; }\n"));
  scene.file("b.cpp", fresh("int b() { return 1; }\n"));
  scene.file("shared.h", "constexpr int kOne = 1;\n");
  const fs::path api = scene.outside() / "api.h", include = scene.outside() / "include";
  fs::create_directories(include);
  write(api, "// api\n");
  write(include / "kit.h", "// kit\n");
  scene.request.headers = {api};
  scene.request.include_folders = {include};
  CHECK(compiled_objects(scene.build()) == 2);

  const BuildResult again = scene.build();
  CHECK(again.compiled == 0);
  CHECK(again.cached == 3);

  SECTION("a changed source compiles by itself") {
    scene.file("b.cpp", fresh("int b() { return 2; }\n"));
    CHECK(compiled_objects(scene.build()) == 1);
  }
  SECTION("a changed header of the submission compiles what includes it") {
    scene.file("shared.h", "constexpr int kOne = 11;\n");
    CHECK(compiled_objects(scene.build()) == 1);
  }
  SECTION("a changed header of the stage compiles everything") {
    write(api, "// another api\n");
    CHECK(compiled_objects(scene.build()) == 2);
  }
  SECTION("a changed header of the kit compiles everything") {
    write(include / "kit.h", "// another kit\n");
    CHECK(compiled_objects(scene.build()) == 2);
  }
  SECTION("a header under another name compiles everything") {
    fs::rename(include / "kit.h", include / "renamed.h");
    CHECK(compiled_objects(scene.build()) == 2);
  }
  SECTION("a changed flag compiles everything") {
    scene.request.flags.push_back("-DNDEBUG");
    CHECK(compiled_objects(scene.build()) == 2);
  }
  SECTION("a file that goes away links anew, and compiles nothing") {
    scene.request.files = {"a.cpp", "shared.h"};
    const BuildResult result = scene.build();
    CHECK(result.compiled == 1);
    CHECK(result.cached == 1);
  }
}

TEST_CASE("flags of a single source reach it alone, and the others are not compiled again") {
  const test::TemporaryFolder cache;
  Scene scene(cache.path());
  scene.file("a.cpp", "#ifndef TILE\n#define TILE 1\n#endif\nint a() { return TILE; }\n");
  scene.file("b.cpp", "#ifdef TILE\n#error it is the other one's\n#endif\nint b() { return 2; }\n");
  REQUIRE(scene.build().status == BuildResult::Status::ok);
  const auto with = [&](const char* flag) {
    scene.request.file_flags = {{"a.cpp", {flag}}};
    return scene.build();
  };
  const BuildResult four = with("-DTILE=4"), eight = with("-DTILE=8"), again = with("-DTILE=4");
  REQUIRE(four.status == BuildResult::Status::ok);
  CHECK((four.compiled == 2 && four.cached == 1));  // a.cpp and the link
  CHECK(four.library != eight.library);
  CHECK(again.library == four.library);
  CHECK(again.compiled == 0);
}

TEST_CASE("a source that another one includes counts among its headers") {
  for (const std::string line :
       {"#include \"b.cpp\"", " #  include  \"./b.cpp\"", "#define OTHER \"b.cpp\"\n#include OTHER",
        "#define OTHER \\\n \"b.cpp\"\n#include OTHER", "#inc\\\nlude \"b.cpp\""}) {
    INFO(line);
    Scene scene;
    scene.file("a.cpp", fresh(line + "\nint a() { return helper(); }\n"));
    scene.file("b.cpp", fresh("static inline int helper() { return 1; }\n"));
    CHECK(compiled_objects(scene.build()) == 2);
    scene.file("b.cpp", fresh("static inline int helper() { return 2; }\n"));
    CHECK(compiled_objects(scene.build()) == 2);
  }
}

TEST_CASE("a header that a source may read is part of its object's name") {
  // Each reads h.h, the last times in ways that only the preprocessor can tell.
  for (const std::string line :
       {"#include \"h.h\"", " # include <h.h>", "#include \"../a folder of Zoë's/h.h\"",
        "#include \"between.h\"", "/**/ #include \"h.h\"", "#import \"h.h\"",
        "#define H \"h.h\"\n#include H", "/*\n#define X \\\n*/ #inc\\\nlude \"h.h\"",
        "#if __has_include(\"h.h\")\n#include \"h.h\"\n#endif",
        "#if __has_incl\\\nude(\"h.h\")\n#include \"h.h\"\n#endif",
        "#if __has_incl\\ \nude(\"h.h\")\n#include \"h.h\"\n#endif", "#\f include \"h.h\"",
        "asm(\".data\\n.inc\" \"bin \\\"h.h\\\"\\n.text\");\nconst int number = 1;",
        "#define JOIN(a, b) a##b\nJOIN(as, m)(\".data\\n.inc\" \"bin "
        "\\\"h.h\\\"\\n.text\");\nconst int number = 1;"}) {
    INFO(line);
    Scene scene;
    scene.request.flags.push_back("-I.");
    scene.file("a.cpp", fresh(line + "\nint a() { return number; }\n"));
    scene.file("between.h", "#include \"h.h\"\n");
    scene.file("h.h", "static const int number = 1;\n");
    CHECK(compiled_objects(scene.build()) == 1);
    CHECK(compiled_objects(scene.build()) == 0);
    scene.file("h.h", "static const int number = 2;\n");
    CHECK(compiled_objects(scene.build()) == 1);
  }
}

TEST_CASE("a header that the stage's header includes is part of every object's name") {
  Scene scene;
  write(scene.outside() / "api.h", "#include \"own.h\"\n");
  scene.request.headers = {scene.outside() / "api.h"};
  scene.request.flags.push_back("-I.");
  scene.file("a.cpp", fresh("#include \"api.h\"\nint a() { return number; }\n"));
  scene.file("own.h", "static const int number = 1;\n");
  CHECK(compiled_objects(scene.build()) == 1);
  scene.file("own.h", "static const int number = 2;\n");
  CHECK(compiled_objects(scene.build()) == 1);
}

TEST_CASE("a macro of several lines, and one that makes strings, includes nothing") {
  Scene scene;
  scene.file("a.cpp", fresh("#include \"shared.h\"\nint a() { return ONE; }\n"));
  scene.file("b.cpp", fresh("int b() { return 1; }\n"));
  scene.file("shared.h", "#define ONE \\\n  1\n#define TEXT(x) #x\n");
  CHECK(compiled_objects(scene.build()) == 2);
  scene.file("b.cpp", fresh("int b() { return 2; }\n"));
  CHECK(compiled_objects(scene.build()) == 1);
}

TEST_CASE("warnings of a cached object are said again") {
  Scene scene;
  scene.request.flags.push_back("-Wall");
  scene.file("a.cpp", fresh("int a() { int unused; return 1; }\n"));
  const BuildResult first = scene.build(), second = scene.build();
  CHECK_THAT(first.log, Catch::StartsWith("a.cpp: In function"));
  CHECK_THAT(first.log, Catch::Contains("unused"));
  CHECK(second.cached == 2);
  CHECK(second.log == first.log);
}

TEST_CASE("an error in the code is the first error, with the name of the student's file") {
  Scene scene;
  scene.file("a.cpp", fresh("int a() { return nothing; }\n"));
  scene.file("b.cpp", fresh("#include \"../b.h\"\n"));
  const BuildResult result = scene.build();
  CHECK(result.status == Status::failed);
  CHECK(result.library.empty());
  CHECK_THAT(result.message, Catch::StartsWith("a.cpp:2:18: "));
  CHECK_THAT(result.log, Catch::Contains("\"../b.h\""));
}

TEST_CASE("a function that is used and defined nowhere is named, and so is the file that uses it") {
  Scene scene;
  scene.file("a.cpp", fresh("namespace net { int size(int); }\n"
                            "int a() { return net::size(1); }\n"));
  const BuildResult result = scene.build();
  CHECK(result.status == Status::failed);
  CHECK(result.message == "`net::size(int)` is used but not defined in any file.");
  CHECK_THAT(result.log, Catch::Contains("a.cpp"));
  CHECK_THAT(result.log, !Catch::Contains(Scene::shared_cache().string()));
}

TEST_CASE("the compiler reads nothing outside the submission and the kit's headers") {
  Scene scene;
  write(scene.outside() / "secret.h", "the secret of another student\n");
  scene.file("a.cpp", fresh("#include \"../secret.h\"\n"));
  scene.file("b.cpp",
             fresh("asm(\".incbin \\\"" + (scene.outside() / "secret.h").string() + "\\\"\");\n"));
  const BuildResult result = scene.build();
  CHECK(result.status == Status::failed);
  CHECK_THAT(result.log, !Catch::Contains("the secret"));
}

TEST_CASE("a forbidden function breaks the rules, and an own main is only noted") {
  Scene scene;
  scene.request.forbidden_symbols = {"system", "fork"};
  scene.file("a.cpp", fresh("extern \"C\" int system(const char*);\n"
                            "int main() { return 0; }\n"
                            "int a() { return system(\"true\"); }\n"));
  const BuildResult forbidden = scene.build();
  CHECK(forbidden.status == Status::policy);
  CHECK(forbidden.message == "The submission calls system(), which this stage does not allow.");

  scene.request.forbidden_symbols = {"fork"};
  const BuildResult allowed = scene.build();
  CHECK(allowed.status == Status::ok);
  CHECK(allowed.notes ==
        std::vector<std::string>{"The submission defines main(); the grader does not call it."});
}

TEST_CASE("a compiler that takes too long or talks too much is stopped") {
  SECTION("time") {
    Scene scene;
    scene.request.limits.build = std::chrono::seconds(1);
    scene.request.flags.insert(scene.request.flags.end(), {!scene.builder.toolchain().is_clang()
                                                               ? "-fconstexpr-ops-limit=4000000000"
                                                               : "-fconstexpr-steps=2000000000",
                                                           "-DLIMIT=2000000000"});
    if (!scene.builder.toolchain().is_clang()) {
      scene.request.flags.push_back("-fconstexpr-loop-limit=2000000000");
    }
    scene.file("a.cpp",
               fresh("constexpr int spin() { int n = 0; while (n < LIMIT) ++n; return n; }\n"
                     "constexpr int kSpun = spin();\n"));
    const BuildResult result = scene.build();
    CHECK(result.status == Status::timed_out);
    CHECK(result.message == "Compiling a.cpp took longer than 1 s.");
  }
}

TEST_CASE("a compiler that waits is stopped, too") {
  Scene scene;
  scene.request.limits.build = std::chrono::seconds(1);
  scene.file("a.cpp", fresh("#include \"pipe.h\"\n"));
  // Nobody will ever write into it. It is not among the files of the submission.
  REQUIRE(mkfifo((scene.request.folder / "pipe.h").c_str(), 0644) == 0);
  const BuildResult result = scene.build();
  CHECK(result.status == Status::timed_out);
  CHECK(result.message == "Compiling a.cpp took longer than 1 s.");
}

TEST_CASE("a compiler that other programs keep from running is the machine's trouble") {
  Scene scene;
  TemporaryFolder folder;
  const fs::path program = folder.path() / "c++";
  Toolchain toolchain = Toolchain::find();
  cpu_set_t cpus;
  sched_getaffinity(0, sizeof cpus, &cpus);
  Command looping;
  looping.argv = {"/bin/sh", "-c", "while :; do :; done"};
  looping.cpu = 0;
  while (!CPU_ISSET(static_cast<size_t>(looping.cpu), &cpus)) ++looping.cpu;
  // Computes for ever, where it gets to it.
  write(program, "#!/bin/sh\ntaskset -c " + std::to_string(looping.cpu) +
                     " /bin/sh -c 'while :; do :; done'\n");
  for (const fs::path& path : {program, folder.path()}) fs::permissions(path, fs::perms(0755));
  toolchain.compiler = program;
  scene.request.confined = false;
  scene.request.partial = GENERATE(true, false);
  scene.request.limits.build = std::chrono::seconds(1);
  scene.file("a.cpp", fresh("int a() { return 1; }\n"));
  std::vector<std::unique_ptr<Process>> crowd;
  while (crowd.size() < 20) crowd.push_back(std::make_unique<Process>(looping, Limits{}));
  Builder builder(toolchain, ObjectCache(folder.path() / "cache"), CONVKIT_CONFINE_PROGRAM);
  const BuildResult result = builder.build(scene.request, scene.pool);
  CHECK(result.status == Status::no_compiler);
  CHECK(result.message ==
        "Compiling a.cpp did not end within 5 s, but other programs had the processors for most of "
        "them. The machine is too busy: build it again. The code was not judged.");
}

TEST_CASE("of a compiler that talks too much the log is cut, not the work") {
  Scene scene;
  std::string text = fresh("");
  for (int i = 0; i < 4000; ++i) text += "#warning " + std::string(100, 'x') + "\n";
  SECTION("warnings") {
    scene.file("a.cpp", text + "int a() { return 1; }\n");
    const BuildResult result = scene.build();
    CHECK(result.status == Status::ok);
    CHECK(result.log.size() <= 65 << 10);
    CHECK_THAT(result.log, Catch::Contains("more bytes of messages are not shown"));
  }
  SECTION("an error behind them") {
    scene.file("a.cpp", text + "int a() { return nothing; }\n");
    const BuildResult result = scene.build();
    CHECK(result.status == Status::failed);
    CHECK_THAT(result.message, Catch::Contains("nothing"));
  }
}

TEST_CASE("a compiler that compiles nothing at all is not the submission's fault") {
  Scene scene;
  scene.file("a.cpp", fresh("int a() { return 1; }\n"));
  Toolchain toolchain = Toolchain::find();
  toolchain.compiler = "/bin/false";
  Builder broken(toolchain, ObjectCache(Scene::shared_cache()), CONVKIT_CONFINE_PROGRAM);
  scene.request.partial = GENERATE(true, false);
  const BuildResult result = broken.build(scene.request, scene.pool);
  CHECK(result.status == Status::no_compiler);
  CHECK(result.message ==
        "/bin/false cannot compile an empty program. The code was not judged. Set CXX to a "
        "compiler that works.");
}

TEST_CASE("a compiler that something else than a limit killed is tried once more") {
  Scene scene;
  TemporaryFolder folder;
  const fs::path program = folder.path() / "c++", counter = folder.path() / "count";
  Toolchain toolchain = Toolchain::find();
  // A driver that lives, whose compiler proper is killed; and a driver that is killed.
  const bool driver = GENERATE(true, false);
  const int kills = GENERATE(1, 2);
  const std::string dies = driver ? "kill -9 $$"
                                  : "echo 'g++: fatal error: Killed signal terminated program "
                                    "cc1plus'; echo 'compilation terminated.'; exit 1";
  write(program, "#!/bin/sh\ncase \"$*\" in *a.cpp*) ;; *) exec " + toolchain.compiler.string() +
                     " \"$@\";; esac\necho >> " + counter.string() + "\nif [ $(wc -l < " +
                     counter.string() + ") -le " + std::to_string(kills) + " ]; then " + dies +
                     "; fi\nexec " + toolchain.compiler.string() + " \"$@\"\n");
  for (const fs::path& path : {program, folder.path()}) fs::permissions(path, fs::perms(0755));
  toolchain.compiler = program;
  scene.request.confined = false;
  scene.file("a.cpp", fresh("int a() { return 1; }\n"));
  scene.request.partial = GENERATE(true, false);
  Builder builder(toolchain, ObjectCache(folder.path() / "cache"), CONVKIT_CONFINE_PROGRAM);
  const BuildResult result = builder.build(scene.request, scene.pool);
  CAPTURE(driver, kills, result.message);
  CHECK(result.status == (kills == 1 ? Status::ok : Status::no_compiler));
  if (kills == 2)
    CHECK_THAT(result.message, Catch::Contains("the system killed the compiler twice"));
}

TEST_CASE("a compiler that crashes, and one at a limit, have statuses and words of their own") {
  Scene scene;
  TemporaryFolder folder;
  const fs::path program = folder.path() / "c++";
  struct Reason {
    std::string shell;
    Status status;
    std::string message;
  };
  const Reason ending = GENERATE(
      Reason{"echo 'g++: internal compiler error: Segmentation fault signal terminated program "
             "cc1plus'; exit 4",
             Status::compiler_crashed,
             "Compiling a.cpp made the compiler crash: g++: internal compiler error: Segmentation "
             "fault signal terminated program cc1plus"},
      Reason{"echo 'a.cpp: error: x'; kill -SEGV $$", Status::compiler_crashed,
             "Compiling a.cpp made the compiler crash: a.cpp: x"},
      Reason{"kill -XFSZ $$", Status::file_too_large,
             "Compiling a.cpp went over the compiler's limit of file size (256 MiB)."},
      Reason{"echo 'virtual memory exhausted'; exit 1", Status::out_of_memory,
             "Compiling a.cpp went over the compiler's limit of memory (4096 MiB)."});
  write(program, "#!/bin/sh\n" + ending.shell + "\n");
  for (const fs::path& path : {program, folder.path()}) fs::permissions(path, fs::perms(0755));
  Toolchain toolchain = Toolchain::find();
  toolchain.compiler = program;
  scene.request.confined = false;
  scene.file("a.cpp", fresh("int a() { return 1; }\n"));
  Builder builder(toolchain, ObjectCache(folder.path() / "cache"), CONVKIT_CONFINE_PROGRAM);
  const BuildResult result = builder.build(scene.request, scene.pool);
  CHECK(result.status == ending.status);
  CHECK(result.message == ending.message);
}

namespace {

// A compiler that does something `instead` for a.cpp, the first `times`, and something before all
// other work. In both, $here is a folder.
class SickCompiler {
 public:
  explicit SickCompiler(const std::string& instead, int times = 1000,
                        const std::string& before_others = "true")
      : toolchain_(Toolchain::find()) {
    const fs::path program = folder_.path() / "c++";
    const std::string real = "exec " + toolchain_.compiler.string() + " \"$@\"\n";
    write(program, "#!/bin/sh\nhere=" + folder_.path().string() +
                       "\ncase \"$*\" in *a.cpp*) ;; *) " + before_others + "\n" + real +
                       ";; esac\necho >> $here/count\nif [ $(wc -l < $here/count) -le " +
                       std::to_string(times) + " ]; then " + instead + "\nfi\n" + real);
    fs::permissions(program, fs::perms(0755));
    toolchain_.compiler = program;
  }
  BuildResult build(Scene& scene) {
    scene.request.confined = false;
    Builder builder(toolchain_, ObjectCache(folder_.path() / "cache"), CONVKIT_CONFINE_PROGRAM);
    return builder.build(scene.request, scene.pool);
  }

 private:
  Toolchain toolchain_;
  TemporaryFolder folder_;
};

// What compilers and their shells say where no process could be started, or nothing.
std::string without_a_reason() {
  return GENERATE(as<std::string>(), "echo 'sh: 0: Cannot fork'; exit 2", "exit 1",
                  "echo \"c++: fatal error: cannot execute 'cc1plus': vfork: Resource temporarily "
                  "unavailable\"; echo 'compilation terminated.'; exit 1",
                  "echo \"a.cpp:1:5: warning: unused variable\"; exit 1");
}

}  // namespace

TEST_CASE("a compiler that fails and names no error is tried again before it counts") {
  const std::string instead = without_a_reason();
  const int times = GENERATE(1, 2);
  CAPTURE(instead, times);
  Scene scene;
  scene.file("a.cpp", fresh("int a() { return 1; }\n"));
  SickCompiler compiler(instead, times);
  const BuildResult result = compiler.build(scene);
  CHECK(result.status == Status::ok);
}

TEST_CASE("a compiler that fails without a reason is the machine's fault where it always does") {
  const std::string instead = without_a_reason();
  CAPTURE(instead);
  Scene scene;
  scene.file("a.cpp", fresh("int a() { return 1; }\n"));
  scene.request.partial = GENERATE(true, false);
  SickCompiler compiler(instead, 1000, instead);
  const BuildResult result = compiler.build(scene);
  CHECK(result.status == Status::no_compiler);
  CHECK_THAT(result.message, Catch::Contains(" cannot compile an empty program"));
}

TEST_CASE(
    "a source that alone makes the compiler fail without a reason fails, in a full sentence") {
  const std::string instead = without_a_reason();
  CAPTURE(instead);
  Scene scene;
  scene.file("a.cpp", fresh("int a() { return 1; }\n"));
  SickCompiler compiler(instead);
  const BuildResult result = compiler.build(scene);
  CHECK(result.status == Status::failed);
  CHECK(result.message ==
        "Compiling a.cpp: the compiler failed three times and named no error, but it compiles an "
        "empty program.");
}

TEST_CASE("a compiler that failed without a reason is tried again alone") {
  Scene scene;
  scene.file("a.cpp", fresh("int a() { return 1; }\n"));
  scene.file("b.cpp", fresh("int b() { return 1; }\n"));
  const auto await = [](const std::string& what) {
    return "i=0; while [ ! -e " + what + " ] && [ $i -lt 400 ]; do sleep 0.05; i=$((i+1)); done; ";
  };
  // b.cpp is in work until a while after a.cpp has failed.
  SickCompiler compiler(
      "if [ -e $here/b_ended ]; then " + Toolchain::find().compiler.string() +
          " \"$@\"; exit; fi; " +
          "if [ -e $here/failed ]; then echo 'a.cpp:1:1: error: not alone'; exit 1; fi; " +
          await("$here/b") + "touch $here/failed; exit 1",
      1000,
      "case \"$*\" in *b.cpp*) touch $here/b; " + await("$here/failed") +
          "sleep 0.3; touch $here/b_ended;; esac");
  const BuildResult result = compiler.build(scene);
  CAPTURE(result.message);
  CHECK(result.status == Status::ok);
}

TEST_CASE("what a source prints does not pass for a compiler that was killed") {
  Scene scene;
  const std::string line =
      GENERATE(as<std::string>(), "g++: fatal error: Killed signal terminated program cc1plus",
               "sh: 0: Cannot fork", "Resource temporarily unavailable");
  CAPTURE(line);
  scene.file("a.cpp", fresh("asm(\".print \\\"" + line + "\\\"\\n.err\");\n"));
  const BuildResult result = scene.build();
  CHECK(result.status != Status::no_compiler);
  CHECK_THAT(result.message, Catch::EndsWith("The assembler: .err encountered"));
}

TEST_CASE("nothing to compile and nothing to compile with are told apart") {
  Scene scene;
  scene.file("notes.txt", "");
  CHECK(scene.build().status == Status::failed);
  CHECK(scene.build().message == "The folder holds no C++ source file.");

  Builder none(Toolchain{}, ObjectCache(Scene::shared_cache()), CONVKIT_CONFINE_PROGRAM);
  const BuildResult result = none.build(scene.request, scene.pool);
  CHECK(result.status == Status::no_compiler);
  CHECK_THAT(result.message, Catch::StartsWith("No C++ compiler was found on PATH."));
}

TEST_CASE("builds of the same files side by side give the same library") {
  Scene scene;
  scene.file("a.cpp", fresh("int a() { return 1; }\n"));
  std::vector<BuildResult> results(4);
  std::vector<std::thread> threads;
  for (BuildResult& result : results) {
    threads.emplace_back([&] { result = scene.builder.build(scene.request, scene.pool); });
  }
  for (std::thread& thread : threads) thread.join();
  for (const BuildResult& result : results) {
    CHECK(result.status == Status::ok);
    CHECK(result.library == results[0].library);
  }
  for (const auto& entry : fs::directory_iterator(Scene::shared_cache())) {
    CHECK(entry.path().extension() != ".partial");
  }
}

TEST_CASE("a cache folder of others, or that they may write, is refused") {
  const TemporaryFolder folder;
  const fs::path open = folder / "open";
  fs::create_directory(open);
  fs::permissions(open, fs::perms::all);
  SECTION("with something in it") {
    write(open / "planted.o", "planted");
    CHECK_THROWS_WITH(ObjectCache(open), Catch::Contains(open.string()) &&
                                             Catch::Contains("can be written by other users"));
  }
  SECTION("empty, it is closed and used") {
    const ObjectCache cache(open);
    CHECK((fs::status(open).permissions() & fs::perms::others_write) == fs::perms::none);
  }
  SECTION("that cannot be made") {
    write(folder / "file", "");
    CHECK_THROWS_WITH(ObjectCache(folder / "file" / "cache"), Catch::Contains("cannot be written"));
  }
}

TEST_CASE("a file of the cache that was damaged is made again, and nobody is blamed") {
  Scene scene;
  TemporaryFolder cache;
  scene.file("a.cpp", fresh("int a() { return 1; }\n"));
  const std::string damage = GENERATE(as<std::string>(), "cut", "changed", "all zero");
  CAPTURE(damage);
  const auto build = [&] {
    Builder builder(Toolchain::find(), ObjectCache(cache.path() / "cache"),
                    CONVKIT_CONFINE_PROGRAM);
    return builder.build(scene.request, scene.pool);
  };
  const std::string sound = read(build().library);
  for (const auto& entry : fs::directory_iterator(cache.path() / "cache")) {
    const std::string extension = entry.path().extension().string();
    if (extension != ".o" && extension != ".so") continue;
    std::string bytes = read(entry.path());
    if (damage == "cut") bytes.resize(bytes.size() / 2);
    if (damage == "changed") bytes[bytes.size() / 2] ^= 1;
    if (damage == "all zero") bytes.assign(bytes.size(), '\0');
    write(entry.path(), bytes);
  }
  const BuildResult again = build();
  CHECK(again.status == Status::ok);
  CHECK(again.compiled == 2);
  CHECK(read(again.library) == sound);
}

TEST_CASE("the first file that is stored under a key stays, unless it is empty") {
  const test::TemporaryFolder folder;
  ObjectCache cache(folder / "cache");
  const auto store = [&](const std::string& text) {
    std::ofstream(folder / "object") << text;
    cache.store("key", ".o", folder / "object", "");
    return read(folder / "cache" / "key.o");
  };
  CHECK(store("") == "");
  CHECK(store("first") == "first");
  CHECK(store("second") == "first");
  const fs::directory_iterator files(folder / "cache");
  CHECK(std::distance(begin(files), end(files)) == 2);  // with what it was when it was stored
}

TEST_CASE("a cached file is found under its key, with its messages, and an empty one is not") {
  const TemporaryFolder folder;
  ObjectCache cache(folder / "cache");
  write(folder / "object", "object");
  CHECK_FALSE(cache.find("key", ".o"));
  cache.store("key", ".o", folder / "object", "a warning");
  REQUIRE(cache.find("key", ".o"));
  CHECK(read(cache.find("key", ".o")->file) == "object");
  CHECK(cache.find("key", ".o")->messages == "a warning");

  write(folder / "cache" / "lost.o", "");
  CHECK_FALSE(cache.find("lost", ".o"));
  CHECK_THROWS_WITH(cache.store("other", ".o", folder / "no such file", ""),
                    Catch::Contains((folder / "cache").string()));
}

TEST_CASE("a cached file whose sum is not written yet is not found, and stays") {
  const TemporaryFolder folder;
  ObjectCache cache(folder / "cache");
  write(folder / "first", "first");
  write(folder / "second", "the second");
  cache.store("key", ".gch", folder / "first", "");
  // Another grader has replaced the file, and not the sum.
  fs::copy_file(folder / "second", folder / "cache/key.gch", fs::copy_options::overwrite_existing);
  CHECK_FALSE(cache.find("key", ".gch"));
  CHECK(read(folder / "cache/key.gch") == "the second");
  cache.replace("key", ".gch", folder / "second");
  CHECK(cache.find("key", ".gch"));
}

TEST_CASE("trimming a cache removes what was not used for longest") {
  const TemporaryFolder folder;
  ObjectCache cache(folder.path());
  write(folder / "bytes", std::string(1000, 'x'));
  const auto now = fs::file_time_type::clock::now();
  for (int i = 0; i < 5; ++i) {
    const auto entry = cache.store(std::to_string(i), ".o", folder / "bytes", "");
    fs::last_write_time(entry.file, now - std::chrono::hours(10 - i));
  }
  fs::remove(folder / "bytes");
  REQUIRE(cache.find("0", ".o"));  // now it was used last
  cache.trim(2500);
  CHECK(cache.find("0", ".o"));
  CHECK(cache.find("4", ".o"));
  CHECK_FALSE(cache.find("1", ".o"));
  CHECK_FALSE(cache.find("3", ".o"));
}

TEST_CASE("a damaged shared object is refused or read, but never read out of bounds") {
  Scene scene;
  scene.file("a.cpp",
             "extern \"C\" int puts(const char*);\n"
             "extern \"C\" int a() { return puts(\"\"); }\n");
  const BuildResult built = scene.build();
  REQUIRE(built.status == Status::ok);
  const std::string whole = read(built.library);
  const fs::path file = scene.outside() / "damaged.so";
  const auto try_to_read = [&](const std::string& bytes) {
    write(file, bytes);
    try {
      dynamic_symbols(file);
    } catch (const std::runtime_error& error) {
      CHECK(error.what() == std::string("damaged.so is not a well-formed shared object."));
    }
  };
  CHECK(holds(dynamic_symbols(built.library).undefined, "puts"));
  const auto puts = symbols_that_begin_with("puts", built.library);
  REQUIRE(puts.size() >= 1);
  CHECK(puts[0].starts_with("puts"));
  CHECK(symbols_that_begin_with("__tsan_", built.library).empty());
  for (const std::string& bytes : {std::string(), std::string("text"), std::string(64, '\0')}) {
    write(file, bytes);
    CHECK_THROWS_WITH(dynamic_symbols(file), "damaged.so is not a well-formed shared object.");
  }
  CHECK_THROWS_WITH(dynamic_symbols(scene.outside() / "missing.so"),
                    Catch::Contains("missing.so cannot be read."));
  for (size_t size = 0; size < whole.size(); size += whole.size() / 50) {
    try_to_read(whole.substr(0, size));
  }
  // Mutations where they matter: the file header, and the section headers at the end.
  std::mt19937 random(20);
  const size_t headers = std::min<size_t>(whole.size(), 4096);
  for (int i = 0; i < 400; ++i) {
    std::string bytes = whole;
    for (int changes = 1 + static_cast<int>(random() % 4); changes > 0; --changes) {
      const size_t at = random() % 2 ? random() % 64 : bytes.size() - 1 - random() % headers;
      bytes[at] = static_cast<char>(random() % 3 == 0 ? 0xff : random());
    }
    try_to_read(bytes);
  }
}

TEST_CASE("of a partial build, what compiles is linked, with stubs for what it lacks") {
  Scene scene;
  scene.request.partial = true;
  scene.file("a.cpp", fresh("int b(int);\nextern \"C\" int c();\n"
                            "extern \"C\" int a() { return b(1) + c(); }\n"));
  scene.file("b.cpp", fresh("int b(int x) { return y; }\n"));
  const BuildResult result = scene.build();
  REQUIRE(result.status == Status::ok);
  REQUIRE(result.failed.size() == 1);
  CHECK(result.failed[0].file == "b.cpp");
  CHECK_THAT(result.failed[0].message, Catch::StartsWith("b.cpp:2:23: "));
  auto missing = result.missing;
  std::ranges::sort(missing);
  CHECK(missing == std::vector<std::string>{"_Z1bi", "c"});
  const Symbols symbols = dynamic_symbols(result.library);
  CHECK(holds(symbols.defined, "a"));
  // A runner that looks for them must not find the stubs.
  CHECK_FALSE(holds(symbols.defined, "c"));
  CHECK_FALSE(holds(symbols.undefined, "c"));

  SECTION("a second time, nothing that compiled is compiled again") {
    const BuildResult again = scene.build();
    CHECK(again.library == result.library);
    CHECK(again.compiled == 1);  // the one that fails
  }
  SECTION("when it is mended, nothing of the stubs is left") {
    scene.file("b.cpp", fresh("int b(int x) { return x; }\nextern \"C\" int c() { return 0; }\n"));
    const BuildResult whole = scene.build();
    CHECK(whole.status == Status::ok);
    CHECK((whole.failed.empty() && whole.missing.empty()));
    CHECK(whole.library != result.library);
  }
  SECTION("a source that defines a name again is left out") {
    scene.file("d.cpp", fresh("extern \"C\" int a() { return 0; }\n"));
    const BuildResult twice = scene.build();
    CHECK(twice.status == Status::ok);
    REQUIRE(twice.failed.size() == 2);
    CHECK(twice.failed[1].file == "d.cpp");
    CHECK(twice.failed[1].left_out);
    CHECK_THAT(twice.failed[1].message,
               Catch::StartsWith("`a` is defined in `a.cpp`, and again in `d.cpp`, which was left "
                                 "out. It is not one of the stage's files"));
  }
  SECTION("a source that the stage asks for stays before others") {
    scene.file("a.cpp", fresh("extern \"C\" int a() { return 0; }\n"));
    scene.file("d.cpp", fresh("extern \"C\" int a() { return 1; }\n"));
    scene.request.asked_for = {"d.cpp"};
    const BuildResult twice = scene.build();
    REQUIRE(twice.failed.size() == 2);
    CHECK(twice.failed[1].file == "a.cpp");
  }
  SECTION("a build that is not partial fails with the first file") {
    scene.request.partial = false;
    const BuildResult failed = scene.build();
    CHECK(failed.status == Status::failed);
    CHECK_THAT(failed.message, Catch::StartsWith("b.cpp:2:23: "));
  }
}

TEST_CASE("a stand-in gives way to what the submission defines itself") {
  Scene scene;
  scene.request.partial = true;
  scene.request.stand_ins = {"lost.cpp"};
  scene.file("lost.cpp", fresh("extern \"C\" int one() { return -1; }\nint more() { return -2; }\n"
                               "extern \"C\" int two() { return one() + more(); }\n"));
  const auto value_of = [](const BuildResult& built, const char* name) {
    void* library = dlopen(built.library.c_str(), RTLD_NOW | RTLD_LOCAL);
    REQUIRE(library);
    auto* const function = reinterpret_cast<int (*)()>(dlsym(library, name));
    return function ? function() : 0;
  };

  SECTION("where nothing of it is defined elsewhere, it is whole") {
    scene.file("own.cpp", fresh("int own() { return 0; }\n"));
    const BuildResult built = scene.build();
    REQUIRE(built.message == "");
    CHECK(built.stand_ins.empty());
    CHECK(value_of(built, "one") == -1);
  }
  SECTION("of what is defined elsewhere, the submission's counts") {
    scene.file("own.cpp", fresh("extern \"C\" int one() { return 1; }\n"));
    const BuildResult built = scene.build();
    REQUIRE(built.message == "");
    REQUIRE(built.stand_ins.size() == 1);
    CHECK(built.stand_ins[0].file == "lost.cpp");
    CHECK(built.stand_ins[0].defined_in == std::vector<std::string>{"own.cpp"});
    CHECK(built.stand_ins[0].left == StandIn::Left::some);
    CHECK(value_of(built, "one") == 1);
    CHECK(value_of(built, "two") == 1 - 2);
    CHECK(scene.build().library == built.library);
  }
  SECTION("a definition that may be there more than once is one as well") {
    scene.file("own.cpp", fresh("extern \"C\" __attribute__((weak)) int one() { return 1; }\n"));
    CHECK(value_of(scene.build(), "one") == 1);
  }
  SECTION("spread over several files, all of it") {
    scene.file("own.cpp",
               fresh("extern \"C\" int one() { return 1; }\nint more() { return 2; }\n"));
    scene.file("two.cpp", fresh("extern \"C\" int two() { return 5; }\n"));
    const BuildResult built = scene.build();
    REQUIRE(built.message == "");
    REQUIRE(built.stand_ins.size() == 1);
    CHECK(built.stand_ins[0].defined_in == std::vector<std::string>{"own.cpp", "two.cpp"});
    CHECK(built.stand_ins[0].left == StandIn::Left::none);
    CHECK(value_of(built, "two") == 5);
  }
  SECTION("in a file that does not compile: nobody defines it") {
    scene.file("own.cpp", fresh("extern \"C\" int one() { return x; }\n"));
    const BuildResult built = scene.build();
    REQUIRE(built.status == Status::ok);
    REQUIRE(built.failed.size() == 1);
    CHECK(built.missing == std::vector<std::string>{"one"});
    CHECK(value_of(built, "one") == 0);
  }
  SECTION("one that does not compile is no fault where another file defines the same") {
    scene.file("lost.cpp", fresh("#include \"mine.h\"\nint one(int x) { return kGone; }\n"));
    scene.file("mine.h", "");
    scene.file("own.cpp", fresh("int one(int) { return 1; }\n"));
    const BuildResult built = scene.build();
    REQUIRE(built.message == "");
    CHECK(built.failed.empty());
    REQUIRE(built.stand_ins.size() == 1);
    CHECK(built.stand_ins[0].left == StandIn::Left::unknown);
  }
  SECTION("the submission's own clashes are clashes") {
    scene.file("own.cpp", fresh("extern \"C\" int one() { return 1; }\n"));
    scene.file("copy.cpp", fresh("extern \"C\" int one() { return 1; }\n"));
    const BuildResult built = scene.build();
    REQUIRE(built.failed.size() == 1);
    CHECK(built.failed[0].file == "copy.cpp");
    CHECK_THAT(built.failed[0].message, Catch::StartsWith("`one` is defined in `own.cpp`"));
  }
}

TEST_CASE("a linker's list of missing symbols is read in every wording, and only names are taken") {
  CHECK(undefined_symbols("ld: a.o: in function `a': a.cpp:(.text+0x1): undefined reference to "
                          "`_Z1bi'\nld: a.cpp:(.text+0x9): undefined reference to `_Z1bi'\n"
                          "ld.lld: error: undefined symbol: c\nmold: error: undefined symbol: d\n"
                          ">>> referenced by a.o\n"
                          "ld: hidden symbol `e' isn't defined\n") ==
        std::vector<std::string>{"_Z1bi", "c", "d", "e"});
  CHECK(undefined_symbols("undefined symbol: \"); } int main() {\nundefined symbol: \n").empty());
  CHECK(demangled("_Z4gonef") == "gone(float)");
  CHECK(demangled("gone") == "gone");
}

TEST_CASE("the sources of a build share a budget of the compiler's time") {
  Scene scene;
  scene.request.partial = true;
  scene.file("a.cpp", fresh("int a() { return 1; }\n"));
  scene.file("b.cpp", fresh("int b() { return 1; }\n"));
  REQUIRE(scene.build().status == Status::ok);
  scene.file("b.cpp", fresh("int b() { return 2; }\n"));
  scene.request.limits.all_builds = std::chrono::seconds(0);
  const BuildResult result = scene.build();
  // What was compiled before takes no time.
  CHECK(result.status == Status::ok);
  REQUIRE(result.failed.size() == 1);
  CHECK(result.failed[0].status == Status::timed_out);
  CHECK(result.failed[0].message ==
        "Compiling b.cpp was stopped: all files of the stage together may take 0 s.");
}

TEST_CASE("what a source's compiler had is no longer there for the next one") {
  Scene scene;
  TemporaryFolder folder;
  const fs::path program = folder.path() / "c++", counter = folder.path() / "count";
  write(program, "#!/bin/sh\necho >> " + counter.string() + "\nsleep 1000\n");
  for (const fs::path& path : {program, folder.path()}) fs::permissions(path, fs::perms(0755));
  Toolchain toolchain = Toolchain::find();
  toolchain.compiler = program;
  scene.request.confined = false;
  scene.request.limits.all_builds = std::chrono::seconds(1);
  for (const std::string file : {"a.cpp", "b.cpp", "c.cpp"}) scene.file(file, fresh("int a;\n"));
  ThreadPool two_at_a_time(1);  // and this thread
  Builder builder(toolchain, ObjectCache(folder.path() / "cache"), CONVKIT_CONFINE_PROGRAM);
  const BuildResult result = builder.build(scene.request, two_at_a_time);
  REQUIRE(result.failed.size() == 3);
  for (const FailedSource& failed : result.failed) {
    CHECK(failed.status == Status::timed_out);
    CHECK(failed.message == "Compiling " + failed.file +
                                " was stopped: all files of the stage together may take 1 s.");
  }
  CHECK(read(counter) == "\n\n");  // c.cpp had none
}

TEST_CASE("nvcc links what compiles with stubs, too") {
  const fs::path nvcc = "/usr/local/cuda/bin/nvcc";
  if (!fs::exists(nvcc)) return;
  Scene scene;
  scene.request.target = BuildTarget::gpu;
  scene.request.nvcc = nvcc;
  scene.request.gpu_architecture = "sm_90";
  scene.request.flags = {"-std=c++17"};
  scene.request.partial = true;
  scene.file("a.cu", fresh("#include <cuda_runtime.h>\ncudaError_t b(int);\n"
                           "extern \"C\" cudaError_t a() { return b(1); }\n"));
  scene.file("b.cu", fresh("cudaError_t b(int) { return 0 }\n"));
  const BuildResult result = scene.build();
  REQUIRE(result.message == "");
  REQUIRE(result.failed.size() == 1);
  CHECK(result.failed[0].file == "b.cu");
  CHECK(result.missing == std::vector<std::string>{"_Z1bi"});
  CHECK(holds(dynamic_symbols(result.library).defined, "a"));
}

}  // namespace convkit

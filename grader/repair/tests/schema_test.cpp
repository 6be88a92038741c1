// SPDX-License-Identifier: MIT
#include "repair/schema.h"

#include <sys/wait.h>

#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "catch.h"
#include "convkit/temporary_folder.h"

namespace convkit::repair {
namespace {

namespace fs = std::filesystem;
using rewrite::Source;

// Every kind of change: names, numbers, operators, statements, conditions, arguments, barriers.
const std::string kFunction = R"(
float f(int a, int b, float slope, Values v) {
  float sum = 0.5f;
  int last = a > 1 && b > 1 ? b : a;
  for (int i = 0; i < a; ++i) {
    if (i == b && a > 1) continue;
    sum += v[i * b + 1] * slope;
    last = i - b;
  }
  sum += last / 2;
  if (sum > slope || last >= a) return sum - slope;
  return fmaxf(sum, add(last, a));
}
)";

// Is there to be called; a program that reads beyond the array would say nothing.
const std::string kBefore = R"(
#include <cmath>
#include <cstdio>
struct Values {
  const float* values;
  float operator[](long i) const { return i < 0 || i > 7 ? 0.25f : values[i]; }
};
static float add(int a, int b) { return static_cast<float>(2 * a + b); }
)";

std::vector<Mutant> mutants_of(const std::string& text) {
  const Source source(text);
  rewrite::Names names;
  names.add(source);
  names.finish();
  return find_mutants(source, names, {});
}

std::string changed(std::string text, const Mutant& mutant) {
  for (auto edit = mutant.edits.rbegin(); edit != mutant.edits.rend(); ++edit) {
    text.replace(edit->begin, edit->end - edit->begin, edit->text);
  }
  return text;
}

void write(const fs::path& file, const std::string& text) {
  std::ofstream(file, std::ios::binary) << text;
}

int run(const std::string& command) {
  const int status = std::system(command.c_str());
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

int compiled(const fs::path& folder, const std::string& sources) {
  return run("cd '" + folder.string() + "' && " CONVKIT_TEST_COMPILER " -std=c++17 -w -O1 -o p " +
             sources);
}

}  // namespace

TEST_CASE("each number of the program does what the changed text does") {
  const std::vector<Mutant> mutants = mutants_of(kFunction);
  REQUIRE(mutants.size() > 100);
  const TemporaryFolder scratch("schema_test");
  // The text with each change in a namespace of its own, and the one program that holds them all.
  std::string program = kBefore + "static int number;\nint convkit_mutant() { return number; }\n" +
                        "void convkit_enter(int) {}\n";
  std::string table = "{own::f";
  program += "namespace own {" + kFunction + "}\n";
  for (size_t i = 0; i < mutants.size(); ++i) {
    const std::string name = "m" + std::to_string(i + 1);
    program += "namespace " + name + " {" + changed(kFunction, mutants[i]) + "}\n";
    table += ", " + name + "::f";
  }
  rewrite::ColumnMap columns;
  program += "namespace all {\n" + schema_of(kFunction, mutants, 1, columns) + "}\n";
  program += "float (*const kTexts[])(int, int, float, Values) = " + table + "};\n";
  program += R"(
int main() {
  const float values[] = {1, -2, 3, -4, 5, -6, 7, -8};
  const Values v = {values};
  int wrong = 0;
  for (number = 0; number < int(sizeof kTexts / sizeof *kTexts); ++number) {
    for (int a = 1; a < 4; ++a) {
      for (int b = 1; b < 4; ++b) {
        const float text = kTexts[number](a, b, 1.5f, v), one = all::f(a, b, 1.5f, v);
        if (text == one || (text != text && one != one)) continue;
        std::printf("number %d, a %d, b %d: %g and not %g\n", number, a, b, one, text);
        ++wrong;
      }
    }
  }
  return wrong > 0;
}
)";
  // The header stands before its namespace.
  program.insert(0, std::string("#include \"") + kSchemaHeader + "\"\n");
  write(scratch.path() / kSchemaHeader, kSchemaHeaderText);
  write(scratch.path() / "p.cpp", program);
  REQUIRE(compiled(scratch.path(), "p.cpp") == 0);
  CHECK(run("timeout 60 '" + (scratch.path() / "p").string() + "'") == 0);
}

TEST_CASE("a file holds the number, and a negative one says whether a function is called") {
  const std::string text = "int g(int a) { return a + 1; }\nint h(int a) { return a + 3; }\n";
  const std::vector<Mutant> mutants = mutants_of(text);
  const TemporaryFolder scratch("schema_test");
  rewrite::ColumnMap columns;
  write(scratch.path() / "f.cpp", schema_of(text, mutants, 1, columns));
  write(scratch.path() / kSchemaHeader, kSchemaHeaderText);
  write(scratch.path() / kSchemaSource, kSchemaSourceText);
  write(scratch.path() / "main.cpp", "int g(int);\nint main() { return g(41); }\n");
  REQUIRE(compiled(scratch.path(), std::string("f.cpp main.cpp ") + kSchemaSource) == 0);
  const auto ends_with = [&](int32_t number) {
    const fs::path file = scratch.path() / "number";
    std::ofstream(file, std::ios::binary)
        .write(reinterpret_cast<const char*>(&number), sizeof number);
    return run(std::string(kNumberVariable) + "='" + file.string() + "' '" +
               (scratch.path() / "p").string() + "'");
  };
  const auto number_of = [&](const std::string& wanted) {
    const auto found =
        std::ranges::find_if(mutants, [&](const Mutant& m) { return changed(text, m) == wanted; });
    REQUIRE(found != mutants.end());
    return static_cast<int32_t>(found - mutants.begin()) + 1;
  };
  CHECK(run("'" + (scratch.path() / "p").string() + "'") == 42);  // without a file
  CHECK(ends_with(0) == 42);
  const int32_t minus =
      number_of("int g(int a) { return a - 1; }\nint h(int a) { return a + 3; }\n");
  CHECK(ends_with(minus) == 40);
  CHECK(ends_with(-1) == kReached);
  const int32_t in_h =
      number_of("int g(int a) { return a + 1; }\nint h(int a) { return a - 3; }\n");
  int32_t first_of_h = in_h;
  while (mutants[static_cast<size_t>(first_of_h) - 2].body ==
         mutants[static_cast<size_t>(in_h) - 1].body)
    --first_of_h;
  CHECK(ends_with(-first_of_h) == 42);
}

}  // namespace convkit::repair

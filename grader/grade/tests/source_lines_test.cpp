// SPDX-License-Identifier: MIT
#include "grade/device/source_lines.h"

#include "catch.h"

namespace convkit {
namespace {

KnownLine line(const std::string& address) {
  if (address == "1a") return {"tile.cu:12", "tile[t] = in[t];"};
  if (address == "1b") return {"tile.cu:12", "tile[t] = in[t];"};
  if (address == "2,3f") return {"tile.cu:20", ""};
  if (address == "4,5")
    return {"array.h:7", "", "array.h:7", {{"tile.cu:40", "Array c(rows * cols);"}}};
  return {};
}

}  // namespace

TEST_CASE("addresses in a report become lines, and a line alone is quoted") {
  CHECK(with_known_lines("convkit: race_shared: read at code@1a, made at code@2,3f, freed.\n"
                         "    code@1a\n"
                         "    code@2,3f\n"
                         "  in conv, launched at tile.cu:30\n",
                         line) ==
        "convkit: race_shared: read at tile.cu:12, made at tile.cu:20, freed.\n"
        "    tile.cu:12: tile[t] = in[t];\n"
        "    tile.cu:20\n"
        "  in conv, launched at tile.cu:30\n");
}

TEST_CASE("of memory that a class has made, what called it is told, too") {
  CHECK(with_known_lines("convkit: leak: allocation 4 (8 bytes), made at code@4,5, was not freed.\n"
                         "  in conv, launched at code@4,5\n",
                         line) ==
        "convkit: leak: allocation 4 (8 bytes), made at array.h:7, called from tile.cu:40: Array "
        "c(rows * cols);, was not freed.\n"
        "  in conv, launched at array.h:7\n");
}

TEST_CASE("what called the function of a launch is told where it lies in another file") {
  const auto told = [](const std::string& address) {
    return with_known_lines(
        "convkit: race_shared: read at code@1a.\n"
        "  in conv, launched at array.h:7, called from code@" +
            address + "\n",
        line);
  };
  const std::string report = "convkit: race_shared: read at tile.cu:12.\n  in conv, launched at ";
  CHECK(told("4,5") == report + "array.h:7, called from tile.cu:40: Array c(rows * cols);\n");
  CHECK(told("2,3f") == report + "array.h:7\n");
  CHECK(told("77") == report + "array.h:7\n");
}

TEST_CASE("an address without a line is an unknown line, and is not quoted") {
  CHECK(with_known_lines("convkit: leak: made at code@77.\n    code@77\n  Free it.", line) ==
        "convkit: leak: made at an unknown line.\n  Free it.");
}

TEST_CASE("two reports of one fault at the same lines are one report") {
  const std::string first = "convkit: race_shared: read at code@1a, written at code@1b.\n  Wait.\n";
  const std::string told = "convkit: race_shared: read at tile.cu:12, written at tile.cu:12.\n";
  CHECK(with_known_lines(
            first + "text\n" +
                "convkit: race_shared: read at code@1b, written at code@1a.\n  Wait.\n" +
                "convkit: use_after_free: read at code@1a.\n",
            line) == told + "  Wait.\ntext\nconvkit: use_after_free: read at tile.cu:12.\n");
}

TEST_CASE("a barrier between the lines of a race tells of a loop, and where threads have to meet") {
  const auto kernel = [](const std::string& address) -> KnownLine {
    if (address == "1") return {"tile.cu:34", "", "tile.cu:34"};
    if (address == "2") return {"tile.cu:44", "", "tile.cu:44"};
    return {"tile.cu:8", "", "tile.cu:36"};  // in a function that is called at line 36
  };
  const auto advice = [&](const std::string& one, const std::string& question) {
    const std::string told =
        with_known_lines("convkit: race_shared: writes at code@" + one +
                             ", and read it at code@2.\n  in conv\n  Wait. loop@" + question + "\n",
                         kernel);
    return told.substr(told.find("Wait.") + 5);
  };
  const std::string loop =
      "a loop leads from tile.cu:44 back to tile.cu:34, so threads have to meet behind tile.cu:44, "
      "too.";
  CHECK(advice("1", "tile.cu:37,") == " The barrier at tile.cu:37 is no help: " + loop + "\n");
  CHECK(
      advice("1", "tile.cu:37,tile.cu:48") ==
      " The barrier at tile.cu:37 is no help: " + loop +
          " Others wait at tile.cu:48, and this one has gone round it: no `continue`, `return` or "
          "`if` may lead there.\n");
  CHECK(advice("3", "tile.cu:37,").find("back to tile.cu:36,") != std::string::npos);
  CHECK(advice("3", "tile.cu:12,") == "\n");  // not between the lines of the kernel
  CHECK(advice("1", "tile.cu:30,") == "\n");
  CHECK(advice("1", "tile.cu:50,tile.cu:50") == "\n");
  CHECK(advice("1", "other.cu:37,") == "\n");
}

TEST_CASE("what a submission prints stays as it is") {
  for (const char* printed :
       {"", "\n", "x\n\ny", "  a\n  a\n", "convkit: sum: 3\nconvkit: sum: 3\n", "barcode 12"}) {
    CHECK(with_known_lines(printed, line) == printed);
  }
  CHECK(with_known_lines("at code@", line) == "at an unknown line");
  CHECK(with_known_lines("code@,,1a", line) == "an unknown line,,1a");
}

}  // namespace convkit

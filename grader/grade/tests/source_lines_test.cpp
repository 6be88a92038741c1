// SPDX-License-Identifier: MIT
#include "grade/device/source_lines.h"

#include "catch.h"

namespace convkit {
namespace {

KnownLine line(const std::string& address) {
  if (address == "1a") return {"tile.cu:12", "tile[t] = in[t];"};
  if (address == "1b") return {"tile.cu:12", "tile[t] = in[t];"};
  if (address == "2,3f") return {"tile.cu:20", ""};
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

TEST_CASE("what a submission prints stays as it is") {
  for (const char* printed :
       {"", "\n", "x\n\ny", "  a\n  a\n", "convkit: sum: 3\nconvkit: sum: 3\n", "barcode 12"}) {
    CHECK(with_known_lines(printed, line) == printed);
  }
  CHECK(with_known_lines("at code@", line) == "at an unknown line");
  CHECK(with_known_lines("code@,,1a", line) == "an unknown line,,1a");
}

}  // namespace convkit

// SPDX-License-Identifier: MIT
// Fuzz target of the rewriter. With clang, -fsanitize=fuzzer and CONVKIT_LIBFUZZER, libFuzzer
// drives it; else it is a program of its own:
//   rewrite_fuzz FILE...             checks files
//   rewrite_fuzz --random N [SEED]   checks N random programs
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

#include "fuzz_property.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  convkit::rewrite::test::check_properties({reinterpret_cast<const char*>(data), size});
  return 0;
}

#ifndef CONVKIT_LIBFUZZER
int main(int argc, char** argv) {
  using namespace convkit::rewrite::test;
  if (argc >= 3 && std::string(argv[1]) == "--random") {
    std::mt19937 random(argc > 3 ? static_cast<unsigned>(std::atoi(argv[3])) : 1u);
    for (long i = std::atol(argv[2]); i > 0; --i) {
      check_properties(mutated(random_program(random) + random_program(random), random));
    }
    return 0;
  }
  for (int i = 1; i < argc; ++i) {
    std::ostringstream text;
    text << std::ifstream(argv[i], std::ios::binary).rdbuf();
    std::printf("%s\n", argv[i]);
    check_properties(text.str());
  }
  return 0;
}
#endif

# SPDX-License-Identifier: MIT
# Warnings (and, under one switch, sanitizers) live on one INTERFACE target that every target of
# the kit links; nothing is set globally.
add_library(convkit_warnings INTERFACE)
target_compile_options(convkit_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Wold-style-cast -Wcast-qual
  # Aggregates are filled from the front on purpose; every member has a default.
  -Wno-missing-field-initializers
  # Both see faults where there are none: g++ 13 takes a reference into an argument for one into a
  # temporary (GCC bug 107532), and moved-from aggregates for uninitialised ones.
  $<$<AND:$<CXX_COMPILER_ID:GNU>,$<VERSION_GREATER_EQUAL:$<CXX_COMPILER_VERSION>,13>>:-Wno-dangling-reference>
  $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>
  # Wrong on `"literal" + std::string` in g++ 12 (GCC bug 105651).
  $<$<AND:$<CXX_COMPILER_ID:GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>:-Wno-restrict>)
# Where sources are compiled together, none of them is the main file, whose types may be its own.
if(CMAKE_UNITY_BUILD)
  target_compile_options(convkit_warnings INTERFACE
    $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
endif()
if(CONVKIT_DEVELOPER)
  target_compile_options(convkit_warnings INTERFACE -Werror)
endif()
if(CONVKIT_SANITIZE)
  target_compile_options(convkit_warnings INTERFACE
    -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
  target_link_options(convkit_warnings INTERFACE -fsanitize=address,undefined)
endif()
if(CONVKIT_FUZZ)  # all code that a target runs, the TOML parser included
  add_compile_options(-O1 -gline-tables-only -fsanitize=fuzzer-no-link,address,undefined
    -fno-sanitize-recover=undefined -fno-omit-frame-pointer -D_GLIBCXX_ASSERTIONS)
  add_link_options(-fsanitize=address,undefined)
endif()

# The kit's warnings without its sanitizers: runners load student code, which decides for itself.
add_library(convkit_stage_warnings INTERFACE)
target_compile_options(convkit_stage_warnings INTERFACE -Wall -Wextra -Wshadow)
if(CONVKIT_DEVELOPER)
  target_compile_options(convkit_stage_warnings INTERFACE -Werror)
endif()

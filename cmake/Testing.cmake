# SPDX-License-Identifier: MIT
# Catch2: 2.13 (Debian 12, Ubuntu 22.04) and 3.x (Ubuntu 24.04) both work. tests/support/catch.h is
# the one include that knows the difference.
if(CONVKIT_DEVELOPER)
  enable_testing()
  find_package(Catch2 REQUIRED)
  add_library(convkit_catch INTERFACE)
  target_include_directories(convkit_catch INTERFACE ${PROJECT_SOURCE_DIR}/tests/support)
  target_compile_definitions(convkit_catch INTERFACE CONVKIT_CATCH2_MAJOR=${Catch2_VERSION_MAJOR})
  if(TARGET Catch2::Catch2WithMain)
    target_link_libraries(convkit_catch INTERFACE Catch2::Catch2WithMain)
  else()
    # Version 2 is one header; its main is compiled once here where the package has none (Ubuntu 22.04).
    file(WRITE ${CMAKE_BINARY_DIR}/catch_main.cpp
      "#define CATCH_CONFIG_MAIN\n#include <catch2/catch.hpp>\n")
    set_source_files_properties(${CMAKE_BINARY_DIR}/catch_main.cpp PROPERTIES COMPILE_OPTIONS -O0)
    add_library(convkit_catch_main STATIC ${CMAKE_BINARY_DIR}/catch_main.cpp)
    target_link_libraries(convkit_catch_main PUBLIC Catch2::Catch2)
    target_link_libraries(convkit_catch INTERFACE convkit_catch_main)
  endif()
  include(Catch)
  if(CMAKE_UNITY_BUILD)  # elsewhere each test includes what it uses
    add_executable(convkit_precompiled_tests EXCLUDE_FROM_ALL ${PROJECT_SOURCE_DIR}/cmake/precompiled.cpp)
    target_link_libraries(convkit_precompiled_tests PRIVATE convkit_catch convkit_warnings)
    target_compile_options(convkit_precompiled_tests PRIVATE -O0)
    target_precompile_headers(convkit_precompiled_tests PRIVATE
      <algorithm> <array> <chrono> <cmath> <filesystem> <fstream> <functional> <map> <memory> <optional>
      <set> <span> <sstream> <string> <string_view> <vector> <catch.h>)
  endif()
endif()

# convkit_add_test(<name> SOURCES a_test.cpp... LIBRARIES lib... [LABELS l...])
# makes one Catch2 executable <name>; every TEST_CASE becomes the CTest test "<name>: <sentence>".
function(convkit_add_test name)
  if(NOT CONVKIT_DEVELOPER)
    return()
  endif()
  cmake_parse_arguments(arg "" "" "SOURCES;LIBRARIES;LABELS" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE ${arg_LIBRARIES} convkit_catch convkit_warnings)
  target_compile_definitions(${name} PRIVATE
    CONVKIT_SOURCE_DIR="${PROJECT_SOURCE_DIR}" CONVKIT_BINARY_DIR="${CMAKE_BINARY_DIR}")
  # Tests are compiled for the debugger and the build time, not for speed.
  target_compile_options(${name} PRIVATE -O0)
  if(CMAKE_UNITY_BUILD)
    target_precompile_headers(${name} REUSE_FROM convkit_precompiled_tests)
  endif()
  if(NOT arg_LABELS)
    set(arg_LABELS cpu)
  endif()
  catch_discover_tests(${name} TEST_PREFIX "${name}: "
    # What Catch2 3 says where it skipped the one that it ran. (It exits with 4 then, as it does
    # after four failed assertions.)
    PROPERTIES SKIP_REGULAR_EXPRESSION "test cases: 1 . 1 skipped" TIMEOUT 300 LABELS "${arg_LABELS}")
endfunction()

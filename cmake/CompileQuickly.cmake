# SPDX-License-Identifier: MIT
# For code whose compile time counts more than its speed: less optimisation and, where sources are
# compiled together, one precompiled header for all of a level.
#   convkit_compile_quickly(-O0 TARGET...)   commands, readers of files, views
#   convkit_compile_quickly(-O1 TARGET...)   what computes a little, too
if(CONVKIT_PACKAGE)
  set(quickest -Os)  # compiled once, downloaded by many
elseif(CONVKIT_FUZZ OR CONVKIT_DEVELOPER)
  set(quickest -O1)  # run millions of times, or by thousands of tests
else()
  set(quickest -O0)
endif()

# A precompiled header serves only code that is compiled with the same optimisation.
function(convkit_precompile name level)
  add_library(${name} STATIC EXCLUDE_FROM_ALL ${PROJECT_SOURCE_DIR}/cmake/precompiled.cpp)
  target_link_libraries(${name} PRIVATE convkit_fmt convkit_warnings)
  target_compile_options(${name} PRIVATE ${level})
  target_precompile_headers(${name} PRIVATE
    <algorithm> <array> <cmath> <functional> <map> <memory> <optional> <set> <span> <string>
    <string_view> <vector> <fmt/format.h> ${ARGN})
endfunction()
convkit_precompile(convkit_precompiled_1 -O1)
convkit_precompile(convkit_precompiled_0 ${quickest}
  <chrono> <filesystem> <fstream> <sstream> <thread>)
if(TARGET convkit_json)  # not in copies of the kit without the grader's sources
  target_link_libraries(convkit_precompiled_0 PRIVATE convkit_json)
  target_precompile_headers(convkit_precompiled_0 PRIVATE <nlohmann/json.hpp>)
endif()

# Without optimisation, sources that are compiled together share what they instantiate: a library as one
# object takes a quarter less time than as three, which is faster where few can be compiled at a time.
if(CMAKE_UNITY_BUILD)
  cmake_host_system_information(RESULT processors QUERY NUMBER_OF_LOGICAL_CORES)
endif()

function(convkit_compile_quickly level)
  if(level STREQUAL -O1)
    set(precompiled convkit_precompiled_1)
  else()
    set(precompiled convkit_precompiled_0)
    set(level ${quickest})
  endif()
  foreach(target IN LISTS ARGN)
    target_compile_options(${target} PRIVATE ${level})
    if(CMAKE_UNITY_BUILD)
      target_precompile_headers(${target} REUSE_FROM ${precompiled})
      if(processors LESS_EQUAL 2 AND precompiled STREQUAL convkit_precompiled_0)
        set_target_properties(${target} PROPERTIES UNITY_BUILD_BATCH_SIZE 0)
      endif()
    endif()
  endforeach()
endfunction()

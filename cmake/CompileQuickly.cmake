# SPDX-License-Identifier: MIT
# For code whose compile time counts more than its speed: less optimisation and, where sources are
# compiled together, one precompiled header for all that has no optimisation.
#   convkit_compile_quickly(-O0 TARGET...)   commands, readers of files, views
#   convkit_compile_quickly(-O1 TARGET...)   what computes a little, too
if(CONVKIT_PACKAGE OR CONVKIT_FUZZ)
  set(quickest -O1)  # compiled once, run on many machines or millions of times
else()
  set(quickest -O0)
endif()
add_library(convkit_precompiled STATIC EXCLUDE_FROM_ALL ${PROJECT_SOURCE_DIR}/cmake/precompiled.cpp)
target_link_libraries(convkit_precompiled PRIVATE convkit_fmt convkit_warnings)
target_compile_options(convkit_precompiled PRIVATE ${quickest})
target_precompile_headers(convkit_precompiled PRIVATE
  <algorithm> <array> <chrono> <cmath> <filesystem> <fstream> <functional> <map> <memory> <optional>
  <set> <span> <sstream> <string> <string_view> <thread> <vector> <fmt/format.h>)

function(convkit_compile_quickly level)
  foreach(target IN LISTS ARGN)
    if(level STREQUAL -O1)
      target_compile_options(${target} PRIVATE -O1)
    else()
      target_compile_options(${target} PRIVATE ${quickest})
      if(CMAKE_UNITY_BUILD)
        target_precompile_headers(${target} REUSE_FROM convkit_precompiled)
      endif()
    endif()
  endforeach()
endfunction()

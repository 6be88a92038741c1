# SPDX-License-Identifier: MIT
# For code whose compile time counts more than its speed: less optimisation and, where sources are
# compiled together, one precompiled header for all.
#   convkit_compile_quickly(-O0 TARGET...)   commands, readers of files, views
#   convkit_compile_quickly(-O1 TARGET...)   what computes a little, too
foreach(level -O0 -O1)
  set(optimisation${level} ${level})
  if(CONVKIT_PACKAGE)
    set(optimisation${level} -O1)  # compiled once, run on many machines
  endif()
  set(precompiled convkit_precompiled${level})
  add_library(${precompiled} STATIC EXCLUDE_FROM_ALL ${PROJECT_SOURCE_DIR}/cmake/precompiled.cpp)
  target_link_libraries(${precompiled} PRIVATE convkit_fmt convkit_warnings)
  target_compile_options(${precompiled} PRIVATE ${optimisation${level}})
  target_precompile_headers(${precompiled} PRIVATE
    <algorithm> <array> <chrono> <cmath> <filesystem> <fstream> <functional> <map> <memory> <optional>
    <set> <span> <sstream> <string> <string_view> <thread> <vector> <fmt/format.h>)
endforeach()

function(convkit_compile_quickly level)
  foreach(target IN LISTS ARGN)
    target_compile_options(${target} PRIVATE ${optimisation${level}})
    if(CMAKE_UNITY_BUILD)
      target_precompile_headers(${target} REUSE_FROM convkit_precompiled${level})
    endif()
  endforeach()
endfunction()

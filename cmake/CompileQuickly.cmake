# SPDX-License-Identifier: MIT
# For code whose compile time counts more than its speed, such as commands and readers of files: less
# optimisation and, where sources are compiled together, one precompiled header for all.
add_library(convkit_precompiled STATIC ${PROJECT_SOURCE_DIR}/cmake/precompiled.cpp)
target_link_libraries(convkit_precompiled PRIVATE convkit_fmt convkit_warnings)
target_compile_options(convkit_precompiled PRIVATE -O1)
target_precompile_headers(convkit_precompiled PRIVATE
  <algorithm> <array> <chrono> <cmath> <filesystem> <fstream> <functional> <map> <memory> <optional>
  <set> <span> <sstream> <string> <string_view> <thread> <vector> <fmt/format.h>)

# convkit_compile_quickly(TARGET...)
function(convkit_compile_quickly)
  foreach(target IN LISTS ARGN)
    target_compile_options(${target} PRIVATE -O1)
    if(CMAKE_UNITY_BUILD)
      target_precompile_headers(${target} REUSE_FROM convkit_precompiled)
    endif()
  endforeach()
endfunction()

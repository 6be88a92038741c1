# SPDX-License-Identifier: MIT
# The common settings of all shared libraries of the CPU device.

# convkit_shared_library(NAME): in build/<preset>/bin, and what is visible is what says so; nothing
# of the C++ standard library does (standard_library.map), nor of a static library.
function(convkit_shared_library name)
  set_target_properties(${name} PROPERTIES
    CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON
    LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin
    LINK_DEPENDS ${PROJECT_SOURCE_DIR}/cmake/standard_library.map)
  target_link_options(${name} PRIVATE LINKER:--exclude-libs,ALL
    "LINKER:--version-script=${PROJECT_SOURCE_DIR}/cmake/standard_library.map")
  convkit_part(${name})
endfunction()

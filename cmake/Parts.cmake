# SPDX-License-Identifier: MIT
# Parts of the kit that not every command needs: programs and libraries in build/<preset>/bin that
# are built when they are first used (process/programs.h).

# convkit_part(TARGET...)
function(convkit_part)
  set_property(GLOBAL APPEND PROPERTY CONVKIT_PARTS ${ARGN})
endfunction()

# Writes bin/parts.txt, a line "FILE TARGET" for each part; after the last convkit_part().
function(convkit_list_parts)
  get_property(parts GLOBAL PROPERTY CONVKIT_PARTS)
  set(list "")
  foreach(part IN LISTS parts)
    string(APPEND list "$<TARGET_FILE_NAME:${part}> ${part}\n")
  endforeach()
  file(GENERATE OUTPUT ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/parts.txt CONTENT "${list}")
endfunction()

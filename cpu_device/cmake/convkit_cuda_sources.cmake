# SPDX-License-Identifier: MIT
# convkit_cuda_sources(TARGET [CHECK] FILE.cu... [OPTIONS OPTION...])
# adds .cu files to a program or library. convkit-cc compiles them for the CPU device, with the
# target's include folders, definitions and C++ standard, and the target is linked with the CPU device.
#   CHECK    in check mode, which finds races, bad accesses and misplaced barriers at run time; the
#            same for all .cu files of a program
#   OPTIONS  more options of nvcc or of the C++ compiler
function(convkit_cuda_sources target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "CHECK" "" "OPTIONS")
  # The CPU device's own headers are there for every .cu file, and nothing in them is rewritten.
  set(folders $<FILTER:$<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>,EXCLUDE,/convkit_cpu_device$>)
  set(definitions $<TARGET_PROPERTY:${target},COMPILE_DEFINITIONS>)
  set(standard $<TARGET_PROPERTY:${target},CXX_STANDARD>)
  set(shared $<IN_LIST:$<TARGET_PROPERTY:${target},TYPE>,SHARED_LIBRARY$<SEMICOLON>MODULE_LIBRARY>)
  set(options
    -ccbin ${CMAKE_CXX_COMPILER}
    "$<$<BOOL:${standard}>:-std=c++${standard}>"
    "$<$<CONFIG:Debug>:-O0>" "$<$<CONFIG:Debug,RelWithDebInfo>:-g>"
    "$<$<OR:${shared},$<BOOL:$<TARGET_PROPERTY:${target},POSITION_INDEPENDENT_CODE>>>:-fPIC>"
    "$<$<BOOL:${folders}>:-I$<JOIN:${folders},$<SEMICOLON>-I>>"
    "$<$<BOOL:${definitions}>:-D$<JOIN:${definitions},$<SEMICOLON>-D>>"
    ${arg_OPTIONS})
  set(libraries convkit::cpu_device)
  if(arg_CHECK)
    list(PREPEND options --check)
    list(PREPEND libraries convkit::check)
  endif()

  foreach(source IN LISTS arg_UNPARSED_ARGUMENTS)
    get_filename_component(source ${source} ABSOLUTE)
    file(RELATIVE_PATH name ${CMAKE_CURRENT_SOURCE_DIR} ${source})
    string(REPLACE "../" "__/" name ${name})
    set(object ${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/${target}.cuda/${name}.o)
    get_filename_component(folder ${object} DIRECTORY)
    file(MAKE_DIRECTORY ${folder})
    add_custom_command(
      OUTPUT ${object}
      COMMAND convkit::cc "${options}" -c ${source} -o ${object} -MD -MF ${object}.d
      DEPENDS ${source} convkit::cc
      DEPFILE ${object}.d
      COMMENT "Compiling ${name} for the CPU device"
      COMMAND_EXPAND_LISTS VERBATIM)
    set_source_files_properties(${object} PROPERTIES EXTERNAL_OBJECT ON GENERATED ON)
    target_sources(${target} PRIVATE ${object})
  endforeach()
  set_target_properties(${target} PROPERTIES LINKER_LANGUAGE CXX)
  target_link_libraries(${target} PRIVATE ${libraries})
endfunction()

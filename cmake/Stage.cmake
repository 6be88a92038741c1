# add_stage(<NN_name>): everything the build needs for one stage, from its folder in assignments/.
#   <stage>.runner        harness.cpp + the runner: loads a submission and calls it
#   <stage>.runner_asan   the same under sanitizers, for `check --sanitize`
#   mistakes/*.cpp        models of known mistakes, linked into the command-line tool
function(convkit_add_runner target stage)
  add_executable(${target}
    ${PROJECT_SOURCE_DIR}/assignments/${stage}/harness.cpp
    ${PROJECT_SOURCE_DIR}/runtime/runner/loaded_case.cpp
    ${PROJECT_SOURCE_DIR}/runtime/runner/runner_main.cpp)
  target_include_directories(${target} PRIVATE
    ${PROJECT_SOURCE_DIR}/assignments/${stage} ${PROJECT_SOURCE_DIR}/runtime)
  target_link_libraries(${target} PRIVATE
    convkit_headers convkit_grader_includes convkit_lockdown Threads::Threads ${CMAKE_DL_LIBS}
    convkit_stage_warnings)
endfunction()

function(add_stage stage)
  set(folder ${PROJECT_SOURCE_DIR}/assignments/${stage})
  convkit_add_runner(${stage}.runner ${stage})
  convkit_add_runner(${stage}.runner_asan ${stage})
  target_compile_options(${stage}.runner_asan PRIVATE
    -fsanitize=address,undefined -fno-omit-frame-pointer -g -O1)
  target_link_options(${stage}.runner_asan PRIVATE -fsanitize=address,undefined)

  file(GLOB mistakes CONFIGURE_DEPENDS ${folder}/mistakes/*.cpp)
  target_sources(convkit_cli PRIVATE ${mistakes})
endfunction()

# SPDX-License-Identifier: MIT
# add_stage(<NN_name>): everything the build needs for one stage, from its folder in assignments/.
#   <stage>.runner        harness.cpp + the runner: loads a submission and calls it
#   <stage>.runner_asan   the same under sanitizers, for `check --sanitize`
# or, where stage.toml says device = "gpu":
#   <stage>.runner        on the CPU device
#   <stage>.runner_check  the same in check mode
#   <stage>.runner_gpu    on a real GPU, where there is a CUDA toolkit
# each with the libraries that stage.toml's [build] libraries names, or what stands in for them, and
#   mistakes/*.cpp        models of known mistakes, part of the objects convkit_mistakes
#   mistakes/tests/*.cpp  tests of these models, part of convkit_mistakes_tests
#   tests/*.cpp           tests of the harness of a GPU stage, on the CPU device: <stage>.harness_test
#   program/*.cpp         where a GPU stage has them: <stage>.train, and <stage>.train_gpu where there is
#                         a CUDA toolkit; a program of the kit that loads a submission
# `objects`: those of the runner for one kind of device (runner/CMakeLists.txt).
function(convkit_add_runner target stage objects)
  add_executable(${target} ${PROJECT_SOURCE_DIR}/assignments/${stage}/harness.cpp)
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/assignments/${stage})
  target_link_libraries(${target} PRIVATE ${ARGN} ${objects} convkit_stage_warnings)
  convkit_part(${target})
endfunction()

# `libraries` are those of the device, and others that a submission may use.
function(convkit_add_program target stage)
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/assignments/${stage}/program/*.cpp)
  if(NOT sources)
    return()
  endif()
  add_executable(${target} ${sources})
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/assignments/${stage})
  target_link_libraries(${target} PRIVATE convkit_runtime convkit_command_line convkit_drawing convkit_fmt
    ${CMAKE_DL_LIBS} convkit_stage_warnings ${ARGN})
  # The submission that it loads may use more of them than the program does.
  target_link_options(${target} PRIVATE LINKER:--no-as-needed)
  convkit_part(${target})
endfunction()

function(add_stage stage)
  set(folder ${PROJECT_SOURCE_DIR}/assignments/${stage})
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${folder}/stage.toml)
  file(STRINGS ${folder}/stage.toml gpu REGEX "^device *= *\"gpu\"")
  if(gpu)
    file(STRINGS ${folder}/stage.toml named REGEX "^libraries *=")
    set(stand_ins "")
    set(vendor_libraries "")
    set(missing "")
    foreach(library cublas cudnn curand)
      if(named MATCHES "\"${library}\"")
        list(APPEND stand_ins convkit_simt_${library})
        list(APPEND vendor_libraries CUDA::${library})
        if(NOT TARGET CUDA::${library})
          list(APPEND missing ${library})
        endif()
      endif()
    endforeach()
    convkit_add_runner(${stage}.runner ${stage} convkit_runner_simt ${stand_ins})
    convkit_add_runner(${stage}.runner_check ${stage} convkit_runner_simt_check ${stand_ins})
    convkit_add_program(${stage}.train ${stage} ${stand_ins} convkit_simt)
    if(CUDAToolkit_FOUND AND missing)
      message(STATUS "The CUDA toolkit has no ${missing}: ${stage} runs on the kit's CPU device only")
    elseif(CUDAToolkit_FOUND)
      if(named MATCHES "\"cudnn\"")
        convkit_add_runner(${stage}.runner_gpu ${stage} convkit_runner_gpu_cudnn ${vendor_libraries})
      else()
        convkit_add_runner(${stage}.runner_gpu ${stage} convkit_runner_gpu ${vendor_libraries})
      endif()
      convkit_add_program(${stage}.train_gpu ${stage} ${vendor_libraries} CUDA::cudart)
    endif()
  else()
    convkit_add_runner(${stage}.runner ${stage} convkit_runner_host)
    convkit_add_runner(${stage}.runner_asan ${stage} convkit_runner_asan)
  endif()

  file(GLOB mistakes CONFIGURE_DEPENDS ${folder}/mistakes/*.cpp)
  if(TARGET convkit_mistakes)
    target_sources(convkit_mistakes PRIVATE ${mistakes})
    set_source_files_properties(${mistakes} TARGET_DIRECTORY convkit_mistakes
      PROPERTIES UNITY_GROUP ${stage})
  endif()
  if(CONVKIT_DEVELOPER)
    file(GLOB mistakes_tests CONFIGURE_DEPENDS ${folder}/mistakes/tests/*.cpp)
    target_sources(convkit_mistakes_tests PRIVATE ${mistakes_tests})
    set_source_files_properties(${mistakes_tests} TARGET_DIRECTORY convkit_mistakes_tests
      PROPERTIES UNITY_GROUP ${stage})
    file(GLOB harness_tests CONFIGURE_DEPENDS ${folder}/tests/*.cpp)
    if(gpu AND harness_tests)
      convkit_add_test(${stage}.harness_test SOURCES ${harness_tests} ${folder}/harness.cpp
        ${PROJECT_SOURCE_DIR}/runner/cuda_tensors.cpp
        LIBRARIES convkit_headers convkit_rooms convkit_simt)
      target_include_directories(${stage}.harness_test PRIVATE ${folder})
      target_compile_definitions(${stage}.harness_test PRIVATE
        CONVKIT_RUNNER_CHECK=0 CONVKIT_RUNNER_CUDNN=0)
    endif()
  endif()
endfunction()

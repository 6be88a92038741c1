# add_stage(<NN_name>): everything the build needs for one stage, from its folder in assignments/.
#   <stage>.runner        harness.cpp + the runner: loads a submission and calls it
#   <stage>.runner_asan   the same under sanitizers, for `check --sanitize`
# or, where stage.toml says device = "gpu":
#   <stage>.runner        on the CPU device
#   <stage>.runner_check  the same in check mode
#   <stage>.runner_gpu    on a real GPU, where there is a CUDA toolkit
# each with the libraries that stage.toml's [build] libraries names, or what stands in for them, and
#   mistakes/*.cpp        models of known mistakes, linked into the command-line tool
#   program/*.cpp         where a GPU stage has them: <stage>.train, and <stage>.train_gpu where there is
#                         a CUDA toolkit; a program of the kit that loads a submission
function(convkit_add_runner target stage device)
  add_executable(${target}
    ${PROJECT_SOURCE_DIR}/assignments/${stage}/harness.cpp
    ${PROJECT_SOURCE_DIR}/runner/${device}.cpp
    ${PROJECT_SOURCE_DIR}/runner/loaded_case.cpp
    ${PROJECT_SOURCE_DIR}/runner/runner_main.cpp)
  target_include_directories(${target} PRIVATE
    ${PROJECT_SOURCE_DIR}/assignments/${stage})
  # A confined runner can load nothing later: what every submission is linked with, it brings along.
  # (By its file name: ld drops `m`, a linker script, when g++ names it again.)
  target_link_libraries(${target} PRIVATE
    convkit_headers convkit_lockdown Threads::Threads ${CMAKE_DL_LIBS}
    convkit_stage_warnings -Wl,--no-as-needed -l:libm.so.6 -Wl,--as-needed)
endfunction()

# `libraries` are those of the device, and what a submission may use besides.
function(convkit_add_program target stage)
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/assignments/${stage}/program/*.cpp)
  if(NOT sources)
    return()
  endif()
  add_executable(${target} ${sources})
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/assignments/${stage})
  target_link_libraries(${target} PRIVATE convkit_runtime convkit_command_line convkit_drawing convkit_fmt
    ${CMAKE_DL_LIBS} convkit_stage_warnings ${ARGN})
endfunction()

function(add_stage stage)
  set(folder ${PROJECT_SOURCE_DIR}/assignments/${stage})
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${folder}/stage.toml)
  file(STRINGS ${folder}/stage.toml gpu REGEX "^device *= *\"gpu\"")
  if(gpu)
    # A confined runner can load nothing later: it brings the libraries, used by the harness or not.
    file(STRINGS ${folder}/stage.toml named REGEX "^libraries *=")
    set(stand_ins "")
    set(vendor_libraries "")
    set(missing "")
    foreach(library cublas cudnn)
      if(named MATCHES "\"${library}\"")
        list(APPEND stand_ins convkit_simt_${library})
        list(APPEND vendor_libraries CUDA::${library})
        if(NOT TARGET CUDA::${library})
          list(APPEND missing ${library})
        endif()
      endif()
    endforeach()
    if(stand_ins)
      set(stand_ins -Wl,--no-as-needed ${stand_ins} -Wl,--as-needed)
      set(vendor_libraries -Wl,--no-as-needed ${vendor_libraries} -Wl,--as-needed)
    endif()
    convkit_add_runner(${stage}.runner ${stage} cuda_tensors)
    target_link_libraries(${stage}.runner PRIVATE ${stand_ins} convkit_simt)
    convkit_add_program(${stage}.train ${stage} ${stand_ins} convkit_simt)
    if(TARGET convkit_simt_check)
      convkit_add_runner(${stage}.runner_check ${stage} cuda_tensors)
      target_compile_definitions(${stage}.runner_check PRIVATE CONVKIT_RUNNER_CHECK=1)
      # Nothing in the runner itself calls the checker.
      target_link_libraries(${stage}.runner_check PRIVATE
        -Wl,--no-as-needed convkit_simt_check convkit_simt -Wl,--as-needed ${stand_ins})
    endif()
    if(CUDAToolkit_FOUND AND missing)
      message(STATUS "The CUDA toolkit has no ${missing}: ${stage} runs on the kit's CPU device only")
    elseif(CUDAToolkit_FOUND)
      convkit_add_runner(${stage}.runner_gpu ${stage} cuda_tensors)
      target_link_libraries(${stage}.runner_gpu PRIVATE ${vendor_libraries} CUDA::cudart)
      target_compile_definitions(${stage}.runner_gpu PRIVATE CONVKIT_RUNNER_GPU=1)
      if(named MATCHES "\"cudnn\"")
        target_sources(${stage}.runner_gpu PRIVATE
          ${PROJECT_SOURCE_DIR}/runner/cudnn_start.cpp)
        target_compile_definitions(${stage}.runner_gpu PRIVATE CONVKIT_RUNNER_CUDNN=1)
      endif()
      convkit_add_program(${stage}.train_gpu ${stage} ${vendor_libraries} CUDA::cudart)
    endif()
  else()
    convkit_add_runner(${stage}.runner ${stage} no_device)
    convkit_add_runner(${stage}.runner_asan ${stage} no_device)
    target_compile_options(${stage}.runner_asan PRIVATE
      -fsanitize=address,undefined -fno-omit-frame-pointer -g -O1)
    target_link_options(${stage}.runner_asan PRIVATE -fsanitize=address,undefined)
  endif()

  file(GLOB mistakes CONFIGURE_DEPENDS ${folder}/mistakes/*.cpp)
  target_sources(convkit_cli PRIVATE ${mistakes})
endfunction()

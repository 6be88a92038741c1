# add_stage(<NN_name>): everything the build needs for one stage, from its folder in assignments/.
#   <stage>.runner        harness.cpp + the runner: loads a submission and calls it
#   <stage>.runner_asan   the same under sanitizers, for `check --sanitize`
#   mistakes*.cpp         models of known mistakes, linked into the command-line tool
function(add_stage stage)
endfunction()

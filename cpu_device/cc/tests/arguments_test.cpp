// SPDX-License-Identifier: MIT
#include "cpu_device/cc/arguments.h"

#include <algorithm>

#include "catch.h"
#include "convkit/kit_error.h"

namespace convkit {
namespace {

using Item = CcArguments::Item;
using Mode = CcArguments::Mode;
using Words = std::vector<std::string>;

std::string refused(const Words& arguments) {
  try {
    read_cc_arguments(arguments);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

// "cuda:a.cu link:-lm ..."
std::string items(const Words& arguments) {
  std::string all;
  for (const Item& item : read_cc_arguments(arguments).items) {
    const char* kind = item.kind == Item::Kind::cuda     ? "cuda:"
                       : item.kind == Item::Kind::source ? "source:"
                                                         : "link:";
    all += (all.empty() ? "" : " ") + std::string(kind) + item.text;
  }
  return all;
}

}  // namespace

TEST_CASE("inputs are told apart by their names and keep their order") {
  CHECK(items({"a.cu", "b.cpp", "c.o", "-lm", "d.cc", "-Lfolder", "e.a", "f.c"}) ==
        "cuda:a.cu source:b.cpp link:c.o link:-lm source:d.cc link:-Lfolder link:e.a source:f.c");
  CHECK(items({"-x", "cu", "a.cpp"}) == "cuda:a.cpp");
  CHECK(items({"--x=c++", "a.cu"}) == "source:a.cu");
  CHECK(items({"a.cu", "-Wl,--as-needed", "-Xlinker", "-z,now"}) ==
        "cuda:a.cu link:-Wl,--as-needed link:-Xlinker link:-z link:-Xlinker link:now");
}

TEST_CASE("options take their value as nvcc does") {
  for (const Words& words : {Words{"-o", "prog"}, Words{"-oprog"}, Words{"-o=prog"},
                             Words{"--output-file", "prog"}, Words{"--output-file=prog"}}) {
    Words all = words;
    all.push_back("a.cu");
    CHECK(read_cc_arguments(all).output == "prog");
  }
  const CcArguments cc = read_cc_arguments({"-Iinc", "-I", "more", "--include-path=a,b", "-DX=1",
                                            "--define-macro", "F(x)=x", "-UY", "a.cu"});
  CHECK(cc.flags == Words{"-Iinc", "-Imore", "-Ia", "-Ib", "-DX=1", "-DF(x)=x", "-UY"});
  CHECK(cc.include_folders.size() == 4);
  CHECK(cc.macros == Words{"X", "F"});
}

TEST_CASE("the standard is one that the headers are written for") {
  const auto standard = [](const Words& words) { return read_cc_arguments(words).standard; };
  CHECK(standard({"a.cu"}) == "-std=gnu++17");
  CHECK(standard({"-std=c++20", "a.cu"}) == "-std=gnu++20");
  CHECK(standard({"-std", "c++14", "a.cu"}) == "-std=gnu++17");
  CHECK(standard({"--std=gnu++23", "a.cu"}) == "-std=gnu++23");
  CHECK(refused({"-std=c++98x", "a.cu"}) ==
        "-std=c++98x is not a standard that convkit cc knows; it knows c++17, c++20 and c++23.");
}

TEST_CASE("with -rdc=true and -dc sources share variables in device memory") {
  const auto relocatable = [](Words words) {
    words.push_back("a.cu");
    return read_cc_arguments(words).relocatable;
  };
  CHECK_FALSE(relocatable({"-c"}));
  CHECK_FALSE(relocatable({"-rdc=false"}));
  CHECK_FALSE(relocatable({"-dw"}));
  CHECK(relocatable({"-rdc=true"}));
  CHECK(relocatable({"--relocatable-device-code", "true"}));
  CHECK(relocatable({"-dc"}));
  CHECK(read_cc_arguments({"-dc", "a.cu"}).mode == CcArguments::Mode::objects);
}

TEST_CASE("options about a GPU's machine code are accepted and have no effect") {
  const CcArguments plain = read_cc_arguments({"a.cu"});
  for (const Words& words : {Words{"-arch=sm_90"},
                             Words{"-arch", "sm_90"},
                             Words{"--gpu-architecture=compute_80"},
                             Words{"-gencode", "arch=compute_80,code=sm_80"},
                             Words{"--generate-code=arch=compute_80,code=sm_80"},
                             Words{"-lineinfo"},
                             Words{"-Xptxas", "-v"},
                             Words{"-Xptxas=-v,-O3"},
                             Words{"-maxrregcount=32"},
                             Words{"--use_fast_math"},
                             Words{"-use_fast_math"},
                             Words{"--extended-lambda"},
                             Words{"--expt-relaxed-constexpr"},
                             Words{"-cudart", "static"},
                             Words{"-t", "4"},
                             Words{"--threads=0"},
                             Words{"-m64"},
                             Words{"-diag-suppress=177"},
                             Words{"-Wno-deprecated-gpu-targets"},
                             Words{"--ftz=true"},
                             Words{"-fmad=false"},
                             Words{"--default-stream=legacy"},
                             Words{"-lcudart"},
                             Words{"-l", "cudadevrt"},
                             Words{"-res-usage"},
                             Words{"-Werror", "cross-execution-space-call"}}) {
    Words all = words;
    all.push_back("a.cu");
    const CcArguments cc = read_cc_arguments(all);
    INFO(words.front());
    CHECK(cc.flags == plain.flags);
    CHECK(cc.link_flags == plain.link_flags);
    CHECK(cc.items.size() == 1);
  }
}

TEST_CASE("options for the host's compiler reach it") {
  const CcArguments cc =
      read_cc_arguments({"-Xcompiler", "-Wall,-fopenmp", "-Xcompiler=-Wextra -g3", "-march=native",
                         "-Wshadow", "-Werror", "-w", "-pg", "a.cu"});
  CHECK(cc.flags == Words{"-Wall", "-fopenmp", "-Wextra", "-g3", "-march=native", "-Wshadow",
                          "-Werror", "-w", "-pg"});
  CHECK(std::find(cc.link_flags.begin(), cc.link_flags.end(), "-fopenmp") != cc.link_flags.end());
  CHECK(read_cc_arguments({"-Werror", "all-warnings", "a.cu"}).flags == Words{"-Werror"});
  CHECK(read_cc_arguments({"--Werror=all-warnings", "a.cu"}).flags == Words{"-Werror"});
}

TEST_CASE("modes and switches") {
  CHECK(read_cc_arguments({"-c", "a.cu"}).mode == Mode::objects);
  CHECK(read_cc_arguments({"-dc", "a.cu"}).mode == Mode::objects);
  CHECK(read_cc_arguments({"--device-w", "a.cu"}).mode == Mode::objects);
  CHECK(read_cc_arguments({"-E", "a.cu"}).mode == Mode::preprocessed);
  CHECK(read_cc_arguments({"-MM", "a.cu"}).mode == Mode::dependencies);
  CHECK(read_cc_arguments({"--version"}).mode == Mode::version);
  CHECK(read_cc_arguments({"-dlink", "a.o"}).mode == Mode::device_link);
  CHECK(read_cc_arguments({"a.o"}).mode == Mode::program);
  const CcArguments cc = read_cc_arguments(
      {"-O3", "-G", "--check", "--dryrun", "-v", "--keep", "--keep-dir=x", "-shared", "a.cu"});
  CHECK(cc.optimisation == "-O3");
  CHECK((cc.device_debug && cc.check && cc.dry_run && cc.verbose && cc.keep && cc.shared));
  CHECK(cc.keep_folder == "x");
  CHECK(read_cc_arguments({"-O", "a.cu"}).optimisation == "-O");
  CHECK(read_cc_arguments({"--profile", "a.cu"}).profile);
  CHECK_FALSE(read_cc_arguments({"-pg", "a.cu"}).profile);
  CHECK_THROWS_AS(read_cc_arguments({"--profile", "--check", "a.cu"}), UsageError);
}

TEST_CASE("the kit's own library takes the place of cuBLAS, cuDNN and cuRAND") {
  for (const char* option : {"-lcublas", "-lcublas_static"}) {
    const CcArguments cc = read_cc_arguments({"a.cu", option});
    CHECK(cc.libraries == std::vector<std::string>{"convkit_simt_cublas"});
    CHECK(cc.items.size() == 1);
  }
  CHECK(read_cc_arguments({"a.cu", "-lcudnn"}).libraries ==
        std::vector<std::string>{"convkit_simt_cudnn"});
  CHECK(read_cc_arguments({"a.cu", "-lcurand"}).libraries ==
        std::vector<std::string>{"convkit_simt_curand"});
  CHECK(read_cc_arguments({"a.cu", "-lcudart"}).libraries.empty());
}

TEST_CASE("impossible settings are refused with one sentence") {
  CHECK(refused({}) == "No input file. Name at least one .cu file. See ./convkit cc --help.");
  CHECK(refused({"-c", "a.o"}) ==
        "No input file. Name at least one .cu file. See ./convkit cc --help.");
  CHECK(refused({"a.cu", "-o"}) == "-o needs a value.");
  CHECK(refused({"-c", "a.cu", "b.cu", "-o", "c.o"}) ==
        "-o names one file, but several files are compiled with -c or -E.");
  CHECK(refused({"-ptx", "a.cu"}).starts_with("-ptx is not for the CPU device: "));
  CHECK(refused({"a.ptx"}).starts_with("a.ptx holds GPU code"));
  CHECK(refused({"a.cuh"}).starts_with("a.cuh is a header"));
  CHECK(refused({"--wrong", "a.cu"}) == "There is no option --wrong. See ./convkit cc --help.");
  CHECK(refused({"a.cu", "-lcublasXt"}) ==
        "-lcublasXt: the CPU device does not have this library.");
  CHECK(refused({"a.cu", "-lcudnn_cnn"}) ==
        "-lcudnn_cnn: the CPU device does not have this library.");
  CHECK(refused({"a.cu", "-lcufft"}) == "-lcufft: the CPU device does not have this library.");
  CHECK(
      refused({"--default-stream=per-thread", "a.cu"}).starts_with("--default-stream per-thread"));
}

}  // namespace convkit

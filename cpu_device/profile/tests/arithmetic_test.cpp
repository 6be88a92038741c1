// SPDX-License-Identifier: MIT
#include "cpu_device/profile/arithmetic.h"

#include "catch.h"

namespace convkit::simt::profile {

TEST_CASE("scalar instructions are told apart by operation and type, with and without the v") {
  const auto is = [](std::string_view mnemonic, Operation operation) {
    return work_of(mnemonic, " %xmm1,%xmm2,%xmm3") == Work{operation, 1};
  };
  CHECK(is("vfmadd132ss", Operation::float_fma));
  CHECK(is("vfnmadd213ss", Operation::float_fma));
  CHECK(is("vfmsub231sd", Operation::double_fma));
  CHECK(is("vmulss", Operation::float_mul));
  CHECK(is("mulsd", Operation::double_mul));
  CHECK(is("vaddss", Operation::float_add));
  CHECK(is("subss", Operation::float_add));
  CHECK(is("vsubsd", Operation::double_add));
  CHECK(is("vdivss", Operation::special));
  CHECK(is("sqrtsd", Operation::special));
}

TEST_CASE("packed instructions work on as many lanes as the register has") {
  CHECK(work_of("vmulps", " %xmm1,%xmm2,%xmm3") == Work{Operation::float_mul, 4});
  CHECK(work_of("vaddpd", " 0x20(%rax),%ymm2,%ymm3") == Work{Operation::double_add, 4});
  CHECK(work_of("vfmadd231ps", " %zmm1,%zmm2,%zmm3") == Work{Operation::float_fma, 16});
}

TEST_CASE("moves, comparisons, conversions and integers are no arithmetic") {
  for (const char* mnemonic :
       {"vmovss", "vucomiss", "vcvtsi2ss", "vmaxss", "vxorps", "vandps", "add", "imul", "vpaddd",
        "vpmulld", "vunpcklps", "movaps", "jle", "vcvtss2sd", "vcmpltss", "div"}) {
    CHECK_FALSE(work_of(mnemonic, " %xmm1,%xmm2,%xmm3"));
  }
}

TEST_CASE("calls of the C library's functions are special, others are none") {
  const Work special{Operation::special, 1};
  CHECK(work_of("call", "   *0x2fd2(%rip)        # 3fd8 <expf@GLIBC_2.27>") == special);
  CHECK(work_of("call", "   1040 <atan2@plt>") == special);
  CHECK_FALSE(work_of("call", "   1040 <sqrtf@plt>"));
  CHECK_FALSE(work_of("call", "   1040 <_Z4expfPf>"));
  CHECK_FALSE(work_of("call", "   *%rax"));
}

}  // namespace convkit::simt::profile

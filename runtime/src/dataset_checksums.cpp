// SPDX-License-Identifier: MIT
// The checksums of datasets/README.md.
#include <algorithm>
#include <array>

#include "convkit/datasets.h"

namespace convkit {
namespace {

struct Original {
  Dataset dataset;
  const char* name;
  const char* sha256;
};

// clang-format off
constexpr std::array kOriginals = {
    Original{Dataset::mnist, "t10k-images-idx3-ubyte.gz",
             "8d422c7b0a1c1c79245a5bcf07fe86e33eeafee792b84584aec276f5a2dbc4e6"},
    Original{Dataset::mnist, "t10k-labels-idx1-ubyte.gz",
             "f7ae60f92e00ec6debd23a6088c31dbd2371eca3ffa0defaefb259924204aec6"},
    Original{Dataset::mnist, "train-images-idx3-ubyte.gz",
             "440fcabf73cc546fa21475e81ea370265605f56be210a4024d2ca8f203523609"},
    Original{Dataset::mnist, "train-labels-idx1-ubyte.gz",
             "3552534a0a558bbed6aed32b30c495cca23d567ec52cac8be1a0730e8010255c"},
    Original{Dataset::fashion_mnist, "t10k-images-idx3-ubyte.gz",
             "346e55b948d973a97e58d2351dde16a484bd415d4595297633bb08f03db6a073"},
    Original{Dataset::fashion_mnist, "t10k-labels-idx1-ubyte.gz",
             "67da17c76eaffca5446c3361aaab5c3cd6d1c2608764d35dfb1850b086bf8dd5"},
    Original{Dataset::fashion_mnist, "train-images-idx3-ubyte.gz",
             "3aede38d61863908ad78613f6a32ed271626dd12800ba2636569512369268a84"},
    Original{Dataset::fashion_mnist, "train-labels-idx1-ubyte.gz",
             "a04f17134ac03560a47e3764e11b92fc97de4d1bfaf8ba1a3aa29af54cc90845"},
};
// clang-format on

}  // namespace

std::string original_sha256(Dataset dataset, const std::string& file_name) {
  const auto found = std::ranges::find_if(kOriginals, [&](const Original& original) {
    return original.dataset == dataset && original.name == file_name;
  });
  return found == kOriginals.end() ? "" : found->sha256;
}

}  // namespace convkit

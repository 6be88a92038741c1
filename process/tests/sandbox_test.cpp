// SPDX-License-Identifier: MIT
// What a confined program can and cannot do, under each layer this machine has.
#include <arpa/inet.h>
#include <grp.h>
#include <netinet/in.h>
#include <pwd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <set>
#include <system_error>

#include "arena.h"
#include "catch.h"
#include "process/landlock.h"

namespace {

// How often the system's list of accounts was asked, which may be on another machine.
unsigned account_questions = 0;

}  // namespace

// In place of the C library's.
extern "C" passwd* getpwuid(uid_t user) {
  ++account_questions;
  static passwd found;
  static std::array<char, 4096> text;
  passwd* result = nullptr;
  getpwuid_r(user, &found, text.data(), text.size(), &result);
  return result;
}

using namespace convkit;
using namespace convkit::testing;

namespace {

constexpr int kLandlockTcp = 4;      // first ABI that knows TCP
constexpr int kLandlockSignals = 6;  // first ABI that knows signals

// A process outside the sandbox that must come to no harm.
class Bystander {
 public:
  Bystander() : process_(hostile({"sleep"}), {}) {}
  std::string pid() const { return std::to_string(process_.pid()); }
  bool alive() { return process_.poll({}); }

 private:
  Process process_;
};

class Listener {
 public:
  Listener() : socket_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    address_.sin_family = AF_INET;
    address_.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address_;
    auto* address = reinterpret_cast<sockaddr*>(&address_);
    if (bind(socket_.get(), address, size) != 0 || listen(socket_.get(), 8) != 0 ||
        getsockname(socket_.get(), address, &size) != 0) {
      std::abort();
    }
  }
  std::string port() const { return std::to_string(ntohs(address_.sin_port)); }

 private:
  FileDescriptor socket_;
  sockaddr_in address_{};
};

bool covers_files(const Layers& layers) {
  return layers.landlock || layers.bubblewrap;
}

// Evaluates the checks once for each layer, naming it where one fails.
template <class Checks>
void under_each_layer(Checks checks) {
  for (const auto& [name, layers] : available_layers()) {
    INFO("under " << name);
    checks(layers);
  }
}

}  // namespace

TEST_CASE("the layers that are missing here are named") {
  const SandboxProbe& probe = probe_sandbox(kConfine);
  for (const auto& sentence : probe.missing) WARN(sentence);
  CHECK(probe.missing.size() ==
        size_t(probe.landlock_abi == 0) + size_t(!probe.seccomp) + size_t(!probe.bubblewrap));
  CHECK(probe.description().find("resource limits") != std::string::npos);
  CHECK((probe.description().find("Landlock (ABI ") != std::string::npos) ==
        (probe.landlock_abi > 0));
}

TEST_CASE("a trial that is killed is repeated and never passes for a layer that does not work") {
  testing::TemporaryFolder folder;
  const auto count = folder.path() / "count", confine = folder.path() / "confine";
  // Each start of the trial program adds a line to `count` and is killed; the last one of `kills`
  // puts the real program into its place.
  const auto stand_in = [&](int kills) {
    std::filesystem::remove(count);
    std::filesystem::remove(confine);
    std::ofstream(confine) << "#!/bin/sh\necho >> " << count.string() << "\nif [ $(wc -l < "
                           << count.string() << ") -ge " << kills << " ]; then ln -sf " << kConfine
                           << " " << confine.string() << "; fi\nkill -9 $$\n";
    std::filesystem::permissions(confine, std::filesystem::perms::owner_all);
    return confine;
  };
  const char* before = std::getenv("CONVKIT_SANDBOX");
  const std::string saved = before != nullptr ? before : "bubblewrap";
  // In bubblewrap the stand-in is not to be found.
  setenv("CONVKIT_SANDBOX", "seccomp", 1);
  const std::string whole = try_layers(kConfine).description();
  CHECK(try_layers(stand_in(2)).description() == whole);
  if (whole != "resource limits") {
    CHECK_THROWS_WITH(try_layers(stand_in(100)),
                      Catch::Contains("its trial program was ended by signal 9, 3 times"));
  }
  setenv("CONVKIT_SANDBOX", saved.c_str(), 1);
}

TEST_CASE("CONVKIT_SANDBOX caps the strongest layer and is checked") {
  const char* before = std::getenv("CONVKIT_SANDBOX");
  const std::string saved = before != nullptr ? before : "bubblewrap";
  const auto strength = [](const char* word) {
    setenv("CONVKIT_SANDBOX", word, 1);
    const Layers layers = allowed_layers();
    return layers.limits + layers.landlock + layers.seccomp + layers.bubblewrap;
  };
  CHECK(strength("none") == 0);
  CHECK(strength("limits") == 1);
  CHECK(strength("landlock") == 2);
  CHECK(strength("seccomp") == 3);
  CHECK(strength("bubblewrap") == 4);
  CHECK_THROWS_WITH(strength("magic"),
                    "CONVKIT_SANDBOX is 'none', 'limits', 'landlock', 'seccomp' or 'bubblewrap', "
                    "not 'magic'");
  setenv("CONVKIT_SANDBOX", saved.c_str(), 1);
}

TEST_CASE("honest work goes on in the sandbox") {
  under_each_layer([](const Layers& layers) {
    const auto [ending, output] = attempt(layers, {"honest"});
    CHECK(ending.kind == Ending::Kind::exited);
    CHECK(output == "caught 2097152 of 4");
  });
}

TEST_CASE("exit codes and signals come through the sandbox as they were") {
  under_each_layer([](const Layers& layers) {
    const auto exited = attempt(layers, {"exit", "137"}).ending;
    CHECK(exited.kind == Ending::Kind::exited);
    CHECK(exited.code == 137);
    const auto killed = attempt(layers, {"raise", "9"}).ending;
    CHECK(killed.kind == Ending::Kind::signalled);
    CHECK(killed.signal == SIGKILL);
    CHECK(attempt(layers, {"overflow"}).ending.signal == SIGSEGV);
    CHECK(attempt(layers, {"abort"}).ending.signal == SIGABRT);
    CHECK(attempt(layers, {"close"}).ending.code == 3);
  });
}

TEST_CASE("a confined program has an empty environment and only its own descriptors") {
  under_each_layer([](const Layers& layers) {
    // bubblewrap adds the working directory.
    CHECK(attempt(layers, {"environment"}).output == (layers.bubblewrap ? "PWD=/\n" : ""));
    CHECK(attempt(layers, {"descriptors"}).output == "0 1 2 ");
    int ends[2];
    REQUIRE(pipe(ends) == 0);
    REQUIRE(write(ends[1], "hello", 5) == 5);
    CHECK(attempt(layers, {"passed"}, {}, {}, {{ends[0], 3}}).output == "stdin 0, fd 3 5 hello");
    close(ends[0]);
    close(ends[1]);
  });
}

TEST_CASE("files outside can be neither read, listed, written nor removed") {
  const TemporaryFolder outside;
  const std::string secret = outside.file("secret");
  under_each_layer([&](const Layers& layers) {
    const bool refused = covers_files(layers);
    CHECK((attempt(layers, {"read", secret}).ending.code != 0) == refused);
    CHECK((attempt(layers, {"read", "/etc/passwd"}).ending.code != 0) == refused);
    CHECK((attempt(layers, {"list", outside.path()}).ending.code != 0) == refused);
    CHECK((attempt(layers, {"write", outside.path() / "new"}).ending.code != 0) == refused);
    const std::string victim = outside.file("victim");
    CHECK((attempt(layers, {"remove", victim}).ending.code != 0) == refused);
    CHECK(std::filesystem::exists(victim) == refused);
  });
}

TEST_CASE("granted folders can be used as granted") {
  const TemporaryFolder reading, writing;
  const std::string given = reading.file("given");
  Confinement confinement;
  confinement.read_only = {reading.path()};
  confinement.read_write = {writing.path()};
  under_each_layer([&](const Layers& layers) {
    CHECK(attempt(layers, {"read", given}, confinement).ending.code == 0);
    CHECK((attempt(layers, {"write", given}, confinement).ending.code != 0) ==
          covers_files(layers));
    const std::string made = (writing.path() / "made").string();
    CHECK(attempt(layers, {"write", made}, confinement).ending.code == 0);
    CHECK(attempt(layers, {"read", made}, confinement).ending.code == 0);
    CHECK(attempt(layers, {"remove", made}, confinement).ending.code == 0);
  });
}

TEST_CASE("one file may be granted without its folder") {
  const TemporaryFolder folder;
  const std::string given = folder.file("given"), kept = folder.file("kept");
  Confinement confinement;
  confinement.read_only = {given};
  under_each_layer([&](const Layers& layers) {
    CHECK(attempt(layers, {"read", given}, confinement).ending.code == 0);
    CHECK((attempt(layers, {"read", kept}, confinement).ending.code != 0) == covers_files(layers));
  });
}

TEST_CASE("of a hidden folder in the system only what is named can be read") {
  // As a kit in /usr/lib/convkit, which is /lib/convkit, too.
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator("/usr/lib/gcc")) {
    if (entry.is_regular_file() && !entry.is_symlink()) files.push_back(entry.path());
  }
  REQUIRE(files.size() >= 2);
  const std::string &kept = files[0], &given = files[1];
  Confinement confinement;
  confinement.hidden = "/usr/lib/gcc";
  confinement.read_only = {given};
  under_each_layer([&](const Layers& layers) {
    CHECK(attempt(layers, {"honest"}, confinement).ending.code == 0);
    CHECK(attempt(layers, {"read", given}, confinement).ending.code == 0);
    CHECK(attempt(layers, {"read", kept}).ending.code == 0);
    for (const std::string& path : {kept, kept.substr(std::string("/usr").size())}) {
      CHECK((attempt(layers, {"read", path}, confinement).ending.code != 0) ==
            covers_files(layers));
    }
    if (covers_files(layers)) {
      CHECK(attempt(layers, {"write", "/usr/lib/gcc/new"}, confinement).ending.code != 0);
    }
  });
}

TEST_CASE("the working directory is the first writable folder unless the command has one") {
  const TemporaryFolder writing;
  Confinement confinement;
  confinement.read_write = {writing.path()};
  under_each_layer([&](const Layers& layers) {
    CHECK(attempt(layers, {"state"}, confinement).output.find(writing.path().string()) !=
          std::string::npos);
    CHECK(attempt(layers, {"state"}).output.find("folder /\n") != std::string::npos);
  });
}

TEST_CASE("a server on this machine cannot be reached") {
  const Listener listener;
  const int abi = landlock_abi();
  under_each_layer([&](const Layers& layers) {
    const bool refused =
        (layers.landlock && abi >= kLandlockTcp) || layers.seccomp || layers.bubblewrap;
    CHECK((attempt(layers, {"connect", listener.port()}).ending.code != 0) == refused);
  });
}

TEST_CASE("other processes can be neither traced nor signalled") {
  Bystander bystander;
  const int abi = landlock_abi();
  under_each_layer([&](const Layers& layers) {
    const bool hidden = layers.bubblewrap || (layers.landlock && abi >= kLandlockSignals);
    CHECK((attempt(layers, {"signal", bystander.pid(), "0"}).ending.code != 0) == hidden);
    if (hidden) attempt(layers, {"signal", bystander.pid(), "9"});
    if (layers.landlock || layers.seccomp || layers.bubblewrap) {
      CHECK(attempt(layers, {"trace", bystander.pid()}).ending.code != 0);
    }
    CHECK(bystander.alive());
  });
}

TEST_CASE("a program that kills what watches it does not pass for one that ended well") {
  const int abi = landlock_abi();
  under_each_layer([&](const Layers& layers) {
    const auto ending = attempt(layers, {"kill-parent"}).ending;
    if (layers.landlock && abi >= kLandlockSignals) {
      CHECK(ending.kind == Ending::Kind::exited);
      CHECK(ending.code == EPERM);
    } else if (layers.bubblewrap) {
      CHECK(ending.kind == Ending::Kind::exited);  // init of a process table is immune
    } else {
      CHECK(ending.kind == Ending::Kind::signalled);
    }
  });
}

TEST_CASE("a runner may execute nothing but itself, a compiler what it may read") {
  under_each_layer([](const Layers& layers) {
    CHECK((attempt(layers, {"exec", "/bin/true"}).ending.code != 0) == layers.landlock);
    Confinement compiler;
    compiler.profile = Confinement::Profile::compiler;
    CHECK(attempt(layers, {"exec", "/bin/true"}, compiler).ending.code == 0);
  });
}

TEST_CASE("a compiler may not execute what it has written") {
  const TemporaryFolder writing;
  std::filesystem::copy_file("/bin/true", writing.path() / "planted");
  Confinement compiler;
  compiler.profile = Confinement::Profile::compiler;
  compiler.read_write = {writing.path()};
  under_each_layer([&](const Layers& layers) {
    const auto ending = attempt(layers, {"exec", writing.path() / "planted"}, compiler).ending;
    CHECK((ending.code != 0) == layers.landlock);
  });
}

TEST_CASE("namespaces and sessions of its own are refused by seccomp") {
  under_each_layer([](const Layers& layers) {
    if (!layers.seccomp) return;
    CHECK(attempt(layers, {"namespace"}).ending.code == EPERM);
    CHECK(attempt(layers, {"session"}).ending.code != 0);
    CHECK(attempt(layers, {"socket"}).ending.code == EPERM);
  });
}

TEST_CASE("limits are in force in the sandbox") {
  const TemporaryFolder writing;
  Confinement confinement;
  confinement.read_write = {writing.path()};
  Limits limits;
  limits.memory_bytes = 1ull << 30;
  limits.file_bytes = 1 << 20;
  const std::string file = (writing.path() / "big").string();
  under_each_layer([&](const Layers& layers) {
    if (!layers.limits) return;
    CHECK(attempt(layers, {"allocate", "10000000000"}, {}, limits).ending.code == ENOMEM);
    CHECK(attempt(layers, {"allocate", "1000000"}, {}, limits).ending.code == 0);
    CHECK(attempt(layers, {"grow", file, "10000000000"}, confinement, limits).ending.code == EFBIG);
    std::filesystem::remove(file);  // the next layer may have another user
    CHECK(attempt(layers, {"state"}).output.find("core 0") != std::string::npos);
  });
}

TEST_CASE("memory in use is limited where addresses are not: its own, shared, and a child's") {
  constexpr uint64_t kMega = 1 << 20;
  Limits limits;
  limits.resident_bytes = 50 * kMega;
  const NamedLayers strongest = available_layers().back();
  for (const Layers& layers :
       {Layers{true, false, false, false}, Layers{true, true, true, strongest.layers.bubblewrap}}) {
    for (const std::string where : {"private", "shared", "child"}) {
      INFO(where);
      const auto held = attempt(layers, {"hold", std::to_string(60 * kMega), where}, {}, limits);
      CHECK(held.ending.kind == Ending::Kind::memory_limit);
      CHECK(held.ending.memory_in_use > 50 * kMega);
      CHECK(held.ending.wall_s < 30);
    }
    // Reserved, and not used.
    CHECK(attempt(layers, {"allocate", "1000000000"}, {}, limits).ending.code == 0);
  }
}

TEST_CASE("the number of processes in the sandbox is limited for a normal user") {
  if (geteuid() == 0) {
    WARN("skipped: the kernel does not limit root's processes");
    return;
  }
  Limits limits;
  limits.processes = 20;
  under_each_layer([&](const Layers& layers) {
    if (!layers.limits || layers.bubblewrap) return;  // there, this user's others are not counted
    CHECK(std::stoi(attempt(layers, {"fork-bomb", "60"}, {}, limits).output) <= 30);
  });
}

TEST_CASE("under root, whose a number is is asked once, and of few numbers") {
  if (geteuid() != 0) {
    WARN("skipped: not root");
    return;
  }
  constexpr unsigned kPrograms = 400, kMostNumbers = 260;
  std::set<uid_t> users;
  uid_t before = 0;
  for (unsigned i = 0; i < kPrograms; ++i) {
    const uid_t user = *user_for_one_program();
    CHECK(user != before);
    users.insert(before = user);
  }
  CHECK(users.size() > 200);  // side by side each has its own
  CHECK(users.size() <= kMostNumbers);
  const unsigned asked = account_questions;
  for (unsigned i = 0; i < kPrograms; ++i) (void)user_for_one_program();
  // Not of numbers that another grader's program had until now.
  CHECK(account_questions - asked <= kMostNumbers - users.size());
}

TEST_CASE("under root, graders side by side give their programs different users") {
  if (geteuid() != 0) return;
  constexpr unsigned kPrograms = 40;
  const auto some_users = [] {
    std::array<uid_t, kPrograms> users{};
    for (uid_t& user : users) user = *user_for_one_program();
    return users;
  };
  (void)sandbox_group();
  int begin[2], answer[2];
  REQUIRE(pipe(begin) == 0);
  REQUIRE(pipe(answer) == 0);
  const pid_t other = fork();  // it would go on with the same numbers
  REQUIRE(other >= 0);
  if (other == 0) {
    char byte = 0;
    if (read(begin[0], &byte, 1) != 1) _exit(1);
    const auto users = some_users();
    _exit(write(answer[1], users.data(), sizeof users) == sizeof users ? 0 : 1);
  }
  const auto own = some_users();
  REQUIRE(write(begin[1], "b", 1) == 1);
  std::array<uid_t, kPrograms> others{};
  REQUIRE(read(answer[0], others.data(), sizeof others) == sizeof others);
  waitpid(other, nullptr, 0);
  for (const int end : {begin[0], begin[1], answer[0], answer[1]}) close(end);
  for (const uid_t user : others) CHECK(std::ranges::find(own, user) == own.end());
}

TEST_CASE("under root, a confined program is an unused user without privileges") {
  if (geteuid() != 0) {
    WARN("skipped: not root");
    return;
  }
  REQUIRE(probe_sandbox(kConfine).user);
  CHECK(getpwuid(*user_for_one_program()) == nullptr);
  CHECK(getgrgid(*sandbox_group()) == nullptr);
  Limits limits;
  limits.processes = 20;
  const TemporaryFolder writing;
  Confinement confinement;
  confinement.read_write = {writing.path()};
  under_each_layer([&](const Layers& layers) {
    if (!layers.user) return;
    const std::string state = attempt(layers, {"identity"}).output;
    INFO(state);
    CHECK(state.find(" group " + std::to_string(*sandbox_group()) + " of 0\n") !=
          std::string::npos);
    CHECK(state.find("user 6") == 0);
    CHECK(state.find("capabilities none\n") != std::string::npos);
    CHECK(attempt(layers, {"write", writing.path() / "made"}, confinement).ending.code == 0);
    CHECK(std::stoi(attempt(layers, {"fork-bomb", "60"}, {}, limits).output) <= 30);
    SignOfLife life;
    attempt(layers, {"daemon"}, {}, {}, {life.passed()});
    CHECK(life.all_gone());
  });
}

TEST_CASE("under root, programs that run side by side do not use up each other's processes") {
  if (geteuid() != 0) return;
  REQUIRE(probe_sandbox(kConfine).user);
  Limits limits;
  limits.processes = 20;
  under_each_layer([&](const Layers& layers) {
    if (!layers.user || !layers.limits) return;
    const TemporaryFolder folder;
    const std::string begin = folder.file("begin");
    Confinement confinement;
    confinement.read_only = {folder.path()};
    const auto start = [&](const std::vector<std::string>& deed) {
      return std::make_unique<Process>(
          confined_by(layers, hostile(deed), confinement, limits, kConfine), limits);
    };
    // The one that starts first asks for its processes last.
    const auto first = start({"fork-when-gone", "15", begin});
    std::vector<std::unique_ptr<Process>> others;
    for (int i = 0; i < 3; ++i) {
      others.push_back(start({"fork-bomb", "15", "stay"}));
      while (others.back()->output().empty()) REQUIRE(others.back()->poll(std::chrono::seconds(1)));
      CHECK(others.back()->output() == "15\n");
    }
    std::filesystem::remove(begin);
    first->wait();
    CHECK(first->output() == "15\n");
  });
}

TEST_CASE("under root, what its user cannot read is read with a privilege that a runner gives up") {
  if (geteuid() != 0) return;
  const TemporaryFolder folder;
  const std::string given = folder.file("given");
  REQUIRE(chown(folder.path().c_str(), 0, 0) == 0);  // as a kit in root's own folder
  REQUIRE(chmod(folder.path().c_str(), 0700) == 0);
  Confinement confinement;
  confinement.read_only = {given};
  const TemporaryFolder place;
  std::filesystem::create_directory(place.path() / "scratch");
  open_to_sandbox(place.path() / "scratch", true);
  REQUIRE(chown(place.path().c_str(), 0, 0) == 0);
  Confinement compiler;
  compiler.profile = Confinement::Profile::compiler;
  compiler.read_write = {place.path() / "scratch"};
  const std::string made = place.path() / "scratch" / "made";
  under_each_layer([&](const Layers& layers) {
    if (!layers.user || layers.bubblewrap) return;
    CHECK(attempt(layers, {"write", made}, compiler).ending.code == 0);
    std::filesystem::remove(made);
    CHECK_FALSE(sandbox_may_read(folder.path(), true));
    CHECK(attempt(layers, {"read", given}, confinement).ending.code == 0);
    CHECK(attempt(layers, {"identity"}, confinement).output.find("capabilities none\n") ==
          std::string::npos);
    if (!layers.seccomp) return;
    const auto locked = attempt(layers, {"--locked", "identity"}, confinement).output;
    INFO(locked);
    CHECK(locked.find("capabilities none\n") != std::string::npos);
  });
}

TEST_CASE("a CPU limit is told from other signals through the sandbox") {
  Limits limits;
  limits.cpu = std::chrono::seconds(1);
  const NamedLayers strongest = available_layers().back();
  for (const Layers& layers :
       {Layers{true, false, false, false}, Layers{true, true, true, strongest.layers.bubblewrap}}) {
    CHECK(attempt(layers, {"loop"}, {}, limits).ending.kind == Ending::Kind::cpu_timeout);
    CHECK(attempt(layers, {"loop-on"}, {}, limits).ending.kind == Ending::Kind::cpu_timeout);
  }
}

TEST_CASE("a confined program that is cut short leaves its time, its output and nobody behind") {
  Limits limits;
  limits.wall = std::chrono::milliseconds(200);
  under_each_layer([&](const Layers& layers) {
    const auto looping = attempt(layers, {"loop-on"}, {}, limits).ending;
    CHECK(looping.kind == Ending::Kind::wall_timeout);
    CHECK(looping.cpu_s > 0.01);
    Limits little;
    little.output_bytes = 1000;
    const auto [printing, output] = attempt(layers, {"print"}, {}, little);
    CHECK(printing.kind == Ending::Kind::output_limit);
    CHECK(output.size() == 1000);
  });
}

TEST_CASE("an orphan or a daemon does not outlive a confined program") {
  for (const std::string deed : {"orphan", "daemon"}) {
    under_each_layer([&](const Layers& layers) {
      SignOfLife life;
      attempt(layers, {deed}, {}, {}, {life.passed()});
      CHECK(life.all_gone());
    });
  }
}

TEST_CASE("a confined program dies with the grader, also one that is stopped") {
  for (const char* deed : {"die", "stop_and_die"}) {
    SignOfLife life;
    CHECK(signal_of_parent(life, deed, CONVKIT_CONFINE_PROGRAM) == SIGKILL);
    CHECK(life.all_gone());
    CHECK(orphans_end());
  }
}

TEST_CASE("nothing is left where the grader dies while bubblewrap starts") {
  if (!probe_sandbox(kConfine).bubblewrap) {
    WARN("not tried: bubblewrap does not work here");
    return;
  }
  constexpr int kTrials = 100;
  for (int trial = 0; trial < kTrials; ++trial) {
    SignOfLife life;
    const std::string deed = "die_after_" + std::to_string(50 * trial);
    INFO(deed);
    CHECK(signal_of_parent(life, deed.c_str(), CONVKIT_CONFINE_PROGRAM) == SIGKILL);
    REQUIRE(life.all_gone());
    REQUIRE(orphans_end());
  }
}

TEST_CASE("peak memory is that of the confined program, not of the grader") {
  constexpr uint64_t kMega = 1 << 20;
  const std::vector<char> of_the_grader(200 * kMega, 1);
  under_each_layer([&](const Layers& layers) {
    CHECK(attempt(layers, {"exit", "0"}).ending.peak_memory_bytes < 50 * kMega);
    const auto touched = attempt(layers, {"touch", std::to_string(100 * kMega)}).ending;
    CHECK(touched.peak_memory_bytes >= 100 * kMega);
    CHECK(touched.peak_memory_bytes < 150 * kMega);
  });
  CHECK(of_the_grader.back() == 1);
}

TEST_CASE("a program that cannot start in the sandbox is named") {
  const TemporaryFolder folder;
  Command command;
  command.argv = {folder.file("data")};
  std::filesystem::permissions(command.argv[0], std::filesystem::perms::owner_all);
  under_each_layer([&](const Layers& layers) {
    try {
      Process process(confined_by(layers, command, {}, {}, kConfine), {});
      FAIL("started");
    } catch (const std::system_error& error) {
      CHECK(std::string(error.what()) == "cannot start " + command.argv[0] + ": Exec format error");
    }
  });
}

TEST_CASE("a folder that cannot be granted is named") {
  Confinement confinement;
  confinement.read_only = {"/no/such/folder"};
  const Layers bubblewrap{false, false, false, true};
  if (!probe_sandbox(kConfine).bubblewrap) {
    WARN("skipped: bubblewrap does not work here");
    return;
  }
  try {
    attempt(bubblewrap, {"exit", "0"}, confinement);
    FAIL("started");
  } catch (const std::system_error& error) {
    CHECK(std::string(error.what()).find("/no/such/folder") != std::string::npos);
  }
}

TEST_CASE("a real compiler works in the sandbox") {
  const TemporaryFolder source, build;
  const std::string file = source.file("a.cpp", "#include <vector>\nint main() {}\n");
  Confinement confinement;
  confinement.profile = Confinement::Profile::compiler;
  confinement.read_only = {source.path()};
  confinement.read_write = {build.path()};
  Command command;
  command.argv = {"c++", file, "-o", (build.path() / "a").string()};
  command.environment = {"PATH=/usr/local/bin:/usr/bin:/bin", "TMPDIR=" + build.path().string()};
  Limits limits;
  limits.wall = std::chrono::seconds(60);
  for (const auto& [name, layers] : available_layers()) {
    INFO("under " << name);
    const auto [ending, output] =
        run_process(confined_by(layers, command, confinement, limits, kConfine), limits);
    CHECK(output.empty());
    CHECK(ending.code == 0);
    CHECK(std::filesystem::remove(build.path() / "a"));
  }
}

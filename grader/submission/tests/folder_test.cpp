// SPDX-License-Identifier: MIT
// Folders, and what the machine rather than the submission can get wrong.
#include <signal.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "catch.h"
#include "hostile_archives.h"
#include "scratch.h"

using namespace convkit;
using Catch::Matchers::StartsWith;
namespace fs = std::filesystem;

namespace {

using Texts = std::vector<std::string>;

// Root may read and write everything; permissions are tested as somebody else.
class Unprivileged {
 public:
  Unprivileged() {
    if (::geteuid() == 0) REQUIRE(::seteuid(65534) == 0);
  }
  ~Unprivileged() {
    if (::getuid() == 0 && ::seteuid(0) != 0) std::abort();
  }
};

// Stands for a full disk: a write beyond the limit fails just the same.
class NoRoom {
 public:
  explicit NoRoom(rlim_t bytes) : handler_(::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit{bytes, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~NoRoom() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    ::signal(SIGXFSZ, handler_);
  }

 private:
  rlimit before_{};
  void (*handler_)(int);
};

std::string machine_error(const Scratch& scratch, const std::string& name) {
  try {
    scratch.take(name);
  } catch (const IntakeError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a folder is copied with its subfolders") {
  const Scratch scratch;
  scratch.file("hw/01_cpu_conv/conv2d.cpp", "int a;\n");
  scratch.file("hw/01_cpu_conv/include/my header.h", "int b;\n");
  const Submission submission = scratch.take("hw");
  CHECK(submission.name == "hw");
  CHECK(listing(submission) == "01_cpu_conv/conv2d.cpp 01_cpu_conv/include/my header.h");
  CHECK(contents(scratch.into() / "01_cpu_conv/include/my header.h") == "int b;\n");
  CHECK(submission.notes.empty());
}

TEST_CASE("a folder may be given with a slash at the end or as a dot") {
  const Scratch scratch;
  scratch.file("hw/a.cpp");
  CHECK(scratch.take("hw/").name == "hw");
  fs::remove_all(scratch.into() / "a.cpp");
  CHECK(scratch.take("hw/.").name == "hw");
}

TEST_CASE("the sum of a folder follows names and contents, not where it lies") {
  const auto sum = [](const std::string& name, const std::string& bytes) {
    const Scratch scratch;
    scratch.file("hw/" + name, bytes);
    scratch.file("hw/build/x.o", scratch.into().string());
    return scratch.take("hw").sha256;
  };
  CHECK(sum("a.cpp", "int a;").size() == 64);
  CHECK(sum("a.cpp", "int a;") == sum("a.cpp", "int a;"));
  CHECK(sum("a.cpp", "int a;") != sum("b.cpp", "int a;"));
  CHECK(sum("a.cpp", "int a;") != sum("a.cpp", "int b;"));
}

TEST_CASE("version control and build results of a folder are left out with one note") {
  const Scratch scratch;
  for (const char* name :
       {".git/config", "build/a", "__pycache__/a.pyc", ".DS_Store", "a.o", "a.cpp"}) {
    scratch.file(std::string("hw/") + name);
  }
  fs::create_symlink("/etc/passwd", scratch / "hw/build/link");
  const Submission submission = scratch.take("hw");
  CHECK(listing(submission) == "a.cpp");
  CHECK(submission.notes ==
        Texts{"Left out, because they do not belong to a submission: `.DS_Store`, `.git/`, "
              "`__pycache__/`, `a.o` and `build/`."});
}

TEST_CASE("a link in a folder is refused by name") {
  const Scratch scratch;
  scratch.file("hw/a.cpp");
  fs::create_symlink("a.cpp", scratch / "hw/b.cpp");
  CHECK(scratch.refusal("hw") ==
        "`hw` contains the link `b.cpp`; links are not accepted: replace it with the file itself.");
}

TEST_CASE("a link to a folder is refused by name") {
  const Scratch scratch;
  scratch.file("hw/a.cpp");
  fs::create_directory_symlink("/etc", scratch / "hw/x");
  CHECK_THAT(scratch.refusal("hw"), StartsWith("`hw` contains the link `x`;"));
}

TEST_CASE("pipes and sockets in a folder are refused by name") {
  const Scratch scratch;
  fs::create_directory(scratch / "pipe");
  REQUIRE(::mkfifo((scratch / "pipe/p.cpp").c_str(), 0600) == 0);
  CHECK(
      scratch.refusal("pipe") ==
      "`pipe` contains the named pipe `p.cpp`; only files and folders are accepted: leave it out.");

  fs::create_directory(scratch / "socket");
  const int fd = ::socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  (scratch / "socket/s").string().copy(address.sun_path, sizeof address.sun_path - 1);
  REQUIRE(::bind(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
  ::close(fd);
  CHECK(scratch.refusal("socket") ==
        "`socket` contains the socket `s`; only files and folders are accepted: leave it out.");
}

TEST_CASE("the limits hold for folders too") {
  const Scratch scratch;
  scratch.file("hw/a.bin", std::string(600, 'x'));
  scratch.file("hw/b.bin", std::string(600, 'x'));
  CHECK(scratch.refusal("hw", {1000, 1000, 10, 3}) ==
        "`hw` holds more than 1000 bytes (reached at `b.bin`); hand in sources only, without data "
        "and build results.");
  CHECK(scratch.refusal("hw", {10000, 1000, 1, 3}) ==
        "`hw` contains more than 1 files; hand in only the sources of the assignment.");
}

TEST_CASE("an empty folder is refused") {
  const Scratch scratch;
  fs::create_directories(scratch / "hw/01_cpu_conv");
  CHECK(scratch.refusal("hw") == "`hw` holds no files.");
}

TEST_CASE("a working folder inside the submission is not copied into itself") {
  const Scratch scratch;
  scratch.file("hw/a.cpp");
  fs::create_directory(scratch / "hw/work");
  const Submission submission = take_in(scratch / "hw", scratch / "hw/work");
  CHECK(listing(submission) == "a.cpp");
}

TEST_CASE("a pipe given as the submission is refused without waiting for it") {
  const Scratch scratch;
  REQUIRE(::mkfifo((scratch / "p").c_str(), 0600) == 0);
  CHECK(scratch.refusal("p") ==
        "`" + (scratch / "p").string() + "` is neither a file nor a folder.");
}

TEST_CASE("files, folders and archives that may not be read are named") {
  const Scratch scratch;
  scratch.file("file/a.cpp");
  scratch.file("folder/x/a.cpp");
  scratch.file("a.zip", zip({{"a.cpp"}}));
  for (const char* name : {"file/a.cpp", "folder/x", "a.zip"}) {
    fs::permissions(scratch / name, fs::perms::none);
  }
  fs::permissions(scratch / ".", fs::perms::all);
  fs::permissions(scratch.into(), fs::perms::all);
  {
    const Unprivileged unprivileged;
    CHECK(scratch.refusal("file") == "`a.cpp` in `file` cannot be read: Permission denied.");
    CHECK(scratch.refusal("folder") == "`x/` in `folder` cannot be read: Permission denied.");
    CHECK(scratch.refusal("a.zip") == "`a.zip` cannot be read: Permission denied.");
  }
  fs::permissions(scratch / "folder/x", fs::perms::all);
}

TEST_CASE("a target that may not be written is the machine's fault and is named") {
  const Scratch scratch;
  scratch.file("hw/a.cpp");
  scratch.file("hw/x/a.cpp");
  fs::permissions(scratch / ".", fs::perms::all);
  fs::permissions(scratch.into(), fs::perms(0555));
  const Unprivileged unprivileged;
  CHECK(machine_error(scratch, "hw") ==
        "Cannot write `" + (scratch.into() / "a.cpp").string() + "`: Permission denied.");
}

TEST_CASE("a full disk is the machine's fault, is named, and leaves nothing behind") {
  const Scratch scratch;
  scratch.file("a.zip", zip({{"a.cpp"}, {"big.bin", std::string(100000, 'x')}}));
  const NoRoom no_room(4096);
  CHECK(machine_error(scratch, "a.zip") ==
        "Cannot write `" + (scratch.into() / "big.bin").string() + "`: File too large.");
  CHECK(fs::is_empty(scratch.into()));
}

TEST_CASE("a target that is not an empty folder is refused and left alone") {
  const Scratch scratch;
  scratch.file("hw/a.cpp");
  scratch.file("into/old");
  CHECK(machine_error(scratch, "hw") ==
        "`" + scratch.into().string() + "` is not an empty folder.");
  CHECK(fs::exists(scratch.into() / "old"));
}

// SPDX-License-Identifier: MIT
#include "command_line/command_line.h"

#include <filesystem>

#include "catch.h"
#include "convkit/kit_error.h"

using namespace convkit;
using Words = std::vector<const char*>;

namespace {

std::optional<std::string> parse(CommandLine& line, Words words) {
  words.insert(words.begin(), "program");
  return line.parse(static_cast<int>(words.size()), words.data());
}

std::string complaint(CommandLine& line, const Words& words) {
  try {
    parse(line, words);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

bool mentions(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("options that are given are set, and the others keep their values") {
  CommandLine line("program", "");
  std::string name = "none";
  std::filesystem::path file = "kept";
  int count = 1;
  unsigned seconds = 600;
  int64_t seed = 0;
  double rate = 0.5;
  bool loud = false, speed = true;
  std::vector<std::string> cases;
  line.options().value("name", name, "");
  line.options().value("--file", file, "");
  line.options().value("--count", count, "");
  line.options().value("--seconds", seconds, "");
  line.options().value("--seed", seed, "");
  line.options().value("--rate", rate, "");
  line.options().value("--case", cases, "");
  line.options().flag("-v,--loud", loud, "");
  line.options().negative_flag("--no-speed", speed, "");
  CHECK_FALSE(parse(line, {"one", "--count", "3", "--seed=4294967296", "--rate", "1e-3", "-v",
                           "--no-speed", "--case", "a", "--case", "b"}));
  CHECK(name == "one");
  CHECK(file == "kept");
  CHECK(count == 3);
  CHECK(seconds == 600);
  CHECK(seed == 4294967296);
  CHECK(rate == 1e-3);
  CHECK(loud);
  CHECK_FALSE(speed);
  CHECK(cases == std::vector<std::string>{"a", "b"});
  CHECK(line.given() ==
        std::set<std::string>{"case", "count", "loud", "name", "no-speed", "rate", "seed"});
}

TEST_CASE("a broken rule is one sentence that names the option") {
  CommandLine line("program", "");
  std::string stage, device;
  int batch = 1;
  double seconds = 1;
  const Options options = line.options();
  options.value("stage", stage, "").required();
  options.value("--device", device, "").one_of({"cpu", "gpu"});
  options.value("--batch", batch, "").between(1, 16);
  const Option first = options.value("--seconds", seconds, "").positive();
  options.value("--epochs", batch, "").not_negative().excludes(first);
  CHECK(mentions(complaint(line, {}), "stage"));
  for (const Words& words :
       {Words{"1", "--device", "tpu"}, Words{"1", "--batch", "17"}, Words{"1", "--batch", "x"},
        Words{"1", "--seconds", "0"}, Words{"1", "--epochs", "-1"},
        Words{"1", "--epochs", "1", "--seconds", "1"}, Words{"1", "--bath"}}) {
    CAPTURE(words[1]);
    CHECK(mentions(complaint(line, words), words[1]));
  }
  CHECK(complaint(line, {"1", "--batch", "16", "--seconds", "0.5"}).empty());
}

TEST_CASE("a number outside its range is told the range") {
  CommandLine line("program", "");
  double seconds = 1, rate = 0.5;
  int epochs = 1;
  line.options().value("--seconds", seconds, "").positive();
  line.options().value("--epochs", epochs, "").not_negative();
  line.options().value("--rate", rate, "").between(0.0, 1.0);
  for (const char* word : {"0", "-1", "nan", "inf", "-inf", "soon", "", "2s"}) {
    CHECK(complaint(line, {"--seconds", word}) ==
          "--seconds: " + std::string(word) + " is not a number above 0.");
  }
  CHECK(complaint(line, {"--epochs", "-1"}) == "--epochs: -1 is not a number of 0 or more.");
  for (const char* word : {"1.5", "nan"}) {
    CHECK(complaint(line, {"--rate", word}) ==
          "--rate: " + std::string(word) + " is not a number from 0 to 1.");
  }
  CHECK(complaint(line, {"--seconds", "1e-3", "--rate", "1", "--epochs", "0"}).empty());
}

TEST_CASE("an option that takes one value leaves the next word to the arguments") {
  CommandLine line("program", "");
  std::vector<std::string> cases, tool;
  line.options().value("--case", cases, "").one_value_each();
  line.options().value("tool", tool, "");
  parse(line, {"--case", "a", "--case", "b", "--", "gdb", "-q"});
  CHECK(cases == std::vector<std::string>{"a", "b"});
  CHECK(tool == std::vector<std::string>{"gdb", "-q"});
}

TEST_CASE("an option whose value is optional is given with and without it") {
  CommandLine line("program", "");
  std::string name;
  const Option sweep = line.options().value("--sweep", name, "").value_optional();
  parse(line, {});
  CHECK_FALSE(sweep.given());
  parse(line, {"--sweep"});
  CHECK((sweep.given() && name.empty()));
  parse(line, {"--sweep", "tiles"});
  CHECK((sweep.given() && name == "tiles"));
}

TEST_CASE("a command line names one command, and --help shows the help of that command") {
  CommandLine line("program", "what it does", "at the end");
  bool watch = false;
  line.command("list", "all there are", "Example:\n  program list");
  line.command("check", "look once", "").flag("--watch", watch, "look again and again");
  CHECK(line.commands() == std::vector<std::string>{"list", "check"});
  CHECK_FALSE(complaint(line, {}).empty());
  CHECK(line.chosen_command().empty());

  parse(line, {"check", "--watch"});
  CHECK((watch && line.chosen_command() == "check"));
  CHECK(mentions(complaint(line, {"check", "--wacth"}), "--wacth"));
  CHECK(line.chosen_command() == "check");

  const std::string help = parse(line, {"--help"}).value_or("");
  CHECK((mentions(help, "what it does") && mentions(help, "all there are")));
  CHECK(mentions(help, "at the end"));
  const std::string of_check = parse(line, {"check", "--help"}).value_or("");
  CHECK((mentions(of_check, "look again and again") && !mentions(of_check, "all there are")));
  CHECK(mentions(parse(line, {"list", "-h"}).value_or(""), "Example:\n  program list"));
}

TEST_CASE("an option that does not exist is named, with the nearest that does") {
  CommandLine line("program", "");
  std::string stage, device, task;
  bool hint = false, version = false;
  line.options().flag("--version", version, "");
  const Options check = line.command("check", "", "");
  check.value("stage", stage, "").required();
  check.value("--device", device, "").one_of({"cpu", "gpu"});
  check.value("--task", task, "");
  check.flag("--hint", hint, "");
  const std::string device_was_meant = "There is no option --devcie. Did you mean --device?";
  CHECK(complaint(line, {"check", "2", "--devcie", "cpu"}) == device_was_meant);
  CHECK(complaint(line, {"check", "2", "--devcie=cpu"}) == device_was_meant);
  CHECK(complaint(line, {"check", "2", "cpu", "--devcie"}) == device_was_meant);
  CHECK(complaint(line, {"check", "--devcie"}) == device_was_meant);  // there is no stage, either
  CHECK(complaint(line, {"check", "2", "-device", "cpu"}) ==
        "There is no option -device. Did you mean --device?");
  CHECK(complaint(line, {"check", "2", "-t", "02.1"}) ==
        "There is no option -t. Did you mean --task?");
  CHECK(complaint(line, {"check", "2", "--hints"}) ==
        "There is no option --hints. Did you mean --hint?");
  CHECK(complaint(line, {"check", "2", "--cpu"}) ==
        "There is no option --cpu. Did you mean --device cpu?");
  CHECK(complaint(line, {"check", "2", "--turbo"}) == "There is no option --turbo.");
  CHECK(complaint(line, {"check", "2", "hint"}) ==
        "`hint` is one word too many. Did you mean --hint?");
  CHECK(complaint(line, {"--device", "cpu", "check", "2"}) ==
        "--device stands behind the command: check --device.");
  CHECK(line.commands_with("hint") == std::vector<std::string>{"check"});
  CHECK(line.commands_with("version").empty());
}

// SPDX-License-Identifier: MIT
// What the words of a command line may be: commands, flags, options and arguments. CLI11 parses
// them. Its header takes many seconds to compile, so command_line.cpp alone includes it.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace convkit {

// One flag, option or argument that was declared. Each function adds a rule and returns the same
// option, so that rules can be chained; parse() names the option whose rule is broken.
class Option {
 public:
  explicit Option(CLI::Option* option) : option_(option) {}

  Option required() const;
  Option one_of(const std::vector<std::string>& words) const;
  Option not_empty() const;
  Option positive() const;
  Option not_negative() const;
  // For int, int64_t and double.
  template <class Number>
  Option between(Number least, Number most) const;
  // Takes one value each time it is given, so that the word behind it can be an argument.
  Option one_value_each() const;
  // May be given without its value.
  Option value_optional() const;
  Option excludes(const Option& other) const;

  bool given() const;

 private:
  CLI::Option* option_;
};

// Declares the options of a program or of one command. The variables keep their values where an
// option is not given; they must live until parse() returns.
class Options {
 public:
  explicit Options(CLI::App* app) : app_(app) {}

  // `names`: "--json" or "-v,--verbose".
  Option flag(const std::string& names, bool& becomes_true, const std::string& help) const;
  // "--no-speed" makes a setting false.
  Option negative_flag(const std::string& names, bool& becomes_false,
                       const std::string& help) const;
  // An option or, if the name has no dashes, an argument. T is a string, a path, an int, an
  // unsigned, an int64_t, a double, or a vector of strings or paths, which takes several values.
  template <class T>
  Option value(const std::string& names, T& value, const std::string& help = "") const;

 private:
  CLI::App* app_;
};

class CommandLine {
 public:
  CommandLine(const std::string& program, const std::string& about, const std::string& footer = "");
  ~CommandLine();

  Options options() const;  // of the program itself
  // With a command declared, the line must name one.
  Options command(const std::string& name, const std::string& about, const std::string& footer);
  std::vector<std::string> commands() const;
  // Those that have this option (without its dashes), in the order in which they were declared.
  std::vector<std::string> commands_with(const std::string& option) const;

  // Sets the variables of all options that were given. Returns what is to be printed, where --help
  // was asked for. Throws UsageError with one sentence; an unknown option comes first, with the
  // nearest that there is.
  std::optional<std::string> parse(int argc, const char* const* argv);
  // The command of the last parse(), even if it threw, or "".
  std::string chosen_command() const;
  // The program's own options that the last parse() found, without dashes.
  std::set<std::string> given() const;

 private:
  std::unique_ptr<CLI::App> app_;
};

}  // namespace convkit

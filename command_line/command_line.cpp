// SPDX-License-Identifier: MIT
#include "command_line/command_line.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <functional>
#include <locale>
#include <sstream>

#include "convkit/kit_error.h"

namespace convkit {
namespace {

// The rule of a number. CLI11's own let NaN through, and name limits that nobody asked for.
template <class Allowed>
std::function<std::string(const std::string&)> must_be(const std::string& range, Allowed allowed) {
  return [=](const std::string& word) {
    const auto is_allowed = [&]<class Number>(bool (Allowed::*)(Number) const) {
      std::istringstream in(word);
      in.imbue(std::locale::classic());
      Number value{};
      return in >> value && in.peek() == std::istringstream::traits_type::eof() && allowed(value);
    };
    return is_allowed(&Allowed::operator()) ? std::string()
                                            : fmt::format("{} is not a number {}.", word, range);
  };
}

}  // namespace

Option Option::required() const {
  option_->required();
  return *this;
}
Option Option::one_of(const std::vector<std::string>& words) const {
  option_->check(CLI::IsMember(words));
  return *this;
}
Option Option::not_empty() const {
  option_->check([](const std::string& word) {
    return word.empty() ? std::string("an empty text is no value.") : std::string();
  });
  return *this;
}
Option Option::positive() const {
  option_->check(must_be("above 0", [](double value) { return value > 0; }));
  return *this;
}
Option Option::not_negative() const {
  option_->check(must_be("of 0 or more", [](double value) { return value >= 0; }));
  return *this;
}
template <class Number>
Option Option::between(Number least, Number most) const {
  option_->check(must_be(fmt::format("from {} to {}", least, most),
                         [=](Number value) { return least <= value && value <= most; }));
  return *this;
}
template Option Option::between(int, int) const;
template Option Option::between(int64_t, int64_t) const;
template Option Option::between(double, double) const;

Option Option::one_value_each() const {
  option_->allow_extra_args(false);
  return *this;
}
Option Option::value_optional() const {
  option_->expected(0, 1);
  return *this;
}
Option Option::excludes(const Option& other) const {
  option_->excludes(other.option_);
  return *this;
}
bool Option::given() const {
  return option_->count() > 0;
}

Option Options::flag(const std::string& names, bool& becomes_true, const std::string& help) const {
  return Option(app_->add_flag(names, becomes_true, help));
}
Option Options::negative_flag(const std::string& names, bool& becomes_false,
                              const std::string& help) const {
  return Option(app_->add_flag_callback(
      names, [&becomes_false] { becomes_false = false; }, help));
}
template <class T>
Option Options::value(const std::string& names, T& value, const std::string& help) const {
  return Option(app_->add_option(names, value, help));
}
template Option Options::value(const std::string&, std::string&, const std::string&) const;
template Option Options::value(const std::string&, std::filesystem::path&,
                               const std::string&) const;
template Option Options::value(const std::string&, int&, const std::string&) const;
template Option Options::value(const std::string&, unsigned&, const std::string&) const;
template Option Options::value(const std::string&, int64_t&, const std::string&) const;
template Option Options::value(const std::string&, double&, const std::string&) const;
template Option Options::value(const std::string&, std::vector<std::string>&,
                               const std::string&) const;
template Option Options::value(const std::string&, std::vector<std::filesystem::path>&,
                               const std::string&) const;

CommandLine::CommandLine(const std::string& program, const std::string& about,
                         const std::string& footer)
    : app_(std::make_unique<CLI::App>(about)) {
  if (!program.empty()) app_->name(program);
  app_->footer(footer);
}
CommandLine::~CommandLine() = default;

Options CommandLine::options() const {
  return Options(app_.get());
}

Options CommandLine::command(const std::string& name, const std::string& about,
                             const std::string& footer) {
  app_->require_subcommand(1);
  CLI::App* command = app_->add_subcommand(name, about);
  command->footer(footer);
  return Options(command);
}

std::vector<std::string> CommandLine::commands() const {
  std::vector<std::string> names;
  for (const CLI::App* command : app_->get_subcommands({})) names.push_back(command->get_name());
  return names;
}

std::optional<std::string> CommandLine::parse(int argc, const char* const* argv) {
  try {
    app_->parse(argc, argv);
    return std::nullopt;
  } catch (const CLI::CallForHelp&) {
    return app_->help();
  } catch (const CLI::ParseError& error) {
    throw UsageError(error.what());
  }
}

std::string CommandLine::chosen_command() const {
  const auto chosen = app_->get_subcommands();
  return chosen.empty() ? "" : chosen.front()->get_name();
}

std::set<std::string> CommandLine::given() const {
  std::set<std::string> names;
  for (const CLI::Option* option : app_->get_options()) {
    if (option->count() > 0) names.insert(option->get_single_name());
  }
  return names;
}

}  // namespace convkit

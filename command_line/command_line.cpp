// SPDX-License-Identifier: MIT
#include "command_line/command_line.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <functional>
#include <locale>
#include <span>
#include <sstream>

#include "convkit/kit_error.h"
#include "convkit/nearest.h"

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

std::vector<std::string> long_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    const std::vector<std::string>& more = option->get_lnames();
    names.insert(names.end(), more.begin(), more.end());
  }
  return names;
}

// "device cpu" for "cpu": an option that takes this word. Its rule is known by its text,
// "{cpu,gpu}".
std::vector<std::string> options_that_take(const std::string& word, const CLI::App& app) {
  std::vector<std::string> found;
  for (const CLI::Option* option : app.get_options()) {
    std::string rule = option->get_type_name();
    std::ranges::replace_if(
        rule, [](char ch) { return ch == '{' || ch == '}'; }, ',');
    const bool takes = rule.find("," + word + ",") != rule.npos && !option->get_lnames().empty();
    if (takes) found.push_back(option->get_lnames()[0] + " " + word);
  }
  return found;
}

// The options that may have been meant by this word, without their dashes.
std::vector<std::string> options_like(const std::string& word, const CLI::App& app) {
  if (const auto taking = options_that_take(word, app); !taking.empty()) return taking;
  const std::vector<std::string> names = long_names(app);
  std::vector<std::string> like;
  if (word.size() == 1) {
    std::ranges::copy_if(names, std::back_inserter(like),
                         [&](const std::string& name) { return name[0] == word[0]; });
  } else if (const std::string near = nearest(word, names); !near.empty()) {
    like = {near};
  } else {
    like = nearest_beginnings(word, names);
  }
  return like;
}

// A sentence for a word that `app` does not take.
std::string not_taken(std::string word, const CLI::App& app, const CLI::App* command) {
  word = word.substr(0, word.find('='));
  const size_t dashes = std::min(word.find_first_not_of('-'), word.size());
  const std::string name = word.substr(dashes);
  if (command && dashes > 0 && std::ranges::count(long_names(*command), name) > 0) {
    return fmt::format("{} stands behind the command: {} {}.", word, command->get_name(), word);
  }
  std::string sentence = dashes > 0 ? fmt::format("There is no option {}.", word)
                                    : fmt::format("`{}` is one word too many.", word);
  const std::vector<std::string> like = options_like(name, app);
  if (!like.empty()) sentence += fmt::format(" Did you mean --{}?", fmt::join(like, " or --"));
  return sentence;
}

// Options first, whose values are as little known; "" where every word is taken.
std::string first_not_taken(const CLI::App& app, std::span<const char* const> words) {
  const auto chosen = app.get_subcommands();
  const CLI::App* command = chosen.empty() ? nullptr : chosen.front();
  for (const bool with_dashes : {true, false}) {
    for (const std::string word : words) {
      if (word.starts_with('-') != with_dashes) continue;
      const auto leaves = [&](const CLI::App& some) {
        const std::vector<std::string> left = some.remaining();
        return std::ranges::find(left, word) != left.end();
      };
      if (leaves(app)) return not_taken(word, app, command);
      if (command && leaves(*command)) return not_taken(word, *command, nullptr);
    }
  }
  return "";
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

std::vector<std::string> CommandLine::commands_with(const std::string& option) const {
  std::vector<std::string> names;
  for (const CLI::App* command : app_->get_subcommands({})) {
    if (std::ranges::count(long_names(*command), option) > 0) names.push_back(command->get_name());
  }
  return names;
}

std::optional<std::string> CommandLine::parse(int argc, const char* const* argv) {
  try {
    app_->parse(argc, argv);
    return std::nullopt;
  } catch (const CLI::CallForHelp&) {
    return app_->help();
  } catch (const CLI::ParseError& error) {
    const std::string unknown =
        first_not_taken(*app_, std::span(argv, static_cast<size_t>(argc)).subspan(1));
    throw UsageError(unknown.empty() ? error.what() : unknown);
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

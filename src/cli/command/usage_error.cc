#include "cli/command/usage_error.h"

#include <CLI/CLI.hpp>
#include <string_view>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/nearest_name.h"
#include "cli/command/verb_tree.h"

namespace vernier {
namespace {

/// A verb and the words that lead to it.
struct FoundVerb {
  const CLI::App* app;
  std::string name;  ///< "vernier jobs list".
};

/// Follows the words as long as they are verbs.
FoundVerb FindVerb(const CLI::App& app, const std::vector<std::string>& words) {
  FoundVerb found{&app, app.get_name()};
  for (const std::string& word : words) {
    const CLI::App* next = VerbBelow(*found.app, word);
    if (next == nullptr) break;
    found = {next, absl::StrCat(found.name, " ", word)};
  }
  return found;
}

std::vector<std::string> FlagNames(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) {
      names.push_back("--" + name);
    }
    for (const std::string& name : option->get_snames()) {
      names.push_back("-" + name);
    }
  }
  return names;
}

std::string Nearest(const std::string& text,
                    const std::vector<std::string>& names) {
  return DidYouMean(text,
                    std::vector<std::string_view>(names.begin(), names.end()));
}

/// Returns the positional arguments of the verb: "JOB TRIAL".
std::string Positionals(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    if (!option->get_positional()) continue;
    const std::string name = option->get_name(true);
    names.push_back(option->get_required() ? name : "[" + name + "]");
  }
  return absl::StrJoin(names, " ");
}

/// Adds the verbs in `app` or below it that have the flag.
void VerbsWithFlag(const CLI::App& app, const std::string& name,
                   const std::string& flag, std::vector<std::string>* found) {
  for (const CLI::App* verb : app.get_subcommands(nullptr)) {
    const std::string whole = absl::StrCat(name, " ", verb->get_name());
    if (verb->get_option_no_throw(flag) != nullptr) found->push_back(whole);
    VerbsWithFlag(*verb, whole, flag, found);
  }
}

bool IsFlag(const std::string& word) {
  return word.size() > 1 && word.front() == '-';
}

/// As FindVerb, but from `found` on, and passes over flags and their values.
FoundVerb FindVerbAmong(FoundVerb found,
                        const std::vector<std::string>& words) {
  for (const std::string& word : words) {
    const CLI::App* next = VerbBelow(*found.app, word);
    if (next != nullptr) {
      found = {next, absl::StrCat(found.name, " ", word)};
    }
  }
  return found;
}

std::string UnknownFlag(const FoundVerb& verb, const std::string& word,
                        const std::vector<std::string>& words) {
  const std::string flag = word.substr(0, word.find('='));
  std::string message = absl::StrCat("unknown flag \"", flag, "\"",
                                     Nearest(flag, FlagNames(*verb.app)));
  const std::string belongs = "a flag follows its verb: ";
  const FoundVerb meant = FindVerbAmong(verb, words);
  if (meant.app != verb.app &&
      meant.app->get_option_no_throw(flag) != nullptr) {
    return absl::StrCat(belongs, meant.name, " ", flag);
  }
  std::vector<std::string> elsewhere;
  VerbsWithFlag(*verb.app, verb.name, flag, &elsewhere);
  if (elsewhere.empty()) return message;
  return absl::StrCat(belongs, elsewhere.front(), " ", flag);
}

std::string Unexpected(const FoundVerb& verb,
                       const std::vector<std::string>& extra,
                       const std::vector<std::string>& words) {
  const std::string first = extra.empty() ? "" : extra.front();
  const std::string& name = verb.app->get_name();
  const bool runs = name == "run" || name == "train" || name == "training";
  if (runs && !IsFlag(first)) {
    return absl::StrCat("unexpected \"", first,
                        "\"; what is run, or passed on, stands after --: ",
                        verb.name, " ... -- ", absl::StrJoin(extra, " "));
  }
  for (const std::string& word : extra) {
    if (IsFlag(word)) return UnknownFlag(verb, word, words);
  }
  const std::string takes = Positionals(*verb.app);
  return absl::StrCat("unexpected \"", first, "\"; ", verb.name, " takes ",
                      takes.empty() ? "flags only" : takes);
}

std::string NotOfType(const FoundVerb& verb, const std::string& name,
                      const std::string& value) {
  const CLI::Option* option = verb.app->get_option_no_throw(name);
  const std::string type = option == nullptr ? "" : option->get_type_name();
  const bool is_number = type.rfind("FLOAT", 0) == 0;
  return absl::StrCat(
      name, " must be ",
      is_number ? "a number" : "a whole number, and not too large", ": \"",
      value, "\"");
}

/// Rewrites CLI11's message "--limit = abc".
std::string NotConverted(const FoundVerb& verb, const std::string& what) {
  constexpr std::string_view kIs = " = ";
  const std::size_t at = what.find(kIs);
  if (at == std::string::npos) return what;
  return NotOfType(verb, what.substr(0, at), what.substr(at + kIs.size()));
}

/// Rewrites CLI11's message "abc not in range 1 to 9".
std::string NotInRange(const FoundVerb& verb, const std::string& name,
                       const std::string& what) {
  constexpr std::string_view kNotIn = " not in range ";
  const std::size_t at = what.find(kNotIn);
  if (at == std::string::npos) return absl::StrCat(name, ": ", what);
  const std::string value = what.substr(0, at);
  double number = 0;
  if (!absl::SimpleAtod(value, &number)) return NotOfType(verb, name, value);
  // A bound with this many digits is the largest number, which means no bound.
  constexpr std::size_t kManyDigits = 100;
  const std::string range = what.substr(at + kNotIn.size());
  return absl::StrCat(
      name, " must be ",
      range.size() > kManyDigits ? ">= 0" : absl::StrCat("from ", range), ": ",
      value);
}

std::string Explain(const FoundVerb& verb, const CLI::App& app,
                    const CLI::ParseError& error,
                    const std::vector<std::string>& words) {
  const std::string what = error.what();
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) {
    return Unexpected(verb, app.remaining(true), words);
  }
  if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr) {
    // The flag that seems to be missing may be there under a misspelt name.
    for (const std::string& word : app.remaining(true)) {
      if (IsFlag(word)) return UnknownFlag(verb, word, words);
    }
    const std::vector<std::string> verbs = VerbNames(*verb.app);
    if (!verbs.empty()) {
      return absl::StrCat(verb.name,
                          " needs a verb: ", absl::StrJoin(verbs, ", "));
    }
    return absl::StrCat(what, ": ", verb.name, " ", Positionals(*verb.app));
  }
  constexpr std::string_view kConvert = "Could not convert: ";
  if (what.rfind(kConvert, 0) == 0) {
    return NotConverted(verb, what.substr(kConvert.size()));
  }
  constexpr std::string_view kValue = ": Value ";
  if (const std::size_t at = what.find(kValue); at != std::string::npos) {
    return NotInRange(verb, what.substr(0, at),
                      what.substr(at + kValue.size()));
  }
  if (const std::size_t at = what.find(": 1 required ");
      at != std::string::npos) {
    return absl::StrCat(what.substr(0, at), " needs a value after it");
  }
  return what;
}

}  // namespace

std::string UnknownVerb(const CLI::App& app,
                        const std::vector<std::string>& words) {
  const CLI::App* here = &app;
  for (const std::string& word : words) {
    const std::vector<std::string> names = VerbNames(*here);
    if (names.empty() || word.empty() || word.front() == '-') return "";
    const CLI::App* next = VerbBelow(*here, word);
    if (next == nullptr) {
      return absl::StrCat("unknown verb \"", word, "\"", Nearest(word, names),
                          "; there are ", absl::StrJoin(names, ", "));
    }
    here = next;
  }
  return "";
}

std::string ExplainUsageError(const CLI::App& app, const CLI::ParseError& error,
                              const std::vector<std::string>& words) {
  const std::string unknown = UnknownVerb(app, words);
  if (!unknown.empty()) return unknown;
  const FoundVerb verb = FindVerb(app, words);
  return absl::StrCat(Explain(verb, app, error, words), "; see ", verb.name,
                      " --help");
}

std::string HelpOf(const CLI::App& app, const std::vector<std::string>& words) {
  const FoundVerb verb = FindVerb(app, words);
  if (!UnknownVerb(app, words).empty()) return "";
  return app.get_formatter()->make_help(verb.app, verb.name,
                                        CLI::AppFormatMode::Normal);
}

}  // namespace vernier

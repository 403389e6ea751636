#include "cli/command/completion.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "base/json.h"
#include "cli/command/verb_tree.h"
#include "cli/display/study_tables.h"

namespace vernier {
namespace {

constexpr char kBash[] = R"bash(# bash completion for vernier:
#   source <(vernier completion bash)
_vernier() {
  local IFS=$'\n'
  COMPREPLY=($(vernier __complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
  if [[ ${#COMPREPLY[@]} -eq 0 ]]; then
    # Only these are names of files: a job may be called as a folder is.
    compopt -o filenames 2>/dev/null
    COMPREPLY=($(compgen -f -- "${COMP_WORDS[COMP_CWORD]}"))
  fi
}
complete -F _vernier vernier
)bash";

// clang-format off
constexpr char kZsh[] = R"zsh(#compdef vernier
# zsh completion for vernier:
#   source <(vernier completion zsh)
_vernier() {
  local -a candidates
  candidates=("${(@f)$(vernier __complete "${(@)words[2,CURRENT]}" 2>/dev/null)}")
  candidates=(${candidates:#})
  if (( ${#candidates} )); then
    compadd -a candidates
  else
    _files
  fi
}
compdef _vernier vernier
)zsh";
// clang-format on

/// The position of the last of some words on the command line.
struct Place {
  const CLI::App* verb = nullptr;
  const CLI::Option* flag = nullptr;  ///< Whose value it is, or null.
  int arguments = 0;                  ///< Before it, besides flags.
  bool is_program = false;            ///< It follows "--".
};

Place PlaceOf(const CLI::App& app, const std::vector<std::string>& words) {
  Place place{&app, nullptr, 0, false};
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    const std::string& word = words[i];
    if (word == "--") place.is_program = true;
    if (place.flag != nullptr) {
      place.flag = nullptr;
    } else if (absl::StartsWith(word, "-")) {
      const CLI::Option* option = place.verb->get_option_no_throw(word);
      const bool takes_value = option != nullptr && option->get_type_size() > 0;
      place.flag = takes_value ? option : nullptr;
    } else if (const CLI::App* verb = VerbBelow(*place.verb, word)) {
      place.verb = verb;
    } else {
      ++place.arguments;
    }
  }
  return place;
}

}  // namespace

std::vector<std::string> Completions(const CLI::App& app,
                                     const std::vector<std::string>& words) {
  const Place place = PlaceOf(app, words);
  if (place.is_program) return {};
  const std::string prefix = words.empty() ? "" : words.back();
  std::vector<std::string> candidates;
  if (place.flag != nullptr) {
    if (place.flag->check_lname("format")) {
      candidates = {"csv", "json", "table", "yaml"};
    }
  } else if (absl::StartsWith(prefix, "-")) {
    for (const CLI::Option* option : place.verb->get_options()) {
      if (option->get_group().empty()) continue;
      for (const std::string& name : option->get_lnames()) {
        candidates.push_back("--" + name);
      }
    }
  } else {
    candidates = VerbNames(*place.verb);
  }
  std::vector<std::string> found;
  for (const std::string& candidate : candidates) {
    if (absl::StartsWith(candidate, prefix)) found.push_back(candidate);
  }
  std::sort(found.begin(), found.end());
  return found;
}

bool WantsJobName(const CLI::App& app, const std::vector<std::string>& words) {
  const Place place = PlaceOf(app, words);
  if (place.is_program || place.arguments > 0 || words.empty() ||
      absl::StartsWith(words.back(), "-")) {
    return false;
  }
  if (place.flag != nullptr) return place.flag->check_lname("name");
  for (const CLI::Option* option : place.verb->get_options()) {
    if (!option->get_positional()) continue;
    const std::string name = option->get_name(true);
    return name == "JOB" || name == "STUDY";
  }
  return false;
}

bool TakesStudyName(const CLI::App& app,
                    const std::vector<std::string>& words) {
  const Place place = PlaceOf(app, words);
  if (place.flag != nullptr || !WantsJobName(app, words)) return false;
  const CLI::App* const parent = place.verb->get_parent();
  return place.verb->get_name() != "logs" &&
         (parent == nullptr || parent->get_name() != "jobs");
}

std::vector<std::string> StudyNames(const std::string& answer,
                                    const std::vector<std::string>& jobs) {
  const absl::StatusOr<Json> document = ParseJson(answer);
  std::vector<std::string> names;
  if (!document.ok() || !document->is_object()) return names;
  std::map<std::string, int> uses;
  for (const std::string& job : jobs) ++uses[job];
  for (const Json& study : document->value("studies", Json::array())) {
    if (!study.value("runByClients", false)) continue;
    names.push_back(study.value("name", ""));
    ++uses[ShortStudyName(names.back())];
  }
  for (std::string& name : names) {
    const std::string shorter = ShortStudyName(name);
    if (uses[shorter] == 1) name = shorter;
  }
  return names;
}

absl::StatusOr<std::string> CompletionScript(const std::string& shell) {
  if (shell == "bash") return std::string(kBash);
  if (shell == "zsh") return std::string(kZsh);
  return absl::InvalidArgumentError(
      absl::StrCat("completion is for bash or zsh: \"", shell, "\""));
}

}  // namespace vernier

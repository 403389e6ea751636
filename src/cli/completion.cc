#include "cli/completion.h"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"

namespace vernier {
namespace {

constexpr char kBash[] = R"bash(# bash completion for vernier:
#   source <(vernier completion bash)
_vernier() {
  local IFS=$'\n'
  COMPREPLY=($(vernier __complete "${COMP_WORDS[@]:1:COMP_CWORD}"))
  if [[ ${#COMPREPLY[@]} -eq 0 ]]; then
    COMPREPLY=($(compgen -f -- "${COMP_WORDS[COMP_CWORD]}"))
  fi
}
complete -o filenames -F _vernier vernier
)bash";

constexpr char kZsh[] = R"zsh(#compdef vernier
# zsh completion for vernier:
#   source <(vernier completion zsh)
_vernier() {
  local -a candidates
  candidates=(${(f)" $(vernier __complete "${(@)words[2,CURRENT]}") "})
    if ((${#candidates}));
then compadd - a candidates else _files fi
}
compdef _vernier vernier
)zsh";

const CLI::App* FindVerb(const CLI::App& app, const std::string& name) {
  for (const CLI::App* verb : app.get_subcommands(nullptr)) {
    if (verb->get_name() == name) return verb;
  }
  return nullptr;
}

}  // namespace

std::vector<std::string> Completions(const CLI::App& app,
                                     const std::vector<std::string>& words) {
  const CLI::App* here = &app;
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    if (words[i] == "--") return {};
    if (const CLI::App* verb = FindVerb(*here, words[i])) here = verb;
  }
  const std::string prefix = words.empty() ? "" : words.back();
  std::vector<std::string> found;
  for (const CLI::App* verb : here->get_subcommands(nullptr)) {
    // Verbs for machines have no group.
    if (!verb->get_group().empty() &&
        absl::StartsWith(verb->get_name(), prefix)) {
      found.push_back(verb->get_name());
    }
  }
  if (absl::StartsWith(prefix, "-")) {
    for (const CLI::Option* option : here->get_options()) {
      if (option->get_group().empty()) continue;
      for (const std::string& name : option->get_lnames()) {
        const std::string flag = "--" + name;
        if (absl::StartsWith(flag, prefix)) found.push_back(flag);
      }
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

absl::StatusOr<std::string> CompletionScript(const std::string& shell) {
  if (shell == "bash") return std::string(kBash);
  if (shell == "zsh") return std::string(kZsh);
  return absl::InvalidArgumentError(
      absl::StrCat("completion is for bash or zsh: \"", shell, "\""));
}

}  // namespace vernier

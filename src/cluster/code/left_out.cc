#include "cluster/code/left_out.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/shown_text.h"
#include "cluster/code/output_folders.h"

namespace vernier {
namespace {

constexpr std::array<std::string_view, 3> kVersionControl = {".git", ".hg",
                                                             ".svn"};
constexpr std::array<std::string_view, 9> kCaches = {
    "__pycache__", ".mypy_cache",   ".tox",
    ".nox",        ".pytest_cache", ".ipynb_checkpoints",
    ".ruff_cache", ".hypothesis",   ".pytype",
};
constexpr std::size_t kMostNames = 5;  // Of one reason, in a message.

template <std::size_t size>
bool Has(const std::array<std::string_view, size>& names,
         std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// Caches occur in every folder and have few names, so only their names are
// shown.
std::string ShownName(const LeftOut& one) {
  const bool has_fixed_name =
      one.why == LeftOutWhy::kCache || one.why == LeftOutWhy::kVersionControl;
  std::string name =
      has_fixed_name ? one.path.substr(one.path.rfind('/') + 1) : one.path;
  if (one.kind == EntryKind::kFolder) name += '/';
  return ShowText(name);
}

std::string NamesText(const std::vector<std::string>& names) {
  const std::size_t shown = std::min(names.size(), kMostNames);
  std::string text = absl::StrJoin(
      names.begin(), names.begin() + static_cast<std::ptrdiff_t>(shown), ", ");
  if (shown < names.size()) {
    absl::StrAppend(&text, " and ", names.size() - shown, " more");
  }
  return text;
}

}  // namespace

std::optional<LeftOutWhy> NeverCopied(std::string_view path, EntryKind kind) {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  if (Has(kVersionControl, name)) return LeftOutWhy::kVersionControl;
  if (Has(kCaches, name)) return LeftOutWhy::kCache;
  if (name == ".venv") return LeftOutWhy::kEnvironment;
  if (kind == EntryKind::kFolder && path == name && IsOutputName(name)) {
    return LeftOutWhy::kOutputs;
  }
  return std::nullopt;
}

bool IsEnvironmentFolder(int folder_fd, const std::string& name) {
  for (const char* mark : {"/pyvenv.cfg", "/conda-meta/history"}) {
    if (::faccessat(folder_fd, (name + mark).c_str(), F_OK, 0) == 0) {
      return true;
    }
  }
  return false;
}

std::string_view ReasonText(LeftOutWhy why) {
  switch (why) {
    case LeftOutWhy::kVersionControl:
      return "version control";
    case LeftOutWhy::kCache:
      return "caches";
    case LeftOutWhy::kEnvironment:
      return "virtual environments";
    case LeftOutWhy::kOutputs:
      return "outputs of earlier runs";
    case LeftOutWhy::kIgnored:
      break;
  }
  return "what .vernierignore names";
}

std::string WhyText(const LeftOut& one) {
  if (one.why == LeftOutWhy::kIgnored) {
    return absl::StrCat("because of ", one.line);
  }
  return absl::StrCat("since ", std::string(ReasonText(one.why)), " never are");
}

std::string LeftOutText(const std::vector<LeftOut>& list, std::size_t count) {
  std::map<LeftOutWhy, std::vector<std::string>> names;
  for (const LeftOut& one : list) {
    std::vector<std::string>& all = names[one.why];
    std::string name = ShownName(one);
    if (std::find(all.begin(), all.end(), name) == all.end()) {
      all.push_back(std::move(name));
    }
  }
  std::vector<std::string> parts;
  for (auto& [why, all] : names) {
    // Folders are read by several threads, in any order.
    std::sort(all.begin(), all.end());
    parts.push_back(
        absl::StrCat(std::string(ReasonText(why)), " (", NamesText(all), ")"));
  }
  if (parts.empty()) return "";
  std::string text = "not copied with the code: " + absl::StrJoin(parts, ", ");
  if (count > list.size()) absl::StrAppend(&text, "; ", count, " in all");
  return text;
}

}  // namespace vernier

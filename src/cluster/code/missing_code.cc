#include "cluster/code/missing_code.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <system_error>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "base/unique_fd.h"
#include "cluster/code/ignore_rules.h"

namespace vernier {
namespace {

// The log is searched for the messages of Python, shells and C programs about
// missing files and modules. A name counts only if it exists in the code folder
// but not in the copy and something left it out (FindLeftOut); any other
// missing file is the program's own affair.

namespace fs = std::filesystem;

constexpr std::size_t kMostMissing = 20;
constexpr std::size_t kLongestName = 1024;

// Adds the text after `begin` in `line` up to the next `end`.
void AddBetween(std::string_view line, std::string_view begin, char end,
                std::vector<std::string>* found) {
  const std::size_t at = line.find(begin);
  if (at == std::string_view::npos) return;
  const std::string_view rest = line.substr(at + begin.size());
  const std::string_view name = rest.substr(0, rest.find(end));
  if (name.empty() || name.size() > kLongestName) return;
  found->emplace_back(name);
}

// Adds the words before ": No such file or directory", by which shells and C
// programs name a file: "cat: data/x: No such file or directory".
void AddBefore(std::string_view line, std::vector<std::string>* found) {
  constexpr std::string_view kWords = ": No such file or directory";
  const std::size_t end = line.find(kWords);
  if (end == std::string_view::npos) return;
  std::string_view name = line.substr(0, end);
  const std::size_t colon = name.rfind(": ");
  if (colon != std::string_view::npos) name = name.substr(colon + 2);
  for (const char quote : {'\'', '"'}) {
    if (name.size() > 1 && name.front() == quote && name.back() == quote) {
      name = name.substr(1, name.size() - 2);
    }
  }
  if (!name.empty() && name.size() <= kLongestName) found->emplace_back(name);
}

void AddModules(std::string_view line, std::vector<std::string>* found) {
  std::vector<std::string> names;
  AddBetween(line, "No module named '", '\'', &names);
  for (const std::string& name : names) {
    const std::string path = absl::StrReplaceAll(name, {{".", "/"}});
    found->push_back(path + ".py");
    found->push_back(path);
    const std::string first = path.substr(0, path.find('/'));
    if (first == path) continue;
    found->push_back(first + ".py");
    found->push_back(first);
  }
}

// Returns `path` relative to the code folder; nullopt if it is not below it.
std::optional<std::string> BelowCode(const std::string& path,
                                     const std::vector<std::string>& roots) {
  fs::path relative = fs::path(path).lexically_normal();
  if (relative.is_absolute()) {
    for (const std::string& root : roots) {
      const fs::path inside = relative.lexically_relative(root);
      if (!inside.empty() && *inside.begin() != ".." && inside != ".") {
        return inside.string();
      }
    }
    return std::nullopt;
  }
  if (relative.empty() || relative == "." || *relative.begin() == "..") {
    return std::nullopt;
  }
  return relative.string();
}

bool Exists(const std::string& path) {
  struct stat info;
  return ::lstat(path.c_str(), &info) == 0;
}

}  // namespace

std::vector<std::string> MissingIn(std::string_view log) {
  std::vector<std::string> found;
  const std::vector<std::string> lines =
      absl::StrSplit(std::string(log), '\n', absl::SkipEmpty());
  for (auto line = lines.rbegin();
       line != lines.rend() && found.size() < kMostMissing; ++line) {
    AddBetween(*line, "No such file or directory: '", '\'', &found);
    AddBetween(*line, "No such file or directory: \"", '"', &found);
    AddBetween(*line, "can't open file '", '\'', &found);
    AddModules(*line, &found);
    AddBefore(*line, &found);
  }
  return found;
}

std::optional<LeftOut> FindLeftOut(const std::string& source,
                                   const std::string& path) {
  IgnoreRules::Ptr rules;
  std::string folder;  // Relative to `source`.
  const std::vector<std::string> names =
      absl::StrSplit(path, '/', absl::SkipEmpty());
  for (const std::string& name : names) {
    const std::string full =
        folder.empty() ? source : absl::StrCat(source, "/", folder);
    const UniqueFd fd(::open(full.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    struct stat info;
    if (!fd.is_open() ||
        ::fstatat(fd.get(), name.c_str(), &info, AT_SYMLINK_NOFOLLOW) != 0) {
      return std::nullopt;
    }
    const auto read = IgnoreRules::ReadIn(fd.get(), full, folder, rules);
    if (read.ok()) rules = *read;
    absl::StrAppend(&folder, folder.empty() ? "" : "/", name);
    const EntryKind kind =
        S_ISDIR(info.st_mode) ? EntryKind::kFolder : EntryKind::kOther;
    if (const auto why = NeverCopied(folder, kind)) {
      return LeftOut{folder, kind, *why};
    }
    if (kind == EntryKind::kFolder && IsEnvironmentFolder(fd.get(), name)) {
      return LeftOut{folder, kind, LeftOutWhy::kEnvironment};
    }
    const IgnoreLine* const line =
        rules == nullptr ? nullptr : rules->LeavesOut(folder, kind);
    if (line != nullptr) {
      return LeftOut{folder, kind, LeftOutWhy::kIgnored,
                     absl::StrCat("line ", line->number, " of ", line->file)};
    }
    // The target of a link is not left out.
    if (kind != EntryKind::kFolder) return std::nullopt;
  }
  return std::nullopt;
}

std::string MissingCodeText(std::string_view log, const std::string& source,
                            const std::string& copy,
                            const std::string& work_dir) {
  for (const std::string& missing : MissingIn(log)) {
    const auto path = BelowCode(missing, {work_dir, copy, source});
    if (!path.has_value() || Exists(absl::StrCat(copy, "/", *path)) ||
        !Exists(absl::StrCat(source, "/", *path))) {
      continue;
    }
    const auto left_out = FindLeftOut(source, *path);
    if (!left_out.has_value()) continue;
    return absl::StrCat(
        *path, " lies in ", source, ", but was not copied with the code, ",
        WhyText(*left_out),
        ". Give the program its full path, or run it where its code is "
        "(vernier run --no-copy).");
  }
  return "";
}

}  // namespace vernier

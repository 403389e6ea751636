#include "cluster/code/ignore_rules.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/regular_file.h"

namespace vernier {
namespace {

constexpr char kByteOrderMark[] = "\xef\xbb\xbf";

std::string Below(const std::string& folder, const std::string& name) {
  return folder.empty() ? name : absl::StrCat(folder, "/", name);
}

// Reads at most one byte more than the limit, so that the caller sees if there
// is more.
absl::StatusOr<std::string> ReadText(int fd, const std::string& path) {
  std::string text(kMaxIgnoreBytes + 1, '\0');
  std::size_t size = 0;
  while (size < text.size()) {
    const ssize_t n = ::read(fd, text.data() + size, text.size() - size);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return absl::ErrnoToStatus(errno, "cannot read " + path);
    if (n == 0) break;
    size += static_cast<std::size_t>(n);
  }
  text.resize(size);
  return text;
}

}  // namespace

absl::StatusOr<IgnoreRules::Ptr> IgnoreRules::Parse(const std::string& text,
                                                    const std::string& folder,
                                                    Ptr above) {
  const std::string file = Below(folder, kIgnoreFile);
  auto rules = std::make_shared<IgnoreRules>();
  rules->skip_ = folder.empty() ? 0 : folder.size() + 1;
  rules->above_ = std::move(above);
  int number = 0;
  const std::size_t begin =
      absl::StartsWith(text, kByteOrderMark) ? sizeof(kByteOrderMark) - 1 : 0;
  const std::vector<std::string> lines =
      absl::StrSplit(text.substr(begin), '\n');
  for (const std::string& line : lines) {
    ++number;
    auto pattern = IgnorePattern::Parse(line);
    if (!pattern.has_value()) continue;
    if (rules->lines_.size() == kMaxIgnorePatterns) {
      return absl::ResourceExhaustedError(absl::StrCat(
          file, " may have ", kMaxIgnorePatterns, " patterns: line ", number));
    }
    rules->lines_.push_back({file, number, line, *std::move(pattern)});
  }
  return rules;
}

absl::StatusOr<IgnoreRules::Ptr> IgnoreRules::ReadIn(int fd,
                                                     const std::string& path,
                                                     const std::string& folder,
                                                     Ptr above) {
  const std::string file = absl::StrCat(path, "/", kIgnoreFile);
  // It may be a link, e.g. to the .gitignore beside it.
  const RegularFile opened = OpenRegularFile(fd, kIgnoreFile, O_RDONLY);
  if (opened.error == ENOENT) return above;
  if (opened.is_other_kind) {
    return absl::InvalidArgumentError(file + " must be a regular file");
  }
  if (!opened.fd.is_open()) {
    return absl::ErrnoToStatus(opened.error, "cannot read " + file);
  }
  absl::StatusOr<std::string> text = ReadText(opened.fd.get(), file);
  if (!text.ok()) return text.status();
  if (text->size() > kMaxIgnoreBytes) {
    return absl::ResourceExhaustedError(
        absl::StrCat(file, " may have ", kMaxIgnoreBytes, " bytes"));
  }
  return Parse(*text, folder, std::move(above));
}

const IgnoreLine* IgnoreRules::LeavesOut(std::string_view path,
                                         EntryKind kind) const {
  for (const IgnoreRules* rules = this; rules != nullptr;
       rules = rules->above_.get()) {
    const std::string_view own = path.substr(rules->skip_);
    for (auto line = rules->lines_.rbegin(); line != rules->lines_.rend();
         ++line) {
      if (!line->pattern.Matches(own, kind)) continue;
      return line->pattern.is_negated() ? nullptr : &*line;
    }
  }
  return nullptr;
}

}  // namespace vernier

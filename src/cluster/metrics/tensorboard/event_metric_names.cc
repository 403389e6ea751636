#include "cluster/metrics/tensorboard/event_metric_names.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <optional>

#include "absl/strings/ascii.h"
#include "base/whole_number.h"
#include "study/measurement.h"

namespace vernier {
namespace {

constexpr std::size_t kMaxNames = 16;

struct KindWord {
  std::string_view word;
  EventFolderKind kind;
};

constexpr KindWord kKindWords[] = {
    {"train", EventFolderKind::kTraining},
    {"training", EventFolderKind::kTraining},
    {"learn", EventFolderKind::kTraining},
    {"test", EventFolderKind::kTest},
    {"testing", EventFolderKind::kTest},
    {"validation", EventFolderKind::kValidation},
    {"val", EventFolderKind::kValidation},
    {"valid", EventFolderKind::kValidation},
    {"eval", EventFolderKind::kValidation},
    {"evaluation", EventFolderKind::kValidation},
    {"dev", EventFolderKind::kValidation},
};

EventFolderKind KindOfWord(std::string_view word) {
  const auto* found =
      std::find_if(std::begin(kKindWords), std::end(kKindWords),
                   [&](const KindWord& one) { return one.word == word; });
  return found == std::end(kKindWords) ? EventFolderKind::kUndecided
                                       : found->kind;
}

// Estimators write to "eval_NAME", torch's add_scalars to "TAG_train".
EventFolderKind KindOfPart(std::string_view part) {
  const std::string lower = absl::AsciiStrToLower(std::string(part));
  if (lower.starts_with("eval_") || lower.starts_with("eval-")) {
    return EventFolderKind::kValidation;
  }
  // If there is no such character, this is all of the part.
  return KindOfWord(
      std::string_view(lower).substr(lower.find_last_of("_-") + 1));
}

std::int64_t VersionOfPart(std::string_view part) {
  constexpr std::string_view kPrefix = "version_";
  if (!part.starts_with(kPrefix)) return 0;
  return std::max<std::int64_t>(
      0, ParseWholeNumber(part.substr(kPrefix.size())).value_or(0));
}

std::vector<std::string_view> PartsOf(std::string_view folder) {
  std::vector<std::string_view> parts;
  while (!folder.empty()) {
    const std::size_t end = std::min(folder.find('/'), folder.size());
    const std::string_view part = folder.substr(0, end);
    if (!part.empty() && part != ".") parts.push_back(part);
    folder.remove_prefix(std::min(end + 1, folder.size()));
  }
  return parts;
}

}  // namespace

std::int64_t FolderVersion(std::string_view folder) {
  std::int64_t version = 0;
  for (const std::string_view part : PartsOf(folder)) {
    const std::int64_t stated = VersionOfPart(part);
    if (stated != 0) version = stated;
  }
  return version;
}

std::vector<EventMetricName> EventMetricNames(std::string_view folder,
                                              std::string_view tag) {
  const std::vector<std::string_view> parts = PartsOf(folder);
  EventSeriesRank rank;
  rank.version = FolderVersion(folder);
  std::size_t shown = 0;  // Parts below which the series is listed.
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const EventFolderKind kind = KindOfPart(parts[i]);
    if (kind != EventFolderKind::kUndecided) {
      rank.kind = kind;
      shown = parts.size() - i;
    }
  }
  std::vector<EventMetricName> names;
  std::string name(tag);
  for (std::size_t used = 0; names.size() < kMaxNames; ++used) {
    if (name.size() > kMaxMetricName) break;
    names.push_back({name, rank});
    if (used == shown) std::rotate(names.begin(), names.end() - 1, names.end());
    if (used == parts.size()) break;
    rank.is_tag = false;
    name.insert(0, std::string(parts[parts.size() - used - 1]) + "/");
  }
  return names;
}

}  // namespace vernier

#include "cluster/code/shared_code.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <queue>
#include <tuple>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/shown_text.h"
#include "trials/submission/output_count.h"

namespace vernier {
namespace {

// The code is arranged as a tree with sizes summed up for each folder. For each
// limit in turn, the largest entry is taken away until the rest is within the
// limit. The choice goes down into a folder as long as one of its entries has
// at least half of it, so that as little as possible is shared.

constexpr std::size_t kMostNamed = 5;

// The numbers of bytes, files and folders, each of which has a limit.
using Sizes = std::array<std::int64_t, 3>;
enum SizeKind : std::size_t { kByBytes, kByFiles, kByFolders };

/// The code as a tree, from which entries are taken away.
class CodeTree {
 public:
  explicit CodeTree(const CodeSurvey& survey) {
    nodes_.push_back({"", EntryKind::kFolder, 0, {}, {}});
    std::map<std::string, std::size_t> folders = {{"", 0}};
    const auto add = [&](const std::string& path, EntryKind kind, Sizes sizes) {
      const std::size_t slash = path.rfind('/');
      const auto parent =
          folders.find(slash == std::string::npos ? "" : path.substr(0, slash));
      if (parent == folders.end()) return;
      const std::size_t index = nodes_.size();
      nodes_.push_back({path, kind, parent->second, {}, {}});
      nodes_[parent->second].inside.push_back(index);
      if (kind == EntryKind::kFolder) folders[path] = index;
      AddAbove(index, sizes, +1);
    };
    for (const std::string& path : survey.folders) {
      add(path, EntryKind::kFolder, {0, 0, 1});
    }
    for (const CodeSurvey::File& file : survey.files) {
      add(file.path, EntryKind::kOther, {file.bytes, 1, 0});
    }
    for (const CodeSurvey::Link& link : survey.links) {
      add(link.path, EntryKind::kOther, {0, 1, 0});
    }
  }

  /// Takes the largest entries away until the rest is within `limit`.
  void Take(SizeKind measure, std::int64_t limit,
            std::vector<SharedEntry>* taken) {
    const auto is_smaller = [&](std::size_t a, std::size_t b) {
      const Node& left = nodes_[a];
      const Node& right = nodes_[b];
      return std::tie(left.sizes[measure], left.sizes[kByBytes], right.path) <
             std::tie(right.sizes[measure], right.sizes[kByBytes], left.path);
    };
    std::priority_queue<std::size_t, std::vector<std::size_t>,
                        decltype(is_smaller)>
        largest(is_smaller);
    const auto open = [&](const Node& folder) {
      for (const std::size_t each : folder.inside) {
        if (!nodes_[each].is_taken) largest.push(each);
      }
    };
    open(nodes_[0]);
    while (nodes_[0].sizes[measure] > limit && !largest.empty()) {
      const std::size_t index = largest.top();
      largest.pop();
      const Node& node = nodes_[index];
      if (HasLargeHalf(node, measure)) {
        open(node);
      } else {
        taken->push_back({node.path,
                          node.kind,
                          {node.sizes[kByFiles], node.sizes[kByBytes]}});
        nodes_[index].is_taken = true;
        AddAbove(index, Sizes(node.sizes), -1);
      }
    }
  }

 private:
  struct Node {
    std::string path;
    EntryKind kind;
    std::size_t parent;
    std::vector<std::size_t> inside;
    Sizes sizes;  // With all that lies in it and was not taken.
    bool is_taken = false;
  };

  // Adds to an entry and to all folders above it.
  void AddAbove(std::size_t index, const Sizes& sizes, std::int64_t sign) {
    while (true) {
      for (std::size_t i = 0; i < sizes.size(); ++i) {
        nodes_[index].sizes[i] += sign * sizes[i];
      }
      if (index == 0) return;
      index = nodes_[index].parent;
    }
  }

  bool HasLargeHalf(const Node& node, SizeKind measure) const {
    return std::any_of(node.inside.begin(), node.inside.end(),
                       [&](std::size_t each) {
                         const Node& inner = nodes_[each];
                         return !inner.is_taken && inner.sizes[measure] > 0 &&
                                2 * inner.sizes[measure] >= node.sizes[measure];
                       });
  }

  std::vector<Node> nodes_;  // The first is the code folder itself.
};

std::string NamedEntry(const SharedEntry& entry) {
  return entry.kind == EntryKind::kFolder
             ? absl::StrCat(ShowText(entry.path), "/ (",
                            AmountText(entry.amount), ")")
             : absl::StrCat(ShowText(entry.path), " (",
                            ByteSizeText(entry.amount.bytes), ")");
}

}  // namespace

std::vector<SharedEntry> SharedEntries(const CodeSurvey& survey,
                                       const OwnCodeLimits& limits) {
  std::vector<SharedEntry> taken;
  // Most code is small, so no tree is needed.
  if (survey.size.bytes <= limits.max_bytes &&
      survey.size.files <= limits.max_files &&
      std::ssize(survey.folders) <= limits.max_folders) {
    return taken;
  }
  CodeTree tree(survey);
  tree.Take(kByBytes, limits.max_bytes, &taken);
  tree.Take(kByFiles, limits.max_files, &taken);
  tree.Take(kByFolders, limits.max_folders, &taken);
  return taken;
}

std::string SharedCodeNote(const std::vector<SharedEntry>& shared) {
  if (shared.empty()) return "";
  std::vector<std::string> names;
  for (const SharedEntry& entry : shared) {
    if (names.size() == kMostNamed) break;
    names.push_back(NamedEntry(entry));
  }
  if (shared.size() > names.size()) {
    names.push_back(absl::StrCat(shared.size() - names.size(), " more"));
  }
  const std::string last = std::move(names.back());
  names.pop_back();
  return absl::StrCat(
      absl::StrJoin(names, ", "), names.empty() ? "" : " and ", last,
      names.empty() ? " is" : " are",
      " shared by all trials, since the code is too large to be copied for "
      "each: what a trial writes there is seen by the others");
}

}  // namespace vernier

#include "cluster/code/folder_tally.h"

#include <algorithm>
#include <iterator>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "trials/submission/output_count.h"

namespace vernier {
namespace {

using Amount = FolderTally::Amount;
using Measure = FolderTally::Measure;

std::int64_t SizeOf(const Amount& amount, Measure measure) {
  return measure == Measure::kFiles ? amount.files : amount.bytes;
}

// Calls `visit` with each folder above `path`, the code folder included.
template <typename Visit>
void VisitAbove(const std::string& path, const Visit& visit) {
  for (std::size_t slash = path.rfind('/'); slash != std::string::npos;
       slash = path.rfind('/', slash - 1)) {
    visit(path.substr(0, slash));
  }
  if (!path.empty()) visit(std::string());
}

bool LiesIn(const std::string& path, const std::string& folder) {
  return path == folder || folder.empty() ||
         absl::StartsWith(path, folder + "/");
}

std::string Grouped(std::int64_t number) {
  std::string text = absl::StrCat(number);
  for (auto at = static_cast<std::ptrdiff_t>(text.size()) - 3; at > 0;
       at -= 3) {
    text.insert(static_cast<std::size_t>(at), ",");
  }
  return text;
}

}  // namespace

void FolderTally::Add(const std::string& folder, const std::string& name,
                      std::int64_t bytes) {
  Amount& own = own_[folder];
  ++own.files;
  own.bytes += bytes;
  if (bytes < kLargeFile) return;
  large_files_[folder.empty() ? name : absl::StrCat(folder, "/", name)] = bytes;
}

void FolderTally::Add(const FolderTally& other) {
  for (const auto& [folder, amount] : other.own_) {
    Amount& own = own_[folder];
    own.files += amount.files;
    own.bytes += amount.bytes;
  }
  large_files_.insert(other.large_files_.begin(), other.large_files_.end());
}

Amount FolderTally::total() const {
  Amount sum;
  for (const auto& [folder, amount] : own_) {
    sum.files += amount.files;
    sum.bytes += amount.bytes;
  }
  return sum;
}

std::vector<FolderTally::Large> FolderTally::Largest(Measure measure,
                                                     std::int64_t limit) const {
  // The totals of each folder with all of its contents, and of each large file.
  std::map<std::string, Large> all;
  for (const auto& [folder, amount] : own_) {
    const auto add = [&, &own = amount](const std::string& path) {
      Large& each = all[path];
      each.path = path;
      each.amount.files += own.files;
      each.amount.bytes += own.bytes;
    };
    add(folder);
    VisitAbove(folder, add);
  }
  for (const auto& [path, bytes] : large_files_) {
    all[path] = {path, EntryKind::kOther, {1, bytes}};
  }
  const auto size_of = [&](const Large& large) {
    return SizeOf(large.amount, measure);
  };
  // Returns the largest entry directly in `folder`; null if there is none.
  const auto largest_in = [&](const std::string& folder) -> const Large* {
    const Large* largest = nullptr;
    for (const auto& [path, large] : all) {
      const std::size_t slash = path.rfind('/');
      const std::string parent =
          slash == std::string::npos ? "" : path.substr(0, slash);
      if (path.empty() || parent != folder) continue;
      if (largest == nullptr || size_of(large) > size_of(*largest)) {
        largest = &large;
      }
    }
    return largest;
  };
  std::vector<Large> named;
  std::int64_t rest = SizeOf(total(), measure);
  while (rest > limit && named.size() < kMostLarge) {
    const Large* found = largest_in("");
    // A folder with less than a hundredth of the rest does not make it large.
    if (found == nullptr || size_of(*found) * 100 < rest) break;
    for (const Large* inner = largest_in(found->path);
         inner != nullptr && size_of(*inner) * 10 >= size_of(*found) * 9;
         inner = largest_in(found->path)) {
      // A folder is named instead of its only file.
      if (inner->kind == EntryKind::kOther && found->amount.files == 1) break;
      found = inner;
    }
    const Large large = *found;
    named.push_back(large);
    rest -= size_of(large);
    VisitAbove(large.path, [&](const std::string& above) {
      const auto folder = all.find(above);
      if (folder == all.end()) return;
      folder->second.amount.files -= large.amount.files;
      folder->second.amount.bytes -= large.amount.bytes;
    });
    std::erase_if(
        all, [&](const auto& each) { return LiesIn(each.first, large.path); });
  }
  return named;
}

std::string AmountText(const Amount& amount) {
  return absl::StrCat(Grouped(amount.files),
                      amount.files == 1 ? " file, " : " files, ",
                      ByteSizeText(amount.bytes));
}

}  // namespace vernier

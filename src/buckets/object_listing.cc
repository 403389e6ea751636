#include "buckets/object_listing.h"

#include <dirent.h>
#include <fcntl.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <string_view>
#include <utility>

#include "base/calls/call_meter.h"
#include "base/status_macros.h"
#include "buckets/bucket_name.h"

namespace vernier {
namespace {

using IsPlaceholder =
    std::function<bool(const std::string& name, const struct stat& info)>;

bool StartsWith(std::string_view text, std::string_view prefix) {
  return text.substr(0, prefix.size()) == prefix;
}

/// An entry of one folder. The key of a folder ends with '/', so that keys sort
/// like the names below them.
struct Entry {
  std::string key;
  struct stat info {};
};

class Lister {
 public:
  Lister(const ConfinedFolder& root, const ListQuery& query,
         const IsPlaceholder& is_placeholder)
      : root_(root), query_(query), is_placeholder_(is_placeholder) {}

  absl::StatusOr<ObjectPage> Run() {
    // Folders above the last '/' of the prefix need not be read.
    const SplitName split = SplitAtLastSlash(query_.prefix);
    const std::string base = split.folder.empty() ? "" : split.folder + "/";
    if (!base.empty() && !CheckObjectName(base).ok()) return ObjectPage{};
    struct stat info;
    if (!base.empty() && StatFolder(split.folder, &info)) {
      Placeholder(base, info);
    }
    VERNIER_RETURN_IF_ERROR(Walk(base));
    if (is_full_) page_.next = last_;
    return std::move(page_);
  }

 private:
  bool StatFolder(const std::string& name, struct stat* info) const {
    const auto folder = root_.OpenFolder(name);
    return folder.ok() && ::fstat(folder->get(), info) == 0;
  }

  absl::Status Walk(const std::string& base) {
    VERNIER_ASSIGN_OR_RETURN(const std::vector<Entry> entries, Read(base));
    for (const Entry& entry : entries) {
      if (is_full_) break;
      const std::string full = base + entry.key;
      if (!query_.end_offset.empty() && full >= query_.end_offset) break;
      if (entry.key.back() != '/') {
        Object(full, entry.info);
      } else if (MayHold(full)) {
        VERNIER_RETURN_IF_ERROR(Folder(full, entry.info));
      }
    }
    return absl::OkStatus();
  }

  // Returns whether names that begin with `folder` can match the query.
  bool MayHold(const std::string& folder) const {
    const auto is_before = [&](const std::string& bound) {
      return std::string_view(folder) <
             std::string_view(bound).substr(0, folder.size());
    };
    if (is_before(query_.start_offset) || is_before(query_.after)) return false;
    return StartsWith(folder, query_.prefix) ||
           StartsWith(query_.prefix, folder);
  }

  absl::Status Folder(const std::string& full, const struct stat& info) {
    const bool is_one_prefix =
        query_.delimiter == "/" && StartsWith(full, query_.prefix);
    if (is_one_prefix) {
      if (query_.include_trailing_delimiter) Placeholder(full, info);
      if (full <= query_.after) return absl::OkStatus();
      VERNIER_ASSIGN_OR_RETURN(const bool holds_any, HoldsAny(full, info));
      if (holds_any) AddPrefix(full);
      return absl::OkStatus();
    }
    Placeholder(full, info);
    return Walk(full);
  }

  // Returns whether the folder contains any object in the range. Stops at the
  // first.
  absl::StatusOr<bool> HoldsAny(const std::string& full,
                                const struct stat& info) const {
    if (InRange(full) && is_placeholder_(full, info)) return true;
    ListQuery query;
    query.prefix = full;
    query.start_offset = query_.start_offset;
    query.end_offset = query_.end_offset;
    query.max_results = 1;
    VERNIER_ASSIGN_OR_RETURN(const ObjectPage page,
                             Lister(root_, query, is_placeholder_).Run());
    return !page.files.empty();
  }

  void Placeholder(const std::string& full, const struct stat& info) {
    if (InRange(full) && is_placeholder_(full, info)) Object(full, info);
  }

  bool InRange(const std::string& name) const {
    return StartsWith(name, query_.prefix) && name >= query_.start_offset &&
           (query_.end_offset.empty() || name < query_.end_offset);
  }

  void Object(const std::string& name, const struct stat& info) {
    if (!InRange(name)) return;
    if (!query_.delimiter.empty()) {
      const std::size_t at = name.find(query_.delimiter, query_.prefix.size());
      const bool is_trailing = at != std::string::npos &&
                               at + query_.delimiter.size() == name.size() &&
                               query_.include_trailing_delimiter;
      if (at != std::string::npos && !is_trailing) {
        AddPrefix(name.substr(0, at + query_.delimiter.size()));
        return;
      }
    }
    if (!query_.after.empty() && name <= query_.after) return;
    if (!Take(name)) return;
    page_.files.push_back({name, info});
  }

  void AddPrefix(const std::string& prefix) {
    if (!query_.after.empty() && prefix <= query_.after) return;
    if (!page_.prefixes.empty() && page_.prefixes.back() == prefix) return;
    if (Take(prefix)) page_.prefixes.push_back(prefix);
  }

  bool Take(const std::string& name) {
    const auto taken = page_.files.size() + page_.prefixes.size();
    is_full_ |= taken >= static_cast<std::size_t>(query_.max_results);
    if (!is_full_) last_ = name;
    return !is_full_;
  }

  absl::StatusOr<std::vector<Entry>> Read(const std::string& base) const {
    std::vector<Entry> entries;
    auto folder = root_.OpenFolder(base.substr(0, base.size() - !base.empty()));
    if (absl::IsNotFound(folder.status()) ||
        absl::IsFailedPrecondition(folder.status())) {
      return entries;
    }
    if (!folder.ok()) return folder.status();
    const FolderStream dir = EntriesOf(*std::move(folder));
    if (dir == nullptr) return FileError(errno, base);
    while (const dirent* each = ::readdir(dir.get())) {
      const std::string name = each->d_name;
      if (name == "." || name == ".." ||
          (base.empty() && name == kReservedFolder)) {
        continue;
      }
      VERNIER_RETURN_IF_ERROR(UseInCall({1, sizeof(Entry) + name.size()}));
      // Skips names that no request could give, e.g. one that is not UTF-8.
      if (!CheckObjectName(base + name).ok()) continue;
      Entry entry{name, {}};
      if (!Stat(::dirfd(dir.get()), base, &entry)) continue;
      entries.push_back(std::move(entry));
    }
    std::sort(entries.begin(), entries.end(),
              [](const Entry& a, const Entry& b) { return a.key < b.key; });
    return entries;
  }

  bool Stat(int folder, const std::string& base, Entry* entry) const {
    if (::fstatat(folder, entry->key.c_str(), &entry->info,
                  AT_SYMLINK_NOFOLLOW) != 0) {
      return false;
    }
    if (S_ISDIR(entry->info.st_mode)) {
      entry->key += '/';
      return true;
    }
    if (S_ISLNK(entry->info.st_mode)) {
      const auto target = root_.OpenToRead(base + entry->key);
      return target.ok() && ::fstat(target->get(), &entry->info) == 0;
    }
    return S_ISREG(entry->info.st_mode);
  }

  const ConfinedFolder& root_;
  const ListQuery& query_;
  const IsPlaceholder& is_placeholder_;
  ObjectPage page_;
  std::string last_;
  bool is_full_ = false;
};

}  // namespace

absl::StatusOr<ObjectPage> ListObjects(const ConfinedFolder& root,
                                       const ListQuery& query,
                                       const IsPlaceholder& is_placeholder) {
  return Lister(root, query, is_placeholder).Run();
}

}  // namespace vernier

#ifndef VERNIER_CLUSTER_CODE_IGNORE_PATTERN_H_
#define VERNIER_CLUSTER_CODE_IGNORE_PATTERN_H_

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace re2 {
class RE2;
}  // namespace re2

namespace vernier {

/// The kind of an entry as lstat(2) reports it: a link to a folder is not a
/// folder.
enum class EntryKind { kFolder, kOther };

/// A line of a .vernierignore, with the syntax and meaning of .gitignore.
/// Immutable.
class IgnorePattern {
 public:
  /// Returns nullopt for a line without a pattern: an empty one or a comment.
  /// `line` must not include its newline.
  static std::optional<IgnorePattern> Parse(std::string_view line);

  /// Returns whether the line is "!pattern": its matches are copied after all.
  bool is_negated() const { return is_negated_; }

  /// `path` is relative to the folder of the .vernierignore, without a slash at
  /// either end. Only the path itself is matched, not the contents of a
  /// matching folder. O(size of the pattern * size of the path).
  bool Matches(std::string_view path, EntryKind kind) const;

 private:
  bool is_negated_ = false;
  bool is_for_folders_ = false;  ///< It ends with a slash.
  bool is_for_names_ = false;    ///< It has no other slash: any folder will do.
  /// Of the whole path or name; null if the pattern is malformed, and matches
  /// nothing. Shared, since a pattern can be copied and this cannot.
  std::shared_ptr<const re2::RE2> regex_;
};

/// Returns a pattern that matches the folder or file `path` and nothing else.
/// `path` is relative, without a slash at either end.
std::string IgnoreLineFor(std::string_view path, EntryKind kind);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_CODE_IGNORE_PATTERN_H_

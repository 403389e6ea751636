#ifndef VERNIER_CLUSTER_CODE_IGNORE_PATTERN_H_
#define VERNIER_CLUSTER_CODE_IGNORE_PATTERN_H_

#include <bitset>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

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
  /// Matches one character or, for a star, any number of them.
  struct Token {
    enum class Kind { kCharacter, kAny, kSet, kStar };
    Kind kind = Kind::kCharacter;
    unsigned char character = 0;
    std::bitset<256> set = {};
    bool Accepts(unsigned char c) const;
  };
  /// Matches one name of a path or, for "**", any number of them.
  struct Segment {
    std::vector<Token> tokens;
    bool is_double_star = false;
    bool Accepts(std::string_view name) const;
  };
  class Reader;

  bool MatchesPath(const std::vector<std::string_view>& names) const;

  bool is_negated_ = false;
  bool is_for_folders_ = false;  ///< It ends with a slash.
  bool is_for_names_ = false;    ///< It has no other slash: any folder will do.
  bool is_malformed_ = false;    ///< It matches nothing.
  std::vector<Segment> segments_;
};

/// Returns a pattern that matches the folder or file `path` and nothing else.
/// `path` is relative, without a slash at either end.
std::string IgnoreLineFor(std::string_view path, EntryKind kind);

}  // namespace vernier

#endif  // VERNIER_CLUSTER_CODE_IGNORE_PATTERN_H_

#ifndef VERNIER_STUDY_FOREIGN_FILES_FOREIGN_NODE_H_
#define VERNIER_STUDY_FOREIGN_FILES_FOREIGN_NODE_H_

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "study/config/config_tree.h"
#include "study/config/spec_diagnostics.h"
#include "study/study_file/job_tree.h"

namespace vernier {

/// Fields of another tool's file, and what becomes of them: they are put at
/// `path` of the job file, or left out for `reason`; if both are empty, the
/// reader of the file treats them by itself.
struct ForeignWords {
  std::string_view keys;  ///< With a blank between any two; one for a path.
  std::string_view path = "";
  std::string_view reason = "";
};

/// What another tool's file is read into. Borrows all.
struct ForeignTarget {
  JobTree* job;
  SpecDiagnostics* diagnostics;
  std::string_view kind;  ///< Of the file: "an experiment of Determined".
};

/// Returns the value of `key`, or null if there is none or it is null.
const ConfigNode* ValueAt(const ConfigNode& map, std::string_view key);

/// A value of another tool's file, with the name and the place that messages
/// about it have: "a.key" or "a[1]". A value that is not there has the place of
/// what should have it. Borrows the target and the file's tree; not
/// thread-safe, as the target is not.
class ForeignNode {
 public:
  class Children;

  ForeignNode(const ForeignTarget* target, const ConfigNode& file)
      : target_(target), node_(&file), at_(file.position) {}

  explicit operator bool() const { return node_ != nullptr; }
  /// Null if the value is not there.
  const ConfigNode* get() const { return node_; }
  /// Of one of members().
  std::string key() const { return std::string(key_); }
  const std::string& word() const { return word_; }
  const ConfigPosition& at() const { return at_; }
  JobTree& job() const { return *target_->job; }
  bool has_errors() const { return target_->diagnostics->has_errors(); }

  bool is_map() const { return IsOfKind(ConfigNode::Kind::kMap); }
  bool is_list() const { return IsOfKind(ConfigNode::Kind::kList); }
  bool is_single() const { return IsOfKind(ConfigNode::Kind::kScalar); }
  /// The text of a single value; "" for anything else.
  std::string text() const { return node_ == nullptr ? "" : node_->scalar; }
  std::optional<double> number() const { return NumberOf(node_); }

  /// Returns the value of a field; a null is there.
  ForeignNode Find(std::string_view key) const;
  /// Likewise, but a null is not there.
  ForeignNode operator[](std::string_view key) const;
  /// As operator[]; anything else than a mapping is an error, and not there.
  ForeignNode MapAt(std::string_view key) const;
  /// Returns what a list has; nothing for anything else.
  Children items() const;
  /// Returns what a mapping has, with nulls; nothing for anything else. Their
  /// places are those of the keys.
  Children members() const;

  /// Returns the same with another name.
  ForeignNode Called(std::string word) const;
  /// Returns another value with the same name and place; a text is where the
  /// value was.
  ForeignNode With(const ConfigNode* value) const;
  ForeignNode With(std::string text, bool is_plain = false) const;
  /// Returns the same with the place of the value in place of the key's.
  ForeignNode value() const;

  /// Carries over the members of a mapping, so that none is dropped without a
  /// word. A null is as if it were not there. A field that is in no table is an
  /// error.
  void Read(std::span<const ForeignWords> known) const;

  /// Puts the value at a path of the job file, if it is there.
  void Put(std::string_view path) const;
  /// Puts this text in place of the value, which need not be there.
  void PutText(std::string_view path, std::string text) const {
    With(std::move(text)).Put(path);
  }
  /// Puts a number of seconds, if there is one, as a duration. An error for
  /// anything else, such as "10m".
  void PutSeconds(std::string_view path) const;

  void Error(std::string message) const {
    job().Error(at_, word_, std::move(message));
  }
  /// Notes that a field has no effect, and why.
  void LeaveOut(std::string_view reason) const {
    target_->diagnostics->AddLeftOut(at_, word_, std::string(reason));
  }
  /// Notes what a user should know of a field that has an effect.
  void Note(std::string_view message) const {
    job().Note(at_, word_, std::string(message));
  }

 private:
  bool IsOfKind(ConfigNode::Kind kind) const {
    return node_ != nullptr && node_->kind == kind;
  }
  ForeignNode Child(const ConfigNode* value, std::string word,
                    const ConfigPosition& at) const;

  const ForeignTarget* target_;
  const ConfigNode* node_;  // Null: it is not there.
  std::string word_;        // Empty: the file.
  ConfigPosition at_;
  std::string_view key_;
};

/// What a list or a mapping has. Each is made when it is asked for, since names
/// of all would take more memory than a large file.
class ForeignNode::Children {
 public:
  struct Iterator {
    const Children* of;
    std::size_t index;

    ForeignNode operator*() const { return (*of)[index]; }
    Iterator& operator++() { return ++index, *this; }
    bool operator==(const Iterator&) const = default;
  };

  Children(const ForeignNode& parent, bool are_members)
      : parent_(parent), are_members_(are_members) {}

  std::size_t size() const;
  bool empty() const { return size() == 0; }
  ForeignNode operator[](std::size_t index) const;
  Iterator begin() const { return {this, 0}; }
  Iterator end() const { return {this, size()}; }

 private:
  ForeignNode parent_;
  bool are_members_;
};

}  // namespace vernier

#endif  // VERNIER_STUDY_FOREIGN_FILES_FOREIGN_NODE_H_

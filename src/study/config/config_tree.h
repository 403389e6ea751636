#ifndef VERNIER_STUDY_CONFIG_CONFIG_TREE_H_
#define VERNIER_STUDY_CONFIG_CONFIG_TREE_H_

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace vernier {

/// The place where a value was written.
struct ConfigPosition {
  std::string_view flag;  ///< The flag it came from; empty: the file. Borrowed.
  int line = 0;           ///< From 1; 0: unknown.
  int column = 0;         ///< From 1, in bytes; 0: unknown.
};

struct ConfigNode;

struct ConfigMember {
  std::string key;
  ConfigPosition position;  ///< Of the key.
  const ConfigNode* value;  ///< Never null; owned by the tree.
};

/// One value of a job file, before anything is known about its meaning. A node
/// that YAML aliases name is shared, so the tree may be a DAG.
struct ConfigNode {
  enum class Kind { kNull, kScalar, kList, kMap };

  Kind kind = Kind::kNull;
  bool is_plain = false;        ///< Scalar: written without quotes.
  int height = 1;               ///< Levels of nesting from here down.
  std::int64_t node_count = 1;  ///< With all below, aliases expanded.
  ConfigPosition position;
  std::string scalar;  ///< The source text: 1.10 stays "1.10".
  std::vector<const ConfigNode*> items;
  std::vector<ConfigMember> members;

  /// Returns the value of `key` in a map, or null. O(members).
  const ConfigNode* Find(std::string_view key) const;
};

/// Returns a single value as a number; nullopt if it is none, and for null.
/// Numbers may be quoted.
std::optional<double> NumberOf(const ConfigNode* node);

/// Returns the name of the kind for messages: "a list", "a mapping", ...
std::string_view KindName(ConfigNode::Kind kind);

/// A parsed document. Owns its nodes, except those that PutInto shares; they do
/// not move.
struct ConfigTree {
  std::deque<ConfigNode> nodes;
  const ConfigNode* root = nullptr;  ///< Null: the document is empty.

  /// Adds a node that nothing refers to yet.
  ConfigNode& Add(ConfigNode::Kind kind, const ConfigPosition& position);

  /// Makes this tree a document like `document`, with this tree's present root
  /// as the field at `path`. Nodes beside the path stay shared with `document`,
  /// whose nodes are not changed and must outlive this tree. Missing maps along
  /// the path are made, at that root's position. If a node along the path is
  /// neither a map nor null, the document stays as it is: validation reports
  /// it.
  void PutInto(const ConfigNode* document,
               const std::vector<std::string>& path);

  /// Makes this tree a document like `document`, without the field at `path`,
  /// sharing nodes like PutInto. Without such a field it is `document` itself.
  void TakeFrom(const ConfigNode* document,
                const std::vector<std::string>& path);
};

}  // namespace vernier

#endif  // VERNIER_STUDY_CONFIG_CONFIG_TREE_H_

#ifndef VERNIER_STUDY_CONFIG_CONFIG_TREE_BUILDER_H_
#define VERNIER_STUDY_CONFIG_CONFIG_TREE_BUILDER_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "study/config/config_tree.h"
#include "study/config/spec_diagnostics.h"

namespace vernier {

inline constexpr int kMaxConfigDepth = 100;
inline constexpr std::int64_t kMaxConfigNodes = 1'000'000;
/// The largest number of bytes after the expansion of aliases. A text without
/// aliases never has more.
inline constexpr std::int64_t kMaxExpandedBytes = std::int64_t{16} << 20;

/// Builds a ConfigTree from the events of a reader, within the limits that
/// keep a hostile file cheap. Reports duplicate keys. Not thread-safe.
///
/// Each method returns false if the reader must give up; the reason has then
/// been reported.
class ConfigTreeBuilder {
 public:
  /// Both must outlive the builder.
  ConfigTreeBuilder(ConfigTree& tree, SpecDiagnostics& diagnostics);

  bool AddNull(const ConfigPosition& position);
  bool AddScalar(const ConfigPosition& position, std::string_view text,
                 bool is_plain);
  /// Adds `node`, a complete node of this tree, a second time.
  bool AddShared(const ConfigPosition& position, const ConfigNode& node);
  bool Open(ConfigNode::Kind kind, const ConfigPosition& position);
  /// Ends the innermost open list or map.
  bool Close();
  /// Names the next value of the innermost open map.
  void Key(const ConfigPosition& position, std::string_view key);

  /// True if the innermost open node is a map and no key waits for its value.
  bool ExpectsKey() const;
  /// Returns the last node that was added or closed.
  const ConfigNode* last() const { return last_; }

 private:
  struct OpenNode {
    ConfigNode* node;
    ConfigMember pending{};  // The key whose value comes next.
    bool has_pending = false;
    std::unordered_set<std::string> keys;  // Only for long maps.
  };

  bool Attach(const ConfigNode& node);
  // Returns the field path of the place where the next value goes.
  std::string OpenPath() const;
  bool FitsLimits(std::int64_t more_nodes, int more_depth,
                  const ConfigPosition& position);
  bool TakeBytes(std::int64_t bytes, const ConfigPosition& position);
  bool IsDuplicate(OpenNode& map, const std::string& key);
  bool Merge(OpenNode& map);

  ConfigTree& tree_;
  SpecDiagnostics& diagnostics_;
  std::vector<OpenNode> open_;
  std::int64_t num_nodes_ = 0;
  std::int64_t num_bytes_ = 0;
  const ConfigNode* last_ = nullptr;
};

}  // namespace vernier

#endif  // VERNIER_STUDY_CONFIG_CONFIG_TREE_BUILDER_H_

#include "study/config/config_tree_builder.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "base/shown_text.h"

namespace vernier {
namespace {

// Up to this many members a linear search is quicker than a hash set.
constexpr std::size_t kShortMap = 16;

// Returns the number of bytes in the names and texts of a node and of all nodes
// below it.
std::int64_t BytesBelow(const ConfigNode& node) {
  auto bytes = static_cast<std::int64_t>(node.scalar.size());
  for (const ConfigNode* item : node.items) bytes += BytesBelow(*item);
  for (const ConfigMember& member : node.members) {
    bytes += static_cast<std::int64_t>(member.key.size());
    bytes += BytesBelow(*member.value);
  }
  return bytes;
}

}  // namespace

ConfigTreeBuilder::ConfigTreeBuilder(ConfigTree& tree,
                                     SpecDiagnostics& diagnostics)
    : tree_(tree), diagnostics_(diagnostics) {}

bool ConfigTreeBuilder::AddNull(const ConfigPosition& position) {
  return FitsLimits(1, 1, position) &&
         Attach(tree_.Add(ConfigNode::Kind::kNull, position));
}

bool ConfigTreeBuilder::AddScalar(const ConfigPosition& position,
                                  std::string_view text, bool is_plain) {
  if (!FitsLimits(1, 1, position) ||
      !TakeBytes(static_cast<std::int64_t>(text.size()), position)) {
    return false;
  }
  ConfigNode& node = tree_.Add(ConfigNode::Kind::kScalar, position);
  node.scalar = text;
  node.is_plain = is_plain;
  return Attach(node);
}

bool ConfigTreeBuilder::AddShared(const ConfigPosition& position,
                                  const ConfigNode& node) {
  // The number of nodes is checked first, which bounds the walk of BytesBelow.
  return FitsLimits(node.node_count, node.height, position) &&
         TakeBytes(BytesBelow(node), position) && Attach(node);
}

bool ConfigTreeBuilder::Open(ConfigNode::Kind kind,
                             const ConfigPosition& position) {
  if (!FitsLimits(1, 1, position)) return false;
  open_.push_back({&tree_.Add(kind, position), {}, false, {}});
  return true;
}

bool ConfigTreeBuilder::Close() {
  OpenNode closed = std::move(open_.back());
  open_.pop_back();
  if (!Merge(closed)) return false;
  return Attach(*closed.node);
}

void ConfigTreeBuilder::Key(const ConfigPosition& position,
                            std::string_view key) {
  open_.back().pending = {std::string(key), position, nullptr};
  open_.back().has_pending = true;
}

bool ConfigTreeBuilder::ExpectsKey() const {
  return !open_.empty() && open_.back().node->kind == ConfigNode::Kind::kMap &&
         !open_.back().has_pending;
}

bool ConfigTreeBuilder::FitsLimits(std::int64_t more_nodes, int more_depth,
                                   const ConfigPosition& position) {
  if (static_cast<int>(open_.size()) + more_depth > kMaxConfigDepth) {
    diagnostics_.AddError(position, "",
                          "nested too deeply: at most " +
                              std::to_string(kMaxConfigDepth) +
                              " levels are read");
    return false;
  }
  num_nodes_ += more_nodes;
  if (num_nodes_ > kMaxConfigNodes) {
    diagnostics_.AddError(position, "",
                          "too many values: at most " +
                              std::to_string(kMaxConfigNodes) +
                              " are read, aliases expanded");
    return false;
  }
  return true;
}

// Counts the bytes after the expansion of aliases, since an alias of three
// bytes may repeat a text of a megabyte.
bool ConfigTreeBuilder::TakeBytes(std::int64_t bytes,
                                  const ConfigPosition& position) {
  num_bytes_ += bytes;
  if (num_bytes_ <= kMaxExpandedBytes) return true;
  diagnostics_.AddError(position, "",
                        "too large: at most " +
                            std::to_string(kMaxExpandedBytes) +
                            " bytes are read, aliases expanded");
  return false;
}

bool ConfigTreeBuilder::Attach(const ConfigNode& node) {
  last_ = &node;
  if (open_.empty()) {
    tree_.root = &node;
    return true;
  }
  OpenNode& parent = open_.back();
  parent.node->node_count += node.node_count;
  parent.node->height = std::max(parent.node->height, node.height + 1);
  if (parent.node->kind == ConfigNode::Kind::kList) {
    parent.node->items.push_back(&node);
    return true;
  }
  parent.has_pending = false;
  if (IsDuplicate(parent, parent.pending.key)) {
    diagnostics_.AddError(parent.pending.position, OpenPath(),
                          "the field is given twice");
    return !diagnostics_.is_full();
  }
  parent.pending.value = &node;
  parent.node->members.push_back(std::move(parent.pending));
  return true;
}

std::string ConfigTreeBuilder::OpenPath() const {
  std::string path;
  for (const OpenNode& open : open_) {
    if (open.node->kind == ConfigNode::Kind::kList) {
      path += "[" + std::to_string(open.node->items.size()) + "]";
    } else {
      path += (path.empty() ? "" : ".") + ShowText(open.pending.key);
    }
  }
  return path;
}

bool ConfigTreeBuilder::IsDuplicate(OpenNode& map, const std::string& key) {
  const auto& members = map.node->members;
  if (members.size() < kShortMap) return map.node->Find(key) != nullptr;
  if (map.keys.empty()) {
    for (const ConfigMember& member : members) map.keys.insert(member.key);
  }
  return !map.keys.insert(key).second;
}

// Applies YAML 1.1's merge key: `<<: *defaults`, or a list of aliases. The
// map's own fields win, then those of earlier mappings in the list.
bool ConfigTreeBuilder::Merge(OpenNode& map) {
  if (map.node->kind != ConfigNode::Kind::kMap) return true;
  auto& members = map.node->members;
  const auto merge_key = std::find_if(
      members.begin(), members.end(),
      [](const ConfigMember& member) { return member.key == "<<"; });
  if (merge_key == members.end()) return true;
  const ConfigMember merge = std::move(*merge_key);
  members.erase(merge_key);
  map.keys.clear();
  std::vector<const ConfigNode*> sources = {merge.value};
  if (merge.value->kind == ConfigNode::Kind::kList) {
    sources = merge.value->items;
  }
  for (const ConfigNode* source : sources) {
    if (source->kind != ConfigNode::Kind::kMap) {
      diagnostics_.AddError(merge.position, "<<",
                            "must be an alias of a mapping, not " +
                                std::string(KindName(source->kind)));
      continue;
    }
    if (!FitsLimits(source->node_count, source->height, merge.position) ||
        !TakeBytes(BytesBelow(*source), merge.position)) {
      return false;
    }
    map.node->node_count += source->node_count;
    for (const ConfigMember& member : source->members) {
      if (!IsDuplicate(map, member.key)) members.push_back(member);
    }
  }
  return true;
}

}  // namespace vernier

#include "study/config/config_tree.h"

#include <cstddef>

#include "base/number_text.h"

namespace vernier {

const ConfigNode* ConfigNode::Find(std::string_view key) const {
  for (const ConfigMember& member : members) {
    if (member.key == key) return member.value;
  }
  return nullptr;
}

std::optional<double> NumberOf(const ConfigNode* node) {
  if (node == nullptr || node->kind != ConfigNode::Kind::kScalar) {
    return std::nullopt;
  }
  return NumberIn(node->scalar);
}

std::string_view KindName(ConfigNode::Kind kind) {
  switch (kind) {
    case ConfigNode::Kind::kNull:
      return "null";
    case ConfigNode::Kind::kScalar:
      return "a single value";
    case ConfigNode::Kind::kList:
      return "a list";
    case ConfigNode::Kind::kMap:
      return "a mapping";
  }
  return "unknown";
}

ConfigNode& ConfigTree::Add(ConfigNode::Kind kind,
                            const ConfigPosition& position) {
  ConfigNode& node = nodes.emplace_back();
  node.kind = kind;
  node.position = position;
  return node;
}

void ConfigTree::PutInto(const ConfigNode* document,
                         const std::vector<std::string>& path) {
  const ConfigNode* replacement = root;
  const ConfigPosition position = replacement->position;
  // The maps along the path are copied, since others may share them; their
  // values stay shared.
  std::vector<const ConfigNode*> old_maps;
  root = document;
  const ConfigNode* at = document;
  for (const std::string& key : path) {
    const bool is_missing =
        at == nullptr || at->kind == ConfigNode::Kind::kNull;
    if (!is_missing && at->kind != ConfigNode::Kind::kMap) return;
    old_maps.push_back(is_missing ? nullptr : at);
    at = is_missing ? nullptr : at->Find(key);
  }
  for (std::size_t i = path.size(); i-- > 0;) {
    ConfigNode& map = Add(ConfigNode::Kind::kMap, position);
    if (old_maps[i] != nullptr) map = *old_maps[i];
    bool is_replaced = false;
    for (ConfigMember& member : map.members) {
      if (member.key != path[i]) continue;
      member.value = replacement;
      is_replaced = true;
    }
    if (!is_replaced) {
      map.members.push_back({path[i], position, replacement});
    }
    replacement = &map;
  }
  root = replacement;
}

void ConfigTree::TakeFrom(const ConfigNode* document,
                          const std::vector<std::string>& path) {
  root = document;
  const ConfigNode* map = document;
  for (std::size_t i = 0; i + 1 < path.size() && map != nullptr; ++i) {
    map = map->Find(path[i]);
  }
  if (map == nullptr || map->Find(path.back()) == nullptr) return;
  ConfigNode& without = Add(ConfigNode::Kind::kMap, map->position);
  without = *map;
  std::erase_if(without.members, [&path](const ConfigMember& member) {
    return member.key == path.back();
  });
  root = &without;
  PutInto(document, {path.begin(), path.end() - 1});
}

}  // namespace vernier

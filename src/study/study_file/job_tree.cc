#include "study/study_file/job_tree.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"

namespace vernier {

JobTree::JobTree(ConfigTree* tree, SpecDiagnostics* diagnostics,
                 const ConfigPosition& origin)
    : tree_(tree),
      diagnostics_(diagnostics),
      origin_(origin),
      root_(&tree->Add(ConfigNode::Kind::kMap, origin)) {
  maps_[""] = root_;
}

void JobTree::Put(std::string_view path, std::string_view word,
                  const ConfigPosition& key, const ConfigNode* value) {
  const std::size_t dot = path.rfind('.');
  const std::string_view parent =
      dot == std::string_view::npos ? "" : path.substr(0, dot);
  const std::string_view name =
      dot == std::string_view::npos ? path : path.substr(dot + 1);
  ConfigNode* const map = MapAt(parent, key);
  if (map->Find(name) != nullptr) {
    return Error(key, word, "is given twice, under two words");
  }
  map->members.push_back({std::string(name), key, value});
  Call(path, word);
}

bool JobTree::Has(std::string_view path) const {
  if (maps_.contains(path)) return true;
  const std::size_t dot = path.rfind('.');
  const auto map =
      maps_.find(dot == std::string_view::npos ? "" : path.substr(0, dot));
  return map != maps_.end() &&
         map->second->Find(dot == std::string_view::npos
                               ? path
                               : path.substr(dot + 1)) != nullptr;
}

void JobTree::Call(std::string_view path, std::string_view word) {
  words_.push_back({std::string(path), std::string(word)});
}

void JobTree::Error(const ConfigNode& node, std::string_view word,
                    std::string message) {
  Error(node.position, word, std::move(message));
}

void JobTree::Error(const ConfigPosition& position, std::string_view word,
                    std::string message) {
  diagnostics_->AddError(position, std::string(word), std::move(message));
}

const ConfigNode* JobTree::Text(std::string text,
                                const ConfigPosition& position, bool is_plain) {
  ConfigNode& node = tree_->Add(ConfigNode::Kind::kScalar, position);
  node.scalar = std::move(text);
  node.is_plain = is_plain;
  return &node;
}

ConfigNode* JobTree::List(const ConfigPosition& position) {
  return &tree_->Add(ConfigNode::Kind::kList, position);
}

ConfigNode* JobTree::Map(const ConfigPosition& position) {
  return &tree_->Add(ConfigNode::Kind::kMap, position);
}

ConfigNode* JobTree::MapAt(std::string_view path,
                           const ConfigPosition& position) {
  if (const auto known = maps_.find(path); known != maps_.end()) {
    return known->second;
  }
  const std::size_t dot = path.rfind('.');
  const bool is_top = dot == std::string_view::npos;
  ConfigNode* const parent = MapAt(is_top ? "" : path.substr(0, dot), position);
  ConfigNode* const map = Map(position);
  parent->members.push_back(
      {std::string(is_top ? path : path.substr(dot + 1)), position, map});
  maps_.emplace(path, map);
  return map;
}

}  // namespace vernier

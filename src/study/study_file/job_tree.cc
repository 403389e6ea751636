#include "study/study_file/job_tree.h"

#include <utility>

namespace vernier {
namespace {

/// A path's mapping, "" for the document, and the field in it.
struct Place {
  std::string_view map;
  std::string_view field;
};

Place PlaceAt(std::string_view path) {
  const std::size_t dot = path.rfind('.');
  if (dot == std::string_view::npos) return {"", path};
  return {path.substr(0, dot), path.substr(dot + 1)};
}

}  // namespace

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
  const auto [parent, name] = PlaceAt(path);
  ConfigNode* const map = MapAt(parent, key);
  if (map->Find(name) != nullptr) {
    return Error(key, word, "is given twice, under two words");
  }
  map->members.push_back({std::string(name), key, value});
  Call(path, word);
}

bool JobTree::Has(std::string_view path) const {
  if (maps_.contains(path)) return true;
  const auto [parent, name] = PlaceAt(path);
  const auto map = maps_.find(parent);
  return map != maps_.end() && map->second->Find(name) != nullptr;
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

void JobTree::Note(const ConfigPosition& position, std::string_view word,
                   std::string message) {
  diagnostics_->AddNote(position, std::string(word), std::move(message));
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
  const auto [above, name] = PlaceAt(path);
  ConfigNode* const parent = MapAt(above, position);
  ConfigNode* const map = Map(position);
  parent->members.push_back({std::string(name), position, map});
  maps_.emplace(path, map);
  return map;
}

}  // namespace vernier

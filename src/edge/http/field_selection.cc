#include "edge/http/field_selection.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "base/json.h"
#include "base/status_macros.h"

namespace vernier {
namespace {

using Node = FieldSelection::Node;

constexpr int kMostLevels = 64;

class SelectionParser {
 public:
  explicit SelectionParser(std::string_view text) : text_(text) {}

  absl::Status ParseAll(Node* root) {
    VERNIER_RETURN_IF_ERROR(ParseList(root, 0));
    if (at_ != text_.size()) return Error("\",\"");
    return absl::OkStatus();
  }

 private:
  absl::Status ParseList(Node* parent, int level) {
    if (level > kMostLevels) {
      return absl::InvalidArgumentError(
          absl::StrCat("fields must have at most ", kMostLevels, " levels"));
    }
    do {
      VERNIER_RETURN_IF_ERROR(ParsePath(parent, level));
    } while (Skip(','));
    return absl::OkStatus();
  }

  absl::Status ParsePath(Node* parent, int level) {
    Node* node = parent;
    do {
      if (++level > kMostLevels) return ParseList(node, level);
      const std::size_t begin = at_;
      while (at_ < text_.size() && std::string_view(",/.()").find(text_[at_]) ==
                                       std::string_view::npos) {
        ++at_;
      }
      if (at_ == begin) return Error("the name of a field");
      node = &node->children[std::string(text_.substr(begin, at_ - begin))];
    } while (Skip('/') || Skip('.'));
    if (!Skip('(')) return absl::OkStatus();
    VERNIER_RETURN_IF_ERROR(ParseList(node, level));
    return Skip(')') ? absl::OkStatus() : Error("\")\"");
  }

  bool Skip(char c) {
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }

  absl::Status Error(const char* expected) const {
    return absl::InvalidArgumentError(
        absl::StrCat("fields: ", expected, " must follow at position ", at_,
                     ": \"", std::string(text_), "\""));
  }

  const std::string_view text_;
  std::size_t at_ = 0;
};

void Prune(const Node& node, Json* json) {
  if (node.children.empty()) return;
  if (json->is_array()) {
    for (Json& item : *json) Prune(node, &item);
    return;
  }
  if (!json->is_object()) return;
  const auto all = node.children.find("*");
  for (auto member = json->begin(); member != json->end();) {
    auto found = node.children.find(member.key());
    if (found == node.children.end()) found = all;
    if (found == node.children.end()) {
      member = json->erase(member);
      continue;
    }
    Prune(found->second, &member.value());
    ++member;
  }
}

}  // namespace

absl::StatusOr<FieldSelection> FieldSelection::Parse(std::string_view text) {
  FieldSelection selection;
  VERNIER_RETURN_IF_ERROR(SelectionParser(text).ParseAll(&selection.root_));
  return selection;
}

absl::StatusOr<std::string> FieldSelection::Apply(std::string_view json) const {
  auto parsed = ParseJson(json);
  if (!parsed.ok()) {
    return absl::InternalError(absl::StrCat(
        "the answer is no JSON: ", std::string(parsed.status().message())));
  }
  Prune(root_, &*parsed);
  return DumpJson(*parsed);
}

}  // namespace vernier

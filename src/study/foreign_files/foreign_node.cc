#include "study/foreign_files/foreign_node.h"

#include <algorithm>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/nearest_name.h"
#include "base/number_text.h"
#include "base/shown_text.h"

namespace vernier {
namespace {

// Returns what stands between the blanks of a text.
std::vector<std::string_view> BetweenBlanks(std::string_view text) {
  std::vector<std::string_view> words;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    words.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return words;
}

std::string WordOfField(const std::string& word, std::string_view key) {
  return word.empty() ? ShowText(key) : absl::StrCat(word, ".", ShowText(key));
}

}  // namespace

const ConfigNode* ValueAt(const ConfigNode& map, std::string_view key) {
  const ConfigNode* const value = map.Find(key);
  const bool is_there =
      value != nullptr && value->kind != ConfigNode::Kind::kNull;
  return is_there ? value : nullptr;
}

ForeignNode ForeignNode::Find(std::string_view key) const {
  const std::string word = WordOfField(word_, key);
  if (node_ == nullptr) return Child(nullptr, word, at_);
  const ConfigNode* const value = node_->Find(key);
  return Child(value, word,
               value == nullptr ? node_->position : value->position);
}

ForeignNode ForeignNode::operator[](std::string_view key) const {
  const ForeignNode value = Find(key);
  if (!value.IsOfKind(ConfigNode::Kind::kNull)) return value;
  return Child(nullptr, value.word_, node_->position);
}

ForeignNode ForeignNode::MapAt(std::string_view key) const {
  const ForeignNode map = (*this)[key];
  if (!map || map.is_map()) return map;
  map.Error("must be a mapping");
  return Child(nullptr, map.word_, node_->position);
}

ForeignNode::Children ForeignNode::items() const { return {*this, false}; }

ForeignNode::Children ForeignNode::members() const { return {*this, true}; }

std::size_t ForeignNode::Children::size() const {
  const ConfigNode* const node = parent_.node_;
  if (node == nullptr) return 0;
  return are_members_ ? node->members.size() : node->items.size();
}

ForeignNode ForeignNode::Children::operator[](std::size_t index) const {
  if (!are_members_) {
    const ConfigNode* const item = parent_.node_->items[index];
    return parent_.Child(item, absl::StrCat(parent_.word_, "[", index, "]"),
                         item->position);
  }
  const ConfigMember& member = parent_.node_->members[index];
  ForeignNode child = parent_.Child(
      member.value, WordOfField(parent_.word_, member.key), member.position);
  child.key_ = member.key;
  return child;
}

ForeignNode ForeignNode::Child(const ConfigNode* value, std::string word,
                               const ConfigPosition& at) const {
  ForeignNode child = *this;
  child.node_ = value;
  child.word_ = std::move(word);
  child.at_ = at;
  return child;
}

ForeignNode ForeignNode::Called(std::string word) const {
  return Child(node_, std::move(word), at_);
}

ForeignNode ForeignNode::With(const ConfigNode* value) const {
  return Child(value, word_, at_);
}

ForeignNode ForeignNode::With(std::string text, bool is_plain) const {
  return With(job().Text(std::move(text), value().at_, is_plain));
}

ForeignNode ForeignNode::value() const {
  return Child(node_, word_, node_ == nullptr ? at_ : node_->position);
}

void ForeignNode::Read(std::span<const ForeignWords> known) const {
  std::vector<std::string_view> keys;
  std::vector<const ForeignWords*> fates;  // Of each key.
  for (const ForeignWords& each : known) {
    for (const std::string_view key : BetweenBlanks(each.keys)) {
      keys.push_back(key);
      fates.push_back(&each);
    }
  }
  for (const ForeignNode& member : members()) {
    if (member.IsOfKind(ConfigNode::Kind::kNull)) continue;
    const auto key = std::find(keys.begin(), keys.end(), member.key_);
    if (key == keys.end()) {
      member.Error(absl::StrCat("is no field of ", std::string(target_->kind),
                                " that is known here",
                                DidYouMean(member.key_, keys)));
      continue;
    }
    const ForeignWords& fate =
        *fates[static_cast<std::size_t>(key - keys.begin())];
    if (!fate.path.empty()) {
      member.Put(fate.path);
    } else if (!fate.reason.empty()) {
      member.LeaveOut(fate.reason);
    }
  }
}

void ForeignNode::Put(std::string_view path) const {
  if (node_ != nullptr) job().Put(path, word_, at_, node_);
}

void ForeignNode::PutSeconds(std::string_view path) const {
  if (node_ == nullptr) return;
  const std::optional<double> seconds = number();
  if (!seconds.has_value() || !(*seconds > 0)) {
    return Error("must be a number of seconds, such as 3600: " +
                 ShowValue(*node_));
  }
  PutText(path, NumberText(*seconds) + "s");
}

}  // namespace vernier

#include "study/foreign_files/foreign_fields.h"

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "base/nearest_name.h"
#include "base/number_text.h"
#include "base/shown_text.h"

namespace vernier {
namespace {

constexpr auto kForeignWords =
    std::to_array<std::pair<const char*, const char*>>(
        {{"give it as vernier.command, "
          "trainingInput.masterConfig.containerCommand, "
          "trainingInput.masterConfig.imageUri or trainingInput.pythonModule",
          "give it on the command line: vernier run --config FILE -- python3 "
          "train.py"},
         {"maxValue - minValue", "the range"},
         {"minValue", "the lowest value"},
         {"maxValue", "the highest value"},
         {"maxTrials", "the number of trials"},
         {"params", "the parameters"},
         {"scaleType UNIT_LOG_SCALE", "a log scale"},
         {"scaleType UNIT_REVERSE_LOG_SCALE", "a reverse log scale"},
         {"type DOUBLE", "a number"},
         {"type INTEGER", "a whole number"},
         {"type CATEGORICAL", "categories"},
         {"type DISCRETE", "a list of numbers"}});

}  // namespace

void ForeignFields::Read(const ConfigNode& map, std::string_view word,
                         std::span<const ForeignField> known) {
  for (const ConfigMember& member : map.members) {
    if (member.value->kind == ConfigNode::Kind::kNull) continue;
    const std::string own = WordBelow(word, member.key);
    const auto field =
        std::find_if(known.begin(), known.end(),
                     [&](const auto& each) { return each.key == member.key; });
    if (field == known.end()) {
      std::vector<std::string_view> names;
      for (const ForeignField& each : known) names.push_back(each.key);
      job_->Error(
          member.position, own,
          absl::StrCat("is no field of ", std::string(kind_),
                       " that is known here", DidYouMean(member.key, names)));
    } else if (!field->path.empty()) {
      job_->Put(field->path, own, member.position, member.value);
    } else if (!field->reason.empty()) {
      LeaveOut(member.position, own, std::string(field->reason));
    }
  }
}

const ConfigNode* ForeignFields::MapAt(const ConfigNode& map,
                                       std::string_view key,
                                       std::string_view word) {
  const ConfigNode* const value = ValueAt(map, key);
  if (value == nullptr || value->kind == ConfigNode::Kind::kMap) return value;
  job_->Error(*value, WordBelow(word, key), "must be a mapping");
  return nullptr;
}

void ForeignFields::PutSeconds(const ConfigNode& map, std::string_view key,
                               std::string_view word, const char* path) {
  const ConfigNode* const seconds = ValueAt(map, key);
  if (seconds == nullptr) return;
  const std::string own = WordBelow(word, key);
  const std::optional<double> number = NumberOf(seconds);
  if (!number.has_value() || !(*number > 0)) {
    return job_->Error(
        *seconds, own,
        "must be a number of seconds, such as 3600: " + ShowValue(*seconds));
  }
  job_->Put(path, own, seconds->position,
            job_->Text(NumberText(*number) + "s", seconds->position));
}

const ConfigNode* ValueAt(const ConfigNode& map, std::string_view key) {
  const ConfigNode* const value = map.Find(key);
  const bool is_there =
      value != nullptr && value->kind != ConfigNode::Kind::kNull;
  return is_there ? value : nullptr;
}

std::string TextOf(const ConfigNode* node) {
  return node == nullptr ? "" : node->scalar;
}

std::string ForeignMessage(const std::string& message) {
  return absl::StrReplaceAll(message, kForeignWords);
}

std::string WordBelow(std::string_view word, std::string_view key) {
  if (word.empty()) return ShowText(key);
  return absl::StrCat(std::string(word), ".", ShowText(key));
}

}  // namespace vernier

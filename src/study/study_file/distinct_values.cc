#include "study/study_file/distinct_values.h"

#include <cstddef>
#include <optional>
#include <set>

#include "absl/strings/str_cat.h"
#include "base/number_text.h"

namespace vernier {

std::vector<const ConfigNode*> DistinctValues(
    const std::vector<const ConfigNode*>& values, ValueText text_of,
    std::string_view word, JobTree* job) {
  std::vector<const ConfigNode*> kept;
  std::set<std::string> texts;
  const ConfigNode* first = nullptr;  // Of those that stand there before.
  for (const ConfigNode* const value : values) {
    const bool is_single = value->kind == ConfigNode::Kind::kScalar ||
                           value->kind == ConfigNode::Kind::kNull;
    if (!is_single || texts.insert(text_of(*value)).second) {
      kept.push_back(value);
    } else if (first == nullptr) {
      first = value;
    }
  }
  if (first == nullptr) return kept;
  const std::size_t others = values.size() - kept.size() - 1;
  const std::string more =
      others == 0
          ? ""
          : absl::StrCat(" and ", others, others == 1 ? " other" : " others");
  job->Note(first->position, word,
            absl::StrCat("lists ", text_of(*first), more,
                         " again; each value counts once"));
  return kept;
}

std::string NumberOrText(const ConfigNode& value) {
  const std::optional<double> number = NumberOf(&value);
  return number.has_value() ? NumberText(*number) : value.scalar;
}

}  // namespace vernier

#include "trials/user_attributes.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "base/json.h"
#include "base/shown_text.h"
#include "base/status_macros.h"
#include "study/measurement.h"

namespace vernier {
namespace {

// The place of a trial's note in its metadata.
constexpr char kNoteNamespace[] = ":vernier";
constexpr char kNote[] = "note";

absl::Status CheckAttribute(const std::string& name, const std::string& value) {
  if (name.empty() || name.size() > kMaxAttributeName) {
    return absl::InvalidArgumentError(
        absl::StrCat("the name of an attribute has 1 to ", kMaxAttributeName,
                     " bytes, not ", name.size()));
  }
  if (value.size() > kMaxAttributeBytes) {
    return absl::InvalidArgumentError(absl::StrCat(
        "attribute \"", ShowText(name), "\" has ", value.size(),
        " bytes; there is room for ", kMaxAttributeBytes,
        " in all of a study or a trial: keep what is larger in a file"));
  }
  if (const auto json = ParseJson(value); !json.ok()) {
    return absl::InvalidArgumentError(
        absl::StrCat("the value of attribute \"", ShowText(name),
                     "\" must be JSON: ", json.status().message()));
  }
  return absl::OkStatus();
}

absl::Status CheckRoom(std::size_t bytes) {
  if (bytes <= kMaxAttributeBytes) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(
      "the attributes would have ", bytes, " bytes; there is room for ",
      kMaxAttributeBytes,
      " in all of a study or a trial: keep what is larger in a file"));
}

// The attributes of a study or a trial, and the updates that add to them.
class Addition {
 public:
  Addition(const Metadata& present, std::optional<TrialId> trial)
      : after_(AttributesOf(present)), trial_(trial) {
    for (const auto& [name, value] : after_) {
      bytes_ += name.size() + value.size();
    }
  }

  // Returns the size of all names and values, including this one.
  std::size_t BytesWith(const std::string& name,
                        const std::string& value) const {
    const auto known = after_.find(name);
    const std::size_t before =
        known == after_.end() ? 0 : name.size() + known->second.size();
    return bytes_ - before + name.size() + value.size();
  }

  void Add(const std::string& name, const std::string& value) {
    const auto known = after_.find(name);
    if (known != after_.end() && known->second == value) return;
    bytes_ = BytesWith(name, value);
    after_.insert_or_assign(name, value);
    updates_.push_back({trial_, {kAttributeNamespace, name}, {true, value}});
  }

  std::size_t bytes() const { return bytes_; }
  std::vector<MetadataUpdate> Take() { return std::move(updates_); }

 private:
  UserAttributes after_;
  std::size_t bytes_ = 0;  // Of its names and values.
  std::optional<TrialId> trial_;
  std::vector<MetadataUpdate> updates_;
};

}  // namespace

UserAttributes AttributesOf(const Metadata& metadata) {
  UserAttributes attributes;
  const std::string space = kAttributeNamespace;
  for (auto at = metadata.lower_bound({space, ""});
       at != metadata.end() && at->first.first == space; ++at) {
    if (at->second.is_text) {
      attributes.emplace(at->first.second, at->second.value);
    }
  }
  return attributes;
}

absl::StatusOr<std::vector<MetadataUpdate>> AttributeUpdates(
    const Metadata& present, std::optional<TrialId> trial,
    const UserAttributes& set) {
  Addition addition(present, trial);
  for (const auto& [name, value] : set) {
    VERNIER_RETURN_IF_ERROR(CheckAttribute(name, value));
    addition.Add(name, value);
  }
  VERNIER_RETURN_IF_ERROR(CheckRoom(addition.bytes()));
  return addition.Take();
}

std::vector<MetadataUpdate> AttributeUpdatesOfProgram(
    const Metadata& present, TrialId trial, const UserAttributes& set,
    std::vector<std::string>* problems) {
  if (set.empty()) return {};
  Addition addition(present, trial);
  for (const auto& [name, value] : set) {
    absl::Status added = CheckAttribute(name, value);
    if (added.ok()) added = CheckRoom(addition.BytesWith(name, value));
    if (added.ok()) addition.Add(name, value);
    if (added.ok() || problems->size() >= kMaxMetricProblems) continue;
    problems->push_back(
        absl::StrCat("attribute \"", ShowText(name),
                     "\" was not set: ", std::string(added.message())));
  }
  return addition.Take();
}

std::string NoteOf(const Metadata& metadata) {
  const auto found = metadata.find({kNoteNamespace, kNote});
  const bool is_there = found != metadata.end() && found->second.is_text;
  return is_there ? found->second.value : "";
}

absl::StatusOr<MetadataUpdate> NoteUpdate(TrialId trial,
                                          const std::string& note) {
  if (note.size() > kMostNoteBytes) {
    return absl::InvalidArgumentError(absl::StrCat(
        "a note has at most ", kMostNoteBytes, " bytes, not ", note.size()));
  }
  return MetadataUpdate{trial, {kNoteNamespace, kNote}, {true, note}};
}

}  // namespace vernier

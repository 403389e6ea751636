#include "trials/study_names.h"

#include <vector>

#include "absl/strings/str_cat.h"

namespace vernier {
namespace {

constexpr std::string_view kMiddle = "/studies/";

bool IsNumberOf(const std::string& text, StudyId study) {
  return text == absl::StrCat(ToInt(study));
}

}  // namespace

std::string StudyResourceName(std::string_view parent, std::string_view name) {
  return std::string(parent) + std::string(kMiddle) + std::string(name);
}

std::string DisplayNameOf(const StudySnapshot& study) {
  const std::string& name = study.job.job_id;
  if (study.client == nullptr) return name;
  return name.substr(name.rfind(kMiddle) + kMiddle.size());
}

std::string ParentOf(const StudySnapshot& study) {
  if (study.client == nullptr) return "";
  return study.job.job_id.substr(0, study.job.job_id.rfind(kMiddle));
}

std::shared_ptr<const StoreSnapshot> JobsIn(
    const std::shared_ptr<const StoreSnapshot>& snapshot) {
  auto jobs = std::make_shared<StoreSnapshot>();
  for (const auto& [id, study] : *snapshot) {
    if (study->client == nullptr) jobs->emplace_hint(jobs->end(), id, study);
  }
  return jobs;
}

absl::StatusOr<std::shared_ptr<const StudySnapshot>> FindStudy(
    const StoreSnapshot& snapshot, const std::string& text) {
  std::vector<std::shared_ptr<const StudySnapshot>> called;
  for (const auto& [id, study] : snapshot) {
    if (study->job.job_id == text) return study;
    if (study->client == nullptr) continue;
    if (DisplayNameOf(*study) == text) called.push_back(study);
  }
  if (called.size() == 1) return called.front();
  if (called.size() > 1) {
    std::string names;
    for (const auto& study : called) {
      absl::StrAppend(&names, names.empty() ? "" : ", ", study->job.job_id);
    }
    return absl::InvalidArgumentError(absl::StrCat(
        "several studies are called \"", text, "\"; say which: ", names));
  }
  for (const auto& [id, study] : snapshot) {
    if (study->client != nullptr && IsNumberOf(text, id)) return study;
  }
  return absl::NotFoundError(
      absl::StrCat("there is no job or study \"", text, "\""));
}

}  // namespace vernier

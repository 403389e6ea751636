#include "store/study_names.h"

#include <vector>

#include "absl/strings/str_cat.h"
#include "study/job_id.h"

namespace vernier {
namespace {

constexpr std::string_view kMiddle = "/studies/";

bool IsNumberOf(const std::string& text, StudyId study) {
  return text == absl::StrCat(ToInt(study));
}

/// Finds a study by its display name or number. If `project` is null, any
/// project is searched.
absl::StatusOr<std::shared_ptr<const StudySnapshot>> FindClientStudy(
    const StoreSnapshot& snapshot, const std::string& text,
    const std::string* project) {
  std::vector<std::shared_ptr<const StudySnapshot>> called;
  std::shared_ptr<const StudySnapshot> numbered;
  for (const auto& [id, study] : snapshot) {
    if (IsJob(*study)) continue;
    if (project != nullptr && ProjectOf(*study) != *project) continue;
    if (DisplayNameOf(*study) == text) called.push_back(study);
    if (IsNumberOf(text, id)) numbered = study;
  }
  if (called.size() == 1) return called.front();
  if (called.empty() && numbered != nullptr) return numbered;
  if (called.empty()) {
    return absl::NotFoundError(
        absl::StrCat("there is no job or study \"", text, "\""));
  }
  std::string names;
  for (const auto& study : called) {
    absl::StrAppend(&names, names.empty() ? "" : ", ", study->name);
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "several studies are called \"", text, "\"; say which: ", names));
}

}  // namespace

std::string StudyResourceName(std::string_view parent, std::string_view name) {
  return std::string(parent) + std::string(kMiddle) + std::string(name);
}

std::string DisplayNameOf(const StudySnapshot& study) {
  const std::string& name = study.name;
  if (IsJob(study)) return name;
  return name.substr(name.rfind(kMiddle) + kMiddle.size());
}

std::string ParentOf(const StudySnapshot& study) {
  if (IsJob(study)) return "";
  return study.name.substr(0, study.name.rfind(kMiddle));
}

std::string ProjectOf(const StudySnapshot& study) {
  return ProjectOfName(study.name);
}

std::shared_ptr<const StudySnapshot> FindJob(const StoreSnapshot& snapshot,
                                             const std::string& job_id) {
  for (const auto& [id, study] : snapshot) {
    if (IsJob(*study) && study->name == job_id) return study;
  }
  return nullptr;
}

std::shared_ptr<const StoreSnapshot> JobsIn(
    const std::shared_ptr<const StoreSnapshot>& snapshot) {
  auto jobs = std::make_shared<StoreSnapshot>();
  for (const auto& [id, study] : *snapshot) {
    if (IsJob(*study)) jobs->emplace_hint(jobs->end(), id, study);
  }
  return jobs;
}

absl::StatusOr<std::shared_ptr<const StudySnapshot>> FindStudy(
    const StoreSnapshot& snapshot, const std::string& text) {
  for (const auto& [id, study] : snapshot) {
    if (study->name == text) return study;
  }
  if (text.find('/') != std::string::npos ||
      text.find('@') == std::string::npos) {
    return FindClientStudy(snapshot, text, nullptr);
  }
  // A study that another client named "TEXT@PROJECT" must not be found.
  const JobIdParts parts = SplitJobId(text);
  const std::string job_id = JobIdIn(parts.project, parts.name);
  for (const auto& [id, study] : snapshot) {
    if (study->name == job_id) return study;
  }
  return FindClientStudy(snapshot, parts.name, &parts.project);
}

absl::Status CheckHasTrial(const StudySnapshot& study, std::string_view name,
                           std::int64_t trial) {
  const auto count = static_cast<std::int64_t>(study.trials.size());
  if (trial >= 1 && trial <= count) return absl::OkStatus();
  return absl::NotFoundError(absl::StrCat(std::string(name), " has no trial ",
                                          trial, "; it has ", count));
}

}  // namespace vernier

// trainingInput, except its replicas and hyperparameters.

#include <string>
#include <string_view>

#include "study/job_file/job_sections.h"

namespace vernier {
namespace {

constexpr std::size_t kMaxPackageUris = 100;
// protobuf's longest Duration, 10,000 years.
constexpr std::chrono::seconds kLongestRunningTime{315'576'000'000};
// AI Platform's lower limit of maxWaitTime.
constexpr std::chrono::seconds kShortestWait{1800};
constexpr std::string_view kDefaultRegion = "local";

bool IsModuleName(std::string_view text) {
  bool begins_part = true;
  for (const char c : text) {
    const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                           c == '_' || static_cast<unsigned char>(c) >= 0x80;
    const bool is_digit = c >= '0' && c <= '9';
    if (begins_part ? !is_letter : !is_letter && !is_digit && c != '.') {
      return false;
    }
    begins_part = c == '.';
  }
  return !begins_part;
}

void ReadProgram(ObjectReader& section, TrainingInput& input) {
  input.package_uris = section.Strings("packageUris");
  if (input.package_uris.size() > kMaxPackageUris) {
    section.Error(
        "packageUris",
        "must list at most " + std::to_string(kMaxPackageUris) +
            " packages: " + std::to_string(input.package_uris.size()));
  }
  input.python_module = section.String("pythonModule").value_or("");
  if (!input.python_module.empty() && !IsModuleName(input.python_module)) {
    section.ValueError("pythonModule",
                       "must be a module's dotted name such as trainer.task");
  }
  input.args = section.Strings("args");
  if (!input.args.empty() && !input.master.config.container_args.empty()) {
    section.Error("args",
                  "must not be given together with masterConfig.containerArgs");
  }
}

void ReadVersions(ObjectReader& section, TrainingInput& input) {
  input.runtime_version = section.String("runtimeVersion").value_or("");
  if (!input.runtime_version.empty() &&
      !input.master.config.image_uri.empty()) {
    section.ValueError("runtimeVersion",
                       "must not be given together with masterConfig.imageUri");
  }
  input.python_version = section.String("pythonVersion").value_or("");
}

void ReadEncryption(ObjectReader& section) {
  section.MarkIgnored("encryptionConfig");
  ObjectReader encryption = section.Child("encryptionConfig");
  encryption.String("kmsKeyName");
  section.Attach("encryptionConfig", encryption);
}

void ReadScheduling(ObjectReader& section, TrainingInput& input) {
  ObjectReader scheduling = section.Child("scheduling");
  input.max_running_time =
      scheduling
          .Duration("maxRunningTime", std::chrono::seconds(1),
                    kLongestRunningTime)
          .value_or(input.max_running_time);
  input.max_wait_time =
      scheduling.Duration("maxWaitTime", kShortestWait, kLongestRunningTime);
  input.priority = scheduling.Integer("priority", {0, 1000}).value_or(0);
  section.Attach("scheduling", scheduling);
}

}  // namespace

TrainingInput ReadTrainingInput(ObjectReader& section,
                                const VernierSection& vernier,
                                JobCompleteness completeness) {
  TrainingInput input;
  ReadReplicas(section, MustBeComplete(completeness), input);
  ReadProgram(section, input);
  ObjectReader hyperparameters = section.Child("hyperparameters");
  if (hyperparameters.is_present()) {
    input.hyperparameters = ReadHyperparameters(
        hyperparameters, vernier,
        {.is_edit = completeness == JobCompleteness::kEdit});
    section.Attach("hyperparameters", hyperparameters);
  }
  input.region = section.String("region").value_or(std::string(kDefaultRegion));
  input.job_dir = section.String("jobDir").value_or("");
  if (input.job_dir.rfind("gs:", 0) == 0 &&
      input.job_dir.rfind("gs://", 0) != 0) {
    section.ValueError("jobDir",
                       "a bucket's folder has two slashes, gs://BUCKET/...");
  }
  ReadVersions(section, input);
  ReadEncryption(section);
  ReadScheduling(section, input);
  section.MarkIgnored("network");
  section.String("network");
  section.MarkIgnored("serviceAccount");
  section.String("serviceAccount");
  input.use_chief_in_tf_config =
      section.Bool("useChiefInTfConfig").value_or(false);
  section.MarkIgnored("enableWebAccess");
  section.Bool("enableWebAccess");
  return input;
}

}  // namespace vernier

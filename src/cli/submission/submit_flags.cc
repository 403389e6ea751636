#include "cli/submission/submit_flags.h"

#include <CLI/CLI.hpp>
#include <charconv>
#include <cstdint>
#include <filesystem>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "base/json.h"
#include "base/status_macros.h"

namespace vernier {
namespace {

using Path = std::vector<std::string>;

/// Collects overrides in the order of gcloud's documentation.
class OverrideList {
 public:
  void Text(const std::optional<std::string>& value, Path path,
            const std::string& flag) {
    if (value.has_value()) Add(Json(*value), std::move(path), flag);
  }
  template <typename Value>
  void Plain(const std::optional<Value>& value, Path path,
             const std::string& flag) {
    if (value.has_value()) Add(Json(*value), std::move(path), flag);
  }
  void Add(const Json& value, Path path, const std::string& flag) {
    overrides_.push_back({std::move(path), DumpJson(value), flag});
  }
  std::vector<FieldOverride> Take() { return std::move(overrides_); }

 private:
  std::vector<FieldOverride> overrides_;
};

/// Converts "standard-1" and "STANDARD_1" to "STANDARD_1".
std::string UpperWithUnderscores(const std::string& text) {
  return absl::StrReplaceAll(absl::AsciiStrToUpper(text), {{"-", "_"}});
}

/// Makes a local path absolute. A URI is left unchanged, even a mistyped one,
/// because the parser has the better message.
std::string AbsoluteUnlessUri(const std::string& path) {
  if (absl::StrContains(path, "://") || path.rfind("gs:", 0) == 0) return path;
  return std::filesystem::absolute(path).lexically_normal().string();
}

absl::StatusOr<Json> Accelerator(const std::string& flag,
                                 const std::string& text) {
  VERNIER_ASSIGN_OR_RETURN(const auto pairs, ParsePairs(flag, text));
  Json config = Json::object();
  for (const auto& [key, value] : pairs) {
    if (key == "count") {
      std::int64_t count = 0;
      const auto read =
          std::from_chars(value.data(), value.data() + value.size(), count);
      if (read.ec != std::errc() || read.ptr != value.data() + value.size()) {
        return absl::InvalidArgumentError(absl::StrCat(
            flag, ": count must be a whole number: \"", value, "\""));
      }
      config["count"] = absl::StrCat(count);
    } else if (key == "type") {
      config["type"] = UpperWithUnderscores(value);
    } else {
      return absl::InvalidArgumentError(
          absl::StrCat(flag, ": unknown key \"", key,
                       "\"; it is count=N,type=nvidia-tesla-k80"));
    }
  }
  if (!config.contains("type")) {
    return absl::InvalidArgumentError(
        absl::StrCat(flag, ": type is missing: \"", text,
                     "\"; it is count=N,type=nvidia-tesla-k80"));
  }
  if (!config.contains("count")) config["count"] = "1";
  return config;
}

absl::Status AddReplicas(const ReplicaFlags& flags, const std::string& role,
                         const std::string& flag_prefix, OverrideList* list) {
  list->Text(flags.machine_type, {"trainingInput", role + "Type"},
             flag_prefix + "-machine-type");
  const std::string config = role + "Config";
  list->Text(flags.image_uri, {"trainingInput", config, "imageUri"},
             flag_prefix + "-image-uri");
  if (!flags.accelerator.has_value()) return absl::OkStatus();
  const std::string flag = flag_prefix + "-accelerator";
  VERNIER_ASSIGN_OR_RETURN(const Json accelerator,
                           Accelerator(flag, *flags.accelerator));
  list->Add(accelerator, {"trainingInput", config, "acceleratorConfig"}, flag);
  return absl::OkStatus();
}

absl::Status AddLabels(const std::vector<std::string>& labels,
                       OverrideList* list) {
  if (labels.empty()) return absl::OkStatus();
  Json object = Json::object();
  for (const std::string& each : labels) {
    VERNIER_ASSIGN_OR_RETURN(const auto pairs, ParsePairs("--labels", each));
    for (const auto& [key, value] : pairs) object[key] = value;
  }
  list->Add(object, {"labels"}, "--labels");
  return absl::OkStatus();
}

/// A flag that may be given as --name, --name=true or --name=false.
void DeclareSwitch(CLI::App& app, const std::string& name,
                   const std::string& help, std::optional<bool>* value) {
  app.add_flag_function(
      name, [value](std::int64_t count) { *value = count > 0; }, help);
}

void DeclareReplicaFlags(CLI::App& app, const std::string& role,
                         ReplicaFlags* flags) {
  app.add_option("--" + role + "-machine-type", flags->machine_type,
                 "Machine type of the " + role);
  app.add_option("--" + role + "-image-uri", flags->image_uri,
                 "Container image of the " + role);
  app.add_option("--" + role + "-accelerator", flags->accelerator,
                 "count=N,type=TYPE: GPUs of each " + role);
}

}  // namespace

absl::StatusOr<std::vector<std::pair<std::string, std::string>>> ParsePairs(
    const std::string& flag, const std::string& text) {
  std::vector<std::pair<std::string, std::string>> pairs;
  const std::vector<std::string> parts = absl::StrSplit(text, ',');
  for (const std::string& each : parts) {
    const std::size_t equals = each.find('=');
    if (equals == std::string::npos || equals == 0) {
      return absl::InvalidArgumentError(absl::StrCat(
          flag, " must be KEY=VALUE[,KEY=VALUE...]: \"", text, "\""));
    }
    pairs.emplace_back(each.substr(0, equals), each.substr(equals + 1));
  }
  return pairs;
}

void DeclareSubmitFlags(CLI::App& app, SubmitFlags* flags) {
  app.add_option("--config", flags->config, "Job file, YAML or JSON");
  app.add_option("--package-path", flags->package_path,
                 "Folder of a Python package, copied at submission");
  app.add_option("--packages", flags->packages,
                 "Package archives, comma-separated");
  app.add_option("--module-name", flags->module_name,
                 "Python module that is run");
  app.add_option("--region", flags->region, "Accepted; there is one place");
  app.add_option("--staging-bucket", flags->staging_bucket,
                 "Accepted; nothing is staged");
  app.add_option("--job-dir", flags->job_dir,
                 "Folder for what the trials write; each gets DIR/TRIAL");
  app.add_option("--scale-tier", flags->scale_tier,
                 "basic, standard-1, premium-1, basic-gpu, basic-tpu, custom");
  app.add_option("--runtime-version", flags->runtime_version,
                 "Chooses the Python, by the service's table");
  app.add_option("--python-version", flags->python_version, "Likewise");
  DeclareReplicaFlags(app, "master", &flags->master);
  DeclareReplicaFlags(app, "worker", &flags->worker);
  DeclareReplicaFlags(app, "parameter-server", &flags->parameter_server);
  app.add_option("--worker-count", flags->worker_count, "Number of workers");
  app.add_option("--parameter-server-count", flags->parameter_server_count,
                 "Number of parameter servers");
  app.add_option("--tpu-tf-version", flags->tpu_tf_version, "Accepted");
  DeclareSwitch(app, "--use-chief-in-tf-config",
                "Call the first replica chief instead of master",
                &flags->use_chief_in_tf_config);
  app.add_option("--labels", flags->labels, "KEY=VALUE,...");
  DeclareEnvironmentFlags(app, &flags->environment);
  app.add_option("--network", flags->network, "Accepted");
  app.add_option("--service-account", flags->service_account, "Accepted");
  app.add_option("--kms-key", flags->kms_key, "Accepted");
  DeclareSwitch(app, "--enable-web-access", "Accepted",
                &flags->enable_web_access);
  app.add_flag("--stream-logs", flags->stream_logs,
               "Print the logs until the job ends; exit 1 unless it succeeded");
  app.add_flag("--async", flags->async, "Return at once (the default)");
  app.add_flag("--validate-only", flags->validate_only,
               "Print the merged job and submit nothing");
}

absl::StatusOr<std::vector<FieldOverride>> OverridesOf(
    const SubmitFlags& flags, const std::string& job_id,
    const std::optional<std::vector<std::string>>& args) {
  OverrideList list;
  if (!job_id.empty()) list.Add(Json(job_id), {"jobId"}, "the job's name");
  if (flags.scale_tier.has_value()) {
    list.Add(Json(UpperWithUnderscores(*flags.scale_tier)),
             {"trainingInput", "scaleTier"}, "--scale-tier");
  }
  VERNIER_RETURN_IF_ERROR(
      AddReplicas(flags.master, "master", "--master", &list));
  VERNIER_RETURN_IF_ERROR(
      AddReplicas(flags.worker, "worker", "--worker", &list));
  VERNIER_RETURN_IF_ERROR(AddReplicas(flags.parameter_server, "parameterServer",
                                      "--parameter-server", &list));
  list.Plain(flags.worker_count, {"trainingInput", "workerCount"},
             "--worker-count");
  list.Plain(flags.parameter_server_count,
             {"trainingInput", "parameterServerCount"},
             "--parameter-server-count");
  list.Text(flags.tpu_tf_version,
            {"trainingInput", "workerConfig", "tpuTfVersion"},
            "--tpu-tf-version");
  list.Plain(flags.use_chief_in_tf_config,
             {"trainingInput", "useChiefInTfConfig"},
             "--use-chief-in-tf-config");
  list.Text(flags.module_name, {"trainingInput", "pythonModule"},
            "--module-name");
  if (flags.packages.has_value()) {
    Json uris = Json::array();
    const std::vector<std::string> packages =
        absl::StrSplit(*flags.packages, ',');
    for (const std::string& each : packages) {
      uris.push_back(AbsoluteUnlessUri(each));
    }
    list.Add(uris, {"trainingInput", "packageUris"}, "--packages");
  }
  list.Text(flags.region, {"trainingInput", "region"}, "--region");
  if (flags.job_dir.has_value()) {
    list.Add(Json(AbsoluteUnlessUri(*flags.job_dir)),
             {"trainingInput", "jobDir"}, "--job-dir");
  }
  list.Text(flags.runtime_version, {"trainingInput", "runtimeVersion"},
            "--runtime-version");
  list.Text(flags.python_version, {"trainingInput", "pythonVersion"},
            "--python-version");
  list.Text(flags.network, {"trainingInput", "network"}, "--network");
  list.Text(flags.service_account, {"trainingInput", "serviceAccount"},
            "--service-account");
  list.Text(flags.kms_key, {"trainingInput", "encryptionConfig", "kmsKeyName"},
            "--kms-key");
  list.Plain(flags.enable_web_access, {"trainingInput", "enableWebAccess"},
             "--enable-web-access");
  VERNIER_RETURN_IF_ERROR(AddLabels(flags.labels, &list));
  if (args.has_value()) {
    list.Add(Json(*args), {"trainingInput", "args"}, "arguments after --");
  }
  return list.Take();
}

}  // namespace vernier

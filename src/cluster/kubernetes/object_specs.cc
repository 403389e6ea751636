#include "cluster/kubernetes/object_specs.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "base/json.h"
#include "base/status_macros.h"
#include "cluster/kubernetes/object_names.h"

namespace vernier {
namespace {

// Kubernetes must never run a program twice, because the service itself decides
// about retries: pods are not restarted, Jobs have no retries, and JobSets no
// restarts. A gang is either one JobSet with a replicated Job for each role,
// whose pods have one template in common, or one Job for each replica, with a
// headless Service for the host names.

constexpr char kContainer[] = "main";
constexpr char kQueueLabel[] = "kueue.x-k8s.io/queue-name";
constexpr char kIndexVariable[] = "VERNIER_REPLICA_INDEX";
constexpr char kRankVariable[] = "VERNIER_REPLICA_RANK";

Json MapJson(const std::map<std::string, std::string>& map) {
  Json json = Json::object();
  for (const auto& [key, value] : map) json[key] = value;
  return json;
}

// Escapes the words, since Kubernetes would expand $(NAME) in them.
Json WordsJson(const std::vector<std::string>& words) {
  Json json = Json::array();
  for (const std::string& word : words) json.push_back(EscapeDollar(word));
  return json;
}

std::map<std::string, std::string> LabelsOf(const PodGang& gang) {
  std::map<std::string, std::string> labels = gang.options.labels;
  labels[kInstanceLabel] = gang.instance;
  labels[kAttemptLabel] = gang.nonce;
  labels[kJobLabel] = AsLabelValue(gang.job);
  labels[kTrialLabel] = gang.trial;
  return labels;
}

Json Metadata(const PodGang& gang, const std::string& name, bool is_primary) {
  std::map<std::string, std::string> labels = LabelsOf(gang);
  if (is_primary) labels[kPartLabel] = kPrimaryPart;
  Json json = Json::object();
  json["name"] = name;
  json["namespace"] = gang.name_space;
  json["labels"] = MapJson(labels);
  if (!gang.options.annotations.empty()) {
    json["annotations"] = MapJson(gang.options.annotations);
  }
  return json;
}

Json FieldVariable(const std::string& name, const std::string& label) {
  return Json{
      {"name", name},
      {"valueFrom",
       {{"fieldRef",
         {{"fieldPath", absl::StrCat("metadata.labels['", label, "']")}}}}}};
}

// Returns `values` in Kubernetes' notation. Variables that these refer to come
// first.
Json EnvironmentJson(const PodGang& gang, const Environment& values,
                     bool has_placeholders) {
  Json json = Json::array();
  if (has_placeholders) {
    json.push_back(
        FieldVariable(kIndexVariable, "jobset.sigs.k8s.io/job-index"));
    json.push_back(
        FieldVariable(kRankVariable, "jobset.sigs.k8s.io/job-global-index"));
  }
  for (const auto& [name, value] : values) {
    json.push_back({{"name", name}, {"value", value}});
  }
  for (const auto& [name, value] : gang.secrets) {
    json.push_back(
        {{"name", name},
         {"valueFrom",
          {{"secretKeyRef", {{"name", gang.name}, {"key", name}}}}}});
  }
  return json;
}

Json ResourcesJson(const PodGang& gang, const PodRole& role) {
  Json amounts = Json::object();
  if (!gang.options.cpus_per_replica.empty()) {
    amounts["cpu"] = gang.options.cpus_per_replica;
  }
  if (gang.options.memory_mb.has_value()) {
    amounts["memory"] = absl::StrCat(*gang.options.memory_mb, "Mi");
  }
  if (role.gpus > 0) {
    amounts[gang.options.gpu_resource] = std::to_string(role.gpus);
  }
  return Json{{"limits", amounts}, {"requests", amounts}};
}

// Parses "KEY=VALUE:EFFECT", "KEY:EFFECT" or "KEY".
Json TolerationJson(const std::string& text) {
  Json json = Json::object();
  const std::size_t colon = text.rfind(':');
  const std::string taint = text.substr(0, colon);
  const std::size_t equals = taint.find('=');
  json["key"] = taint.substr(0, equals);
  json["operator"] = equals == std::string::npos ? "Exists" : "Equal";
  if (equals != std::string::npos) json["value"] = taint.substr(equals + 1);
  if (colon != std::string::npos) json["effect"] = text.substr(colon + 1);
  return json;
}

struct Mounts {
  Json volumes = Json::array();
  Json mounts = Json::array();
};

Mounts MountsOf(const PodGang& gang) {
  Mounts all;
  std::map<std::string, std::string> names;  // By claim.
  const auto add = [&](const KubernetesOptions::Volume& volume) {
    const auto [place, is_new] =
        names.try_emplace(volume.claim, absl::StrCat("claim-", names.size()));
    if (is_new) {
      all.volumes.push_back(
          {{"name", place->second},
           {"persistentVolumeClaim", {{"claimName", volume.claim}}}});
    }
    Json mount = {{"name", place->second}, {"mountPath", volume.mount_path}};
    if (!volume.sub_path.empty()) mount["subPath"] = volume.sub_path;
    if (volume.is_read_only) mount["readOnly"] = true;
    all.mounts.push_back(std::move(mount));
  };
  if (!gang.data_claim.empty())
    add({gang.data_claim, gang.data_dir, "", false});
  for (const auto& volume : gang.options.volumes) add(volume);
  if (gang.options.shm_mb.has_value()) {
    all.volumes.push_back(
        {{"name", "shm"},
         {"emptyDir",
          {{"medium", "Memory"},
           {"sizeLimit", absl::StrCat(*gang.options.shm_mb, "Mi")}}}});
    all.mounts.push_back({{"name", "shm"}, {"mountPath", "/dev/shm"}});
  }
  return all;
}

Json ContainerJson(const PodGang& gang, const PodRole& role, Json environment,
                   Json mounts) {
  Json json = Json::object();
  json["name"] = kContainer;
  json["image"] = role.image;
  if (!role.command.empty()) json["command"] = WordsJson(role.command);
  if (!role.arguments.empty()) json["args"] = WordsJson(role.arguments);
  if (!role.work_dir.empty()) json["workingDir"] = role.work_dir;
  json["env"] = std::move(environment);
  json["resources"] = ResourcesJson(gang, role);
  if (!mounts.empty()) json["volumeMounts"] = std::move(mounts);
  // This shows the program's last output even if the log cannot be read.
  json["terminationMessagePolicy"] = "FallbackToLogsOnError";
  return json;
}

void AddPlacement(const PodGang& gang, const PodRole& role, Json* pod) {
  const KubernetesOptions& options = gang.options;
  std::map<std::string, std::string> selector = role.node_selector;
  for (const auto& [key, value] : options.node_selector) selector[key] = value;
  if (!selector.empty()) (*pod)["nodeSelector"] = MapJson(selector);
  for (const std::string& toleration : options.tolerations) {
    (*pod)["tolerations"].push_back(TolerationJson(toleration));
  }
  for (const std::string& secret : options.image_pull_secrets) {
    (*pod)["imagePullSecrets"].push_back({{"name", secret}});
  }
  if (!options.scheduler.empty()) (*pod)["schedulerName"] = options.scheduler;
  if (!options.priority_class.empty()) {
    (*pod)["priorityClassName"] = options.priority_class;
  }
  if (options.service_account.empty()) {
    // A program needs no rights in the cluster, unless its job asks for them.
    (*pod)["automountServiceAccountToken"] = false;
  } else {
    (*pod)["serviceAccountName"] = options.service_account;
  }
}

// Returns the template of the pods of a role: for all its replicas, or for one.
absl::StatusOr<Json> PodJson(const PodGang& gang, const PodRole& role,
                             std::optional<std::size_t> replica) {
  const bool is_common = !replica.has_value();
  VERNIER_ASSIGN_OR_RETURN(
      const Environment environment,
      CommonEnvironment(
          is_common ? role.environments
                    : std::vector<Environment>{role.environments[*replica]},
          absl::StrCat("$(", kIndexVariable, ")"),
          absl::StrCat("$(", kRankVariable, ")")));
  std::map<std::string, std::string> labels = LabelsOf(gang);
  labels[kRoleLabel] = std::string(ToString(role.role));
  Mounts mounts = MountsOf(gang);
  Json pod = Json::object();
  pod["restartPolicy"] = "Never";
  // A JobSet sets this in its own pods.
  if (!is_common) pod["subdomain"] = gang.name;
  pod["terminationGracePeriodSeconds"] =
      std::max<std::int64_t>(gang.kill_grace.count(), 1);
  if (gang.deadline.has_value()) {
    pod["activeDeadlineSeconds"] = gang.deadline->count();
  }
  pod["enableServiceLinks"] = false;
  if (gang.user.has_value()) {
    pod["securityContext"] = {{"runAsUser", *gang.user},
                              {"runAsGroup", gang.group.value_or(0)}};
  }
  AddPlacement(gang, role, &pod);
  pod["containers"] = Json::array(
      {ContainerJson(gang, role,
                     EnvironmentJson(gang, environment,
                                     is_common && role.environments.size() > 1),
                     std::move(mounts.mounts))});
  if (!mounts.volumes.empty()) pod["volumes"] = std::move(mounts.volumes);
  Json metadata = {{"labels", MapJson(labels)}};
  if (!gang.options.annotations.empty()) {
    metadata["annotations"] = MapJson(gang.options.annotations);
  }
  return Json{{"metadata", std::move(metadata)}, {"spec", std::move(pod)}};
}

// Returns a Job that never starts anything a second time.
Json JobJson(Json pod) {
  return Json{{"completionMode", "Indexed"},
              {"completions", 1},
              {"parallelism", 1},
              {"backoffLimit", 0},
              {"podReplacementPolicy", "Failed"},
              {"template", std::move(pod)}};
}

absl::StatusOr<Json> JobSetJson(const PodGang& gang) {
  Json roles = Json::array();
  for (const PodRole& role : gang.roles) {
    VERNIER_ASSIGN_OR_RETURN(Json pod, PodJson(gang, role, std::nullopt));
    roles.push_back({{"name", std::string(ToString(role.role))},
                     {"replicas", role.environments.size()},
                     {"template", {{"spec", JobJson(std::move(pod))}}}});
  }
  Json spec = Json::object();
  spec["network"] = {{"enableDNSHostnames", true},
                     {"publishNotReadyAddresses", true}};
  spec["successPolicy"] = {{"operator", "All"},
                           {"targetReplicatedJobs",
                            {std::string(ToString(gang.roles.front().role))}}};
  spec["failurePolicy"] = {{"maxRestarts", 0}};
  spec["ttlSecondsAfterFinished"] = gang.time_to_live.count();
  spec["replicatedJobs"] = std::move(roles);
  return spec;
}

void AddQueue(const PodGang& gang, Json* metadata) {
  if (gang.options.queue.empty()) return;
  (*metadata)["labels"][kQueueLabel] = gang.options.queue;
}

absl::StatusOr<ObjectSpec> ReplicaJobSpec(const PodGang& gang,
                                          const PodRole& role,
                                          std::size_t replica,
                                          bool is_primary) {
  const std::string name =
      ReplicaJobName(gang.name, {role.role, static_cast<int>(replica)});
  VERNIER_ASSIGN_OR_RETURN(Json pod, PodJson(gang, role, replica));
  Json object = Json::object();
  object["apiVersion"] = "batch/v1";
  object["kind"] = "Job";
  object["metadata"] = Metadata(gang, name, is_primary);
  AddQueue(gang, &object["metadata"]);
  object["spec"] = JobJson(std::move(pod));
  if (is_primary) {
    object["spec"]["ttlSecondsAfterFinished"] = gang.time_to_live.count();
  }
  return ObjectSpec{CollectionPath(GangKind::kJobs, gang.name_space), name,
                    DumpJson(object)};
}

Json OwnersJson(GangKind kind, const PodGang& gang, const std::string& owner) {
  const bool is_set = kind == GangKind::kJobSet;
  return Json::array(
      {{{"apiVersion", is_set ? "jobset.x-k8s.io/v1alpha2" : "batch/v1"},
        {"kind", is_set ? "JobSet" : "Job"},
        {"name", PrimaryOf(kind, gang.name_space, gang.name).name},
        {"uid", owner},
        {"blockOwnerDeletion", true}}});
}

Json SecretJson(const PodGang& gang) {
  Json data = Json::object();
  for (const auto& [name, value] : gang.secrets) {
    data[name] = absl::Base64Escape(value);
  }
  return Json{{"apiVersion", "v1"},
              {"kind", "Secret"},
              {"metadata", Metadata(gang, gang.name, false)},
              {"type", "Opaque"},
              {"data", std::move(data)}};
}

Json ServiceJson(const PodGang& gang) {
  return Json{{"apiVersion", "v1"},
              {"kind", "Service"},
              {"metadata", Metadata(gang, gang.name, false)},
              {"spec",
               {{"clusterIP", "None"},
                {"publishNotReadyAddresses", true},
                {"selector", {{kAttemptLabel, gang.nonce}}}}}};
}

// Adds `owners` to the object's metadata.
absl::Status AddOwners(const Json& owners, ObjectSpec* object) {
  VERNIER_ASSIGN_OR_RETURN(Json json, ParseJson(object->json));
  json["metadata"]["ownerReferences"] = owners;
  object->json = DumpJson(json);
  return absl::OkStatus();
}

}  // namespace

PrimaryObject PrimaryOf(GangKind kind, const std::string& name_space,
                        const std::string& gang) {
  return {kind, name_space,
          kind == GangKind::kJobSet
              ? gang
              : ReplicaJobName(gang, {ReplicaRole::kMaster, 0})};
}

std::string CollectionPath(GangKind kind, const std::string& name_space) {
  return kind == GangKind::kJobSet
             ? absl::StrCat("/apis/jobset.x-k8s.io/v1alpha2/namespaces/",
                            name_space, "/jobsets")
             : absl::StrCat("/apis/batch/v1/namespaces/", name_space, "/jobs");
}

std::string PodsPath(const std::string& name_space) {
  return absl::StrCat("/api/v1/namespaces/", name_space, "/pods");
}

absl::StatusOr<ObjectSpec> PrimarySpec(GangKind kind, const PodGang& gang) {
  if (kind == GangKind::kJobs) {
    return ReplicaJobSpec(gang, gang.roles.front(), 0, /*is_primary=*/true);
  }
  Json object = Json::object();
  object["apiVersion"] = "jobset.x-k8s.io/v1alpha2";
  object["kind"] = "JobSet";
  object["metadata"] = Metadata(gang, gang.name, /*is_primary=*/true);
  AddQueue(gang, &object["metadata"]);
  VERNIER_ASSIGN_OR_RETURN(object["spec"], JobSetJson(gang));
  return ObjectSpec{CollectionPath(kind, gang.name_space), gang.name,
                    DumpJson(object)};
}

absl::StatusOr<std::vector<ObjectSpec>> DependentSpecs(
    GangKind kind, const PodGang& gang, const std::string& owner) {
  const std::string core = absl::StrCat("/api/v1/namespaces/", gang.name_space);
  std::vector<ObjectSpec> objects;
  if (!gang.secrets.empty()) {
    objects.push_back(
        {core + "/secrets", gang.name, DumpJson(SecretJson(gang))});
  }
  if (kind == GangKind::kJobs) {
    objects.push_back(
        {core + "/services", gang.name, DumpJson(ServiceJson(gang))});
    for (const PodRole& role : gang.roles) {
      for (std::size_t i = 0; i < role.environments.size(); ++i) {
        if (role.role == ReplicaRole::kMaster) continue;
        VERNIER_ASSIGN_OR_RETURN(ObjectSpec job,
                                 ReplicaJobSpec(gang, role, i, false));
        objects.push_back(std::move(job));
      }
    }
  }
  const Json owners = OwnersJson(kind, gang, owner);
  for (ObjectSpec& object : objects) {
    VERNIER_RETURN_IF_ERROR(AddOwners(owners, &object));
  }
  return objects;
}

ObjectSpec TombstoneSpec(const PrimaryObject& primary,
                         const std::string& instance,
                         const std::string& nonce) {
  const Json pod = {
      {"spec",
       {{"restartPolicy", "Never"},
        {"containers", Json::array({{{"name", kContainer},
                                     {"image", "vernier/revoked"}}})}}}};
  Json job = JobJson(pod);
  job["parallelism"] = 0;
  const bool is_set = primary.kind == GangKind::kJobSet;
  Json object = Json::object();
  object["apiVersion"] = is_set ? "jobset.x-k8s.io/v1alpha2" : "batch/v1";
  object["kind"] = is_set ? "JobSet" : "Job";
  object["metadata"] = {{"name", primary.name},
                        {"namespace", primary.name_space},
                        {"labels",
                         {{kInstanceLabel, instance},
                          {kAttemptLabel, nonce},
                          {kPartLabel, kPrimaryPart},
                          {kRevokedLabel, "true"}}}};
  if (is_set) {
    object["spec"] = {
        {"suspend", true},
        // Otherwise JobSet's controller makes a Service for it.
        {"network", {{"enableDNSHostnames", false}}},
        {"replicatedJobs",
         Json::array({{{"name", "master"},
                       {"replicas", 0},
                       {"template", {{"spec", std::move(job)}}}}})}};
  } else {
    job["suspend"] = true;
    object["spec"] = std::move(job);
  }
  return {CollectionPath(primary.kind, primary.name_space), primary.name,
          DumpJson(object)};
}

std::string DeleteOptionsJson(const char* propagation, std::int64_t grace) {
  std::string body = "{\"kind\":\"DeleteOptions\",\"apiVersion\":\"v1\"";
  if (grace >= 0) absl::StrAppend(&body, ",\"gracePeriodSeconds\":", grace);
  if (propagation != nullptr) {
    absl::StrAppend(&body, ",\"propagationPolicy\":\"", propagation, "\"");
  }
  return body + "}";
}

}  // namespace vernier

#include "study/katib_file/katib_trial_template.h"

#include <algorithm>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/shown_text.h"
#include "study/study_file/job_tree.h"

namespace vernier {
namespace {

// A field of the pod, and its path in a job file; empty: it is read elsewhere,
// or has no effect that one would miss.
constexpr std::pair<std::string_view, std::string_view> kPodFields[] = {
    {"nodeSelector", "vernier.kubernetes.nodeSelector"},
    {"serviceAccountName", "vernier.kubernetes.serviceAccount"},
    {"priorityClassName", "vernier.kubernetes.priorityClass"},
    {"schedulerName", "vernier.kubernetes.scheduler"},
    {"restartPolicy", ""},
    {"containers", ""},
    {"volumes", ""},
};

void LeaveOutOthers(const ForeignNode& map,
                    std::initializer_list<std::string_view> known) {
  for (const ForeignNode& member : map.members()) {
    if (std::find(known.begin(), known.end(), member.key()) == known.end()) {
      member.LeaveOut("has no counterpart");
    }
  }
}

// [{key, operator, value, effect}] -> "KEY=VALUE:EFFECT".
void PutTolerations(const ForeignNode& member) {
  ConfigNode* const list = member.job().List(member.value().at());
  for (const ForeignNode& item : member.items()) {
    std::string toleration = item.Find("key").text();
    if (const std::string value = item.Find("value").text(); !value.empty()) {
      absl::StrAppend(&toleration, "=", value);
    }
    if (const std::string effect = item.Find("effect").text();
        !effect.empty()) {
      absl::StrAppend(&toleration, ":", effect);
    }
    list->items.push_back(item.With(toleration).get());
  }
  member.With(list).Put("vernier.kubernetes.tolerations");
}

void PutPullSecrets(const ForeignNode& member) {
  ConfigNode* const list = member.job().List(member.value().at());
  for (const ForeignNode& item : member.items()) {
    const ForeignNode name = item.Find("name");
    if (name) list->items.push_back(name.get());
  }
  member.With(list).Put("vernier.kubernetes.imagePullSecrets");
}

void PutPodField(const ForeignNode& member) {
  if (member.key() == "tolerations") return PutTolerations(member);
  if (member.key() == "imagePullSecrets") return PutPullSecrets(member);
  const auto* const field = std::find_if(
      std::begin(kPodFields), std::end(kPodFields),
      [&](const auto& each) { return each.first == member.key(); });
  if (field == std::end(kPodFields)) {
    member.LeaveOut("has no counterpart");
  } else if (!field->second.empty()) {
    member.Put(field->second);
  }
}

void PutVariables(const ForeignNode& member) {
  ConfigNode* const map = member.job().Map(member.value().at());
  for (const ForeignNode& item : member.items()) {
    const ForeignNode name = item.Find("name");
    const ForeignNode value = item.Find("value");
    if (!name || !value) {
      item.LeaveOut(
          "is no variable with a value: what valueFrom names is not read");
    } else if (value.text().find("${trialParameters.") != std::string::npos) {
      value.Error(
          "a parameter in a variable has no counterpart; pass it in the "
          "command");
    } else {
      map->members.push_back({name.text(), name.at(), value.get()});
    }
  }
  member.With(map).Put("vernier.environment");
}

// Job files have the binary units of Kubernetes, without their "i".
void PutMemory(const ForeignNode& member) {
  std::string text = member.text();
  if (!text.ends_with("Mi") && !text.ends_with("Gi") && !text.ends_with("Ti")) {
    return member.value().Error(
        absl::StrCat("must be in Mi, Gi or Ti: \"", ShowText(text), "\""));
  }
  text.pop_back();
  member.PutText("vernier.kubernetes.memoryPerReplica", text);
}

void PutResources(const ForeignNode& resources) {
  LeaveOutOthers(resources, {"limits", "requests"});
  ForeignNode limits = resources.Find("limits");
  if (!limits) limits = resources.Find("requests");
  for (const ForeignNode& member : limits.members()) {
    if (member.key() == "cpu") {
      member.PutText("vernier.kubernetes.cpusPerReplica", member.text());
    } else if (member.key() == "memory") {
      PutMemory(member);
    } else if (member.key() == "nvidia.com/gpu") {
      member.With(member.text(), true).Put("vernier.gpusPerReplica");
    } else {
      member.LeaveOut("is no resource that a job can ask for");
    }
  }
}

// Returns the claim of a volume, which is not there if it is another kind.
ForeignNode ClaimOf(const ForeignNode& volumes, const ForeignNode& name) {
  for (const ForeignNode& volume : volumes.items()) {
    const ForeignNode own = volume.Find("name");
    if (!name || !own || own.text() != name.text()) continue;
    return volume.Find("persistentVolumeClaim").Find("claimName");
  }
  return volumes.With(nullptr);
}

void PutMounts(const ForeignNode& member, const ForeignNode& volumes) {
  ConfigNode* const list = member.job().List(member.value().at());
  for (const ForeignNode& item : member.items()) {
    const ForeignNode claim = ClaimOf(volumes, item.Find("name"));
    if (!claim) {
      item.LeaveOut("mounts no persistentVolumeClaim");
      continue;
    }
    ConfigNode* const one = member.job().Map(item.at());
    one->members.push_back({"claim", claim.at(), claim.get()});
    for (const ConfigMember& field : item.get()->members) {
      if (field.key != "name") one->members.push_back(field);
    }
    list->items.push_back(one);
  }
  if (list->items.empty()) return;
  member.With(list).Put("vernier.kubernetes.volumes");
}

/// Turns a trial template into fields of a job file.
class TrialTemplate {
 public:
  explicit TrialTemplate(const ForeignNode& file) : file_(file) {}

  void Put() {
    for (const ForeignNode& item : file_.Find("trialParameters").items()) {
      const ForeignNode reference = item.Find("reference");
      if (!item.Find("name") || !reference) continue;
      references_[item.Find("name").text()] = reference.text();
    }
    LeaveOutOthers(file_,
                   {"trialParameters", "trialSpec", "primaryContainerName"});
    const ForeignNode spec = file_.Find("trialSpec");
    if (!spec.is_map()) {
      return file_.Called(spec.word())
          .Error(
              "must be a mapping: the Job of a trial; the template of a "
              "ConfigMap is not read");
    }
    const ForeignNode kind = spec.Find("kind");
    if (kind.text() != "Job") {
      return kind.Error(
          "must be Job: other kinds have no counterpart; give their programs "
          "as roles of a study file");
    }
    PutPod(spec);
  }

 private:
  void PutPod(const ForeignNode& spec) {
    const ForeignNode job = spec.Find("spec");
    LeaveOutOthers(job, {"template"});
    const ForeignNode pod = job.Find("template").Find("spec");
    const ForeignNode containers = pod.Find("containers");
    if (containers.items().empty()) {
      return spec.Called(containers.word())
          .Error("must list the trial's container");
    }
    spec.PutText("vernier.launcher", "kubernetes");
    for (const ForeignNode& member : pod.members()) PutPodField(member);
    PutContainers(containers, pod.Find("volumes"));
    if (!has_places_) return;
    spec.Called("spec.trialTemplate.trialParameters")
        .PutText("vernier.argStyle", "PLACEHOLDERS");
  }

  void PutContainers(const ForeignNode& containers,
                     const ForeignNode& volumes) {
    const std::string primary = file_.Find("primaryContainerName").text();
    const bool is_one = containers.items().size() == 1;
    ForeignNode found = containers.With(nullptr);
    for (const ForeignNode& container : containers.items()) {
      const ForeignNode name = container.Find("name");
      const bool is_it = is_one || (name && name.text() == primary);
      if (is_it && !found) {
        found = container;
      } else {
        container.LeaveOut(
            "is not the primary container, which a job runs alone");
      }
    }
    if (found) return PutContainer(found, volumes);
    containers.Error(
        absl::StrCat("none is called as primaryContainerName says: \"",
                     ShowText(primary), "\""));
  }

  void PutContainer(const ForeignNode& container, const ForeignNode& volumes) {
    for (const ForeignNode& member : container.members()) {
      if (member.key() == "image") {
        member.Put("trainingInput.masterConfig.imageUri");
      } else if (member.key() == "command") {
        PutWords("trainingInput.masterConfig.containerCommand", member);
      } else if (member.key() == "args") {
        PutWords("trainingInput.masterConfig.containerArgs", member);
      } else if (member.key() == "env") {
        PutVariables(member);
      } else if (member.key() == "resources") {
        PutResources(member);
      } else if (member.key() == "volumeMounts") {
        PutMounts(member, volumes);
      } else if (member.key() != "name") {
        member.LeaveOut("has no counterpart");
      }
    }
  }

  void PutWords(std::string_view path, const ForeignNode& member) {
    ConfigNode* const list = member.job().List(member.value().at());
    for (const ForeignNode& item : member.items()) {
      list->items.push_back(Replaced(item));
    }
    member.With(list).Put(path);
  }

  // Returns the text with places for `${trialParameters.NAME}`. A reference to
  // the trial's own metadata, or to nothing, is an error.
  const ConfigNode* Replaced(const ForeignNode& node) {
    constexpr std::string_view kBegin = "${trialParameters.";
    const std::string given = node.text();
    std::string text;
    std::size_t at = 0;
    for (;;) {
      const std::size_t begin = given.find(kBegin, at);
      const std::size_t end = given.find('}', begin);
      if (begin == std::string::npos || end == std::string::npos) break;
      const std::string name =
          given.substr(begin + kBegin.size(), end - begin - kBegin.size());
      const auto reference = references_.find(name);
      const bool is_there = reference != references_.end();
      if (!is_there || reference->second.starts_with("${")) {
        node.Error(absl::StrCat("\"", ShowText(name), "\" ",
                                is_there ? "is of the trial's metadata, which "
                                           "has no counterpart"
                                         : "is none of trialParameters"));
        return node.get();
      }
      absl::StrAppend(&text, given.substr(at, begin - at), "{",
                      reference->second, "}");
      has_places_ = true;
      at = end + 1;
    }
    if (at == 0) return node.get();
    return node.With(text + given.substr(at)).get();
  }

  ForeignNode file_;
  std::map<std::string, std::string> references_;  // By trialParameters' name.
  bool has_places_ = false;
};

}  // namespace

void PutKatibTrialTemplate(const ForeignNode& trial_template) {
  TrialTemplate(trial_template).Put();
}

}  // namespace vernier

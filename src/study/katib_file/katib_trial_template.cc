#include "study/katib_file/katib_trial_template.h"

#include <algorithm>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/shown_text.h"

namespace vernier {
namespace {

constexpr std::string_view kWord = "spec.trialTemplate";
constexpr std::string_view kPodWord =
    "spec.trialTemplate.trialSpec.spec.template.spec";
constexpr std::string_view kKubernetes = "vernier.kubernetes.";

/// A field of the pod or of the container, and its path in a job file; empty:
/// it has no effect that one would miss.
struct PlainField {
  std::string_view key;
  std::string_view path;
};
constexpr PlainField kPodFields[] = {
    {"nodeSelector", "vernier.kubernetes.nodeSelector"},
    {"serviceAccountName", "vernier.kubernetes.serviceAccount"},
    {"priorityClassName", "vernier.kubernetes.priorityClass"},
    {"schedulerName", "vernier.kubernetes.scheduler"},
    {"restartPolicy", ""},
};

/// Turns a trial template into fields of a job file.
class TrialTemplate {
 public:
  TrialTemplate(JobTree* job, SpecDiagnostics* diagnostics)
      : job_(job), diagnostics_(diagnostics) {}

  void Put(const ConfigNode& file) {
    ReadNames(file.Find("trialParameters"));
    const ConfigNode* const spec = file.Find("trialSpec");
    for (const ConfigMember& member : file.members) {
      if (member.key != "trialParameters" && member.key != "trialSpec" &&
          member.key != "primaryContainerName") {
        LeaveOut(member.position,
                 absl::StrCat(std::string(kWord), ".", ShowText(member.key)));
      }
    }
    if (spec == nullptr || spec->kind != ConfigNode::Kind::kMap) {
      return job_->Error(file, absl::StrCat(std::string(kWord), ".trialSpec"),
                         "must be a mapping: the Job of a trial; the "
                         "template of a ConfigMap is not read");
    }
    const ConfigNode* const kind = spec->Find("kind");
    if (kind == nullptr || kind->scalar != "Job") {
      return job_->Error(
          kind == nullptr ? *spec : *kind,
          absl::StrCat(std::string(kWord), ".trialSpec.kind"),
          "must be Job: other kinds have no counterpart; give their programs "
          "as roles of a study file");
    }
    const ConfigNode* const primary = file.Find("primaryContainerName");
    PutPod(*spec, primary == nullptr ? "" : primary->scalar);
  }

 private:
  void LeaveOut(const ConfigPosition& position, std::string word,
                std::string reason = "has no counterpart") {
    diagnostics_->AddLeftOut(position, std::move(word), std::move(reason));
  }

  void LeaveOutOthers(const ConfigNode& map, std::string_view word,
                      std::initializer_list<std::string_view> known) {
    for (const ConfigMember& member : map.members) {
      if (std::find(known.begin(), known.end(), member.key) != known.end()) {
        continue;
      }
      LeaveOut(member.position,
               absl::StrCat(std::string(word), ".", ShowText(member.key)));
    }
  }

  void ReadNames(const ConfigNode* parameters) {
    if (parameters == nullptr) return;
    for (const ConfigNode* item : parameters->items) {
      const ConfigNode* const name = item->Find("name");
      const ConfigNode* const reference = item->Find("reference");
      if (name == nullptr || reference == nullptr) continue;
      references_[name->scalar] = reference->scalar;
    }
  }

  // Returns the text with places for `${trialParameters.NAME}`. A reference to
  // the trial's own metadata, or to nothing, is an error.
  const ConfigNode* Replaced(const ConfigNode& node, const std::string& word) {
    constexpr std::string_view kBegin = "${trialParameters.";
    std::string text;
    std::size_t at = 0;
    for (;;) {
      const std::size_t begin = node.scalar.find(kBegin, at);
      const std::size_t end = node.scalar.find('}', begin);
      if (begin == std::string::npos || end == std::string::npos) break;
      const std::string name = node.scalar.substr(begin + kBegin.size(),
                                                  end - begin - kBegin.size());
      const auto reference = references_.find(name);
      const bool is_there = reference != references_.end();
      if (!is_there || reference->second.starts_with("${")) {
        job_->Error(node, word,
                    absl::StrCat("\"", ShowText(name), "\" ",
                                 is_there ? "is of the trial's metadata, which "
                                            "has no counterpart"
                                          : "is none of trialParameters"));
        return &node;
      }
      absl::StrAppend(&text, node.scalar.substr(at, begin - at), "{",
                      reference->second, "}");
      has_places_ = true;
      at = end + 1;
    }
    if (at == 0) return &node;
    return job_->Text(text + node.scalar.substr(at), node.position);
  }

  void PutPod(const ConfigNode& spec, const std::string& primary) {
    const ConfigNode* pod = spec.Find("spec");
    if (pod != nullptr) {
      LeaveOutOthers(*pod, "spec.trialTemplate.trialSpec.spec", {"template"});
      pod = pod->Find("template");
    }
    if (pod != nullptr) pod = pod->Find("spec");
    const ConfigNode* const containers =
        pod == nullptr ? nullptr : pod->Find("containers");
    if (containers == nullptr || containers->items.empty()) {
      return job_->Error(spec,
                         absl::StrCat(std::string(kPodWord), ".containers"),
                         "must list the trial's container");
    }
    job_->Put("vernier.launcher", "spec.trialTemplate.trialSpec", spec.position,
              job_->Text("kubernetes", spec.position));
    for (const ConfigMember& member : pod->members) PutPodField(member);
    PutContainers(*containers, pod->Find("volumes"), primary);
    if (!has_places_) return;
    job_->Put("vernier.argStyle", "spec.trialTemplate.trialParameters",
              spec.position, job_->Text("PLACEHOLDERS", spec.position));
  }

  void PutPodField(const ConfigMember& member) {
    const std::string word =
        absl::StrCat(std::string(kPodWord), ".", ShowText(member.key));
    if (member.key == "containers" || member.key == "volumes") return;
    if (member.key == "tolerations") return PutTolerations(member, word);
    if (member.key == "imagePullSecrets") return PutPullSecrets(member, word);
    for (const PlainField& field : kPodFields) {
      if (field.key != member.key) continue;
      if (field.path.empty()) return;
      return job_->Put(field.path, word, member.position, member.value);
    }
    LeaveOut(member.position, word);
  }

  // [{key, operator, value, effect}] -> "KEY=VALUE:EFFECT".
  void PutTolerations(const ConfigMember& member, const std::string& word) {
    ConfigNode* const list = job_->List(member.value->position);
    for (const ConfigNode* item : member.value->items) {
      const auto text = [item](std::string_view key) {
        const ConfigNode* const value = item->Find(key);
        return value == nullptr ? std::string() : value->scalar;
      };
      std::string toleration = text("key");
      if (!text("value").empty())
        absl::StrAppend(&toleration, "=", text("value"));
      if (!text("effect").empty()) {
        absl::StrAppend(&toleration, ":", text("effect"));
      }
      list->items.push_back(job_->Text(toleration, item->position));
    }
    job_->Put(absl::StrCat(std::string(kKubernetes), "tolerations"), word,
              member.position, list);
  }

  void PutPullSecrets(const ConfigMember& member, const std::string& word) {
    ConfigNode* const list = job_->List(member.value->position);
    for (const ConfigNode* item : member.value->items) {
      const ConfigNode* const name = item->Find("name");
      if (name != nullptr) list->items.push_back(name);
    }
    job_->Put(absl::StrCat(std::string(kKubernetes), "imagePullSecrets"), word,
              member.position, list);
  }

  void PutContainers(const ConfigNode& containers, const ConfigNode* volumes,
                     const std::string& primary) {
    const std::string word = absl::StrCat(std::string(kPodWord), ".containers");
    const ConfigNode* found = nullptr;
    std::size_t number = 0;
    for (std::size_t i = 0; i < containers.items.size(); ++i) {
      const ConfigNode* const name = containers.items[i]->Find("name");
      const bool is_it = containers.items.size() == 1 ||
                         (name != nullptr && name->scalar == primary);
      if (is_it && found == nullptr) {
        found = containers.items[i];
        number = i;
      } else {
        LeaveOut(containers.items[i]->position, absl::StrCat(word, "[", i, "]"),
                 "is not the primary container, which a job runs alone");
      }
    }
    if (found == nullptr) {
      return job_->Error(containers, word,
                         absl::StrCat("none is called as primaryContainerName "
                                      "says: \"",
                                      ShowText(primary), "\""));
    }
    PutContainer(*found, volumes, absl::StrCat(word, "[", number, "]"));
  }

  void PutContainer(const ConfigNode& container, const ConfigNode* volumes,
                    const std::string& word) {
    for (const ConfigMember& member : container.members) {
      const std::string own = absl::StrCat(word, ".", ShowText(member.key));
      const ConfigNode& value = *member.value;
      if (member.key == "name") continue;
      if (member.key == "image") {
        job_->Put("trainingInput.masterConfig.imageUri", own, member.position,
                  &value);
      } else if (member.key == "command") {
        PutWords("trainingInput.masterConfig.containerCommand", member, own);
      } else if (member.key == "args") {
        PutWords("trainingInput.masterConfig.containerArgs", member, own);
      } else if (member.key == "env") {
        PutVariables(member, own);
      } else if (member.key == "resources") {
        PutResources(value, own);
      } else if (member.key == "volumeMounts") {
        PutMounts(member, volumes, own);
      } else {
        LeaveOut(member.position, own);
      }
    }
  }

  void PutWords(std::string_view path, const ConfigMember& member,
                const std::string& word) {
    ConfigNode* const list = job_->List(member.value->position);
    for (const ConfigNode* item : member.value->items) {
      const std::string place = absl::StrCat("[", list->items.size(), "]");
      list->items.push_back(Replaced(*item, word + place));
    }
    job_->Put(path, word, member.position, list);
  }

  void PutVariables(const ConfigMember& member, const std::string& word) {
    ConfigNode* const map = job_->Map(member.value->position);
    for (std::size_t i = 0; i < member.value->items.size(); ++i) {
      const ConfigNode& item = *member.value->items[i];
      const std::string own = absl::StrCat(word, "[", i, "]");
      const ConfigNode* const name = item.Find("name");
      const ConfigNode* const value = item.Find("value");
      if (name == nullptr || value == nullptr) {
        LeaveOut(item.position, own,
                 "is no variable with a value: what valueFrom names is not "
                 "read");
      } else if (value->scalar.find("${trialParameters.") !=
                 std::string::npos) {
        job_->Error(*value, own + ".value",
                    "a parameter in a variable has no counterpart; pass it in "
                    "the command");
      } else {
        map->members.push_back({name->scalar, name->position, value});
      }
    }
    job_->Put("vernier.environment", word, member.position, map);
  }

  void PutResources(const ConfigNode& resources, const std::string& word) {
    const ConfigNode* limits = resources.Find("limits");
    const bool has_limits = limits != nullptr;
    if (!has_limits) limits = resources.Find("requests");
    LeaveOutOthers(resources, word, {"limits", "requests"});
    if (limits == nullptr) return;
    const std::string base = word + (has_limits ? ".limits" : ".requests");
    for (const ConfigMember& member : limits->members) {
      const std::string own = absl::StrCat(base, ".", ShowText(member.key));
      if (member.key == "cpu") {
        job_->Put(absl::StrCat(std::string(kKubernetes), "cpusPerReplica"), own,
                  member.position,
                  job_->Text(member.value->scalar, member.value->position));
      } else if (member.key == "memory") {
        PutMemory(member, own);
      } else if (member.key == "nvidia.com/gpu") {
        job_->Put("vernier.gpusPerReplica", own, member.position,
                  job_->Text(member.value->scalar, member.value->position,
                             /*is_plain=*/true));
      } else {
        LeaveOut(member.position, own, "is no resource that a job can ask for");
      }
    }
  }

  // Job files have the binary units of Kubernetes, without their "i".
  void PutMemory(const ConfigMember& member, const std::string& word) {
    std::string text = member.value->scalar;
    if (!text.ends_with("Mi") && !text.ends_with("Gi") &&
        !text.ends_with("Ti")) {
      return job_->Error(
          *member.value, word,
          absl::StrCat("must be in Mi, Gi or Ti: \"", ShowText(text), "\""));
    }
    text.pop_back();
    job_->Put(absl::StrCat(std::string(kKubernetes), "memoryPerReplica"), word,
              member.position, job_->Text(text, member.value->position));
  }

  // Returns the claim of a volume, or null if it is another kind.
  static const ConfigNode* ClaimOf(const ConfigNode* volumes,
                                   const ConfigNode* name) {
    if (volumes == nullptr || name == nullptr) return nullptr;
    for (const ConfigNode* volume : volumes->items) {
      const ConfigNode* const own = volume->Find("name");
      if (own == nullptr || own->scalar != name->scalar) continue;
      const ConfigNode* const claim = volume->Find("persistentVolumeClaim");
      return claim == nullptr ? nullptr : claim->Find("claimName");
    }
    return nullptr;
  }

  void PutMounts(const ConfigMember& member, const ConfigNode* volumes,
                 const std::string& word) {
    ConfigNode* const list = job_->List(member.value->position);
    for (std::size_t i = 0; i < member.value->items.size(); ++i) {
      const ConfigNode& item = *member.value->items[i];
      const ConfigNode* const claim = ClaimOf(volumes, item.Find("name"));
      if (claim == nullptr) {
        LeaveOut(item.position, absl::StrCat(word, "[", i, "]"),
                 "mounts no persistentVolumeClaim");
        continue;
      }
      ConfigNode* const one = job_->Map(item.position);
      one->members.push_back({"claim", claim->position, claim});
      for (const ConfigMember& field : item.members) {
        if (field.key == "name") continue;
        one->members.push_back({field.key, field.position, field.value});
      }
      list->items.push_back(one);
    }
    if (list->items.empty()) return;
    job_->Put(absl::StrCat(std::string(kKubernetes), "volumes"), word,
              member.position, list);
  }

  JobTree* job_;
  SpecDiagnostics* diagnostics_;
  std::map<std::string, std::string> references_;  // By trialParameters' name.
  bool has_places_ = false;
};

}  // namespace

void PutKatibTrialTemplate(const ConfigNode& trial_template, JobTree* job,
                           SpecDiagnostics* diagnostics) {
  TrialTemplate(job, diagnostics).Put(trial_template);
}

}  // namespace vernier

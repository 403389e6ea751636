#include "study/job_file/kubernetes_section.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/shown_text.h"
#include "study/job_file/memory_size.h"

namespace vernier {
namespace {

constexpr std::size_t kMaxEntries = 50;
constexpr std::size_t kMaxAnnotationBytes = 10000;
constexpr std::size_t kMaxPathBytes = 1000;
constexpr std::size_t kMaxLabel = 63;
constexpr std::size_t kMaxName = 253;
constexpr std::size_t kMaxQuantity = 12;

// The service, or a controller of Kubernetes, finds objects by labels with
// these prefixes.
constexpr std::array<std::string_view, 4> kOwnPrefixes = {
    "vernier/", "jobset.sigs.k8s.io/", "alpha.jobset.sigs.k8s.io/",
    "batch.kubernetes.io/"};
constexpr std::string_view kQueueLabel = "kueue.x-k8s.io/queue-name";

bool IsLower(char c) { return c >= 'a' && c <= 'z'; }
bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsLetterOrDigit(char c) {
  return IsLower(c) || (c >= 'A' && c <= 'Z') || IsDigit(c);
}

// True for letters and digits at both ends, and also `inner` in between.
template <typename IsEnd>
bool IsName(std::string_view text, std::size_t most, std::string_view inner,
            const IsEnd& is_end) {
  if (text.empty() || text.size() > most) return false;
  return is_end(text.front()) && is_end(text.back()) &&
         std::all_of(text.begin(), text.end(), [&](char c) {
           return is_end(c) || inner.find(c) != std::string_view::npos;
         });
}

bool IsLowerName(std::string_view text, std::size_t most,
                 std::string_view inner) {
  return IsName(text, most, inner,
                [](char c) { return IsLower(c) || IsDigit(c); });
}

bool IsOwnKey(const std::string& key) {
  return key == kQueueLabel ||
         std::any_of(
             kOwnPrefixes.begin(), kOwnPrefixes.end(),
             [&](std::string_view own) { return key.starts_with(own); });
}

std::string CheckOwnKey(const std::string& key) {
  std::string wrong = CheckKubernetesKey(key);
  if (!wrong.empty() || !IsOwnKey(key)) return wrong;
  return key == kQueueLabel
             ? "must not be set here: give vernier.kubernetes.queue"
             : "must not be set: the service or a controller does";
}

std::string CheckToleration(const std::string& text) {
  const std::size_t colon = text.rfind(':');
  const std::string effect =
      colon == std::string::npos ? "" : text.substr(colon + 1);
  const std::string taint = text.substr(0, colon);
  const std::size_t equals = taint.find('=');
  const bool is_known_effect =
      colon == std::string::npos || effect == "NoSchedule" ||
      effect == "PreferNoSchedule" || effect == "NoExecute";
  const bool is_right =
      is_known_effect && CheckKubernetesKey(taint.substr(0, equals)).empty() &&
      (equals == std::string::npos ||
       (colon != std::string::npos &&
        CheckKubernetesLabelValue(taint.substr(equals + 1)).empty()));
  if (is_right) return "";
  return absl::StrCat(
      "must be KEY=VALUE:EFFECT, KEY:EFFECT or KEY each, where EFFECT is "
      "NoSchedule, PreferNoSchedule or NoExecute; not \"",
      ShowText(text), "\"");
}

// True for "4", "0.5" or "500m", if it is more than nothing.
bool IsQuantity(std::string_view text) {
  if (text.size() > kMaxQuantity) return false;
  if (!text.empty() && text.back() == 'm') text.remove_suffix(1);
  if (text.empty() || !IsDigit(text.front()) || !IsDigit(text.back())) {
    return false;
  }
  return std::count(text.begin(), text.end(), '.') <= 1 &&
         std::all_of(text.begin(), text.end(),
                     [](char c) { return IsDigit(c) || c == '.'; }) &&
         text.find_first_not_of("0.") != std::string_view::npos;
}

// True for a path without a part "..", without ':' and without characters that
// cannot be printed.
bool IsPlainPath(const std::string& path) {
  if (path.size() > kMaxPathBytes) return false;
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t end = std::min(path.find('/', begin), path.size());
    if (path.compare(begin, end - begin, "..") == 0) return false;
    begin = end + 1;
  }
  return std::none_of(path.begin(), path.end(), [](char c) {
    return c == ':' || static_cast<unsigned char>(c) < ' ';
  });
}

template <typename Check>
std::string ReadChecked(ObjectReader& reader, std::string_view key,
                        const Check& check) {
  std::string text = reader.String(key).value_or("");
  const std::string wrong = text.empty() ? "" : check(text);
  if (!wrong.empty()) reader.Error(key, wrong);
  return text;
}

template <typename CheckValue>
std::map<std::string, std::string> ReadMap(ObjectReader& reader,
                                           std::string_view key, bool is_own,
                                           const CheckValue& check_value) {
  std::map<std::string, std::string> map = reader.StringMap(key, kMaxEntries);
  for (const auto& [name, value] : map) {
    std::string wrong = is_own ? CheckOwnKey(name) : CheckKubernetesKey(name);
    if (wrong.empty()) wrong = check_value(value);
    if (!wrong.empty()) reader.EntryError(key, name, wrong);
  }
  return map;
}

std::string CheckAnnotation(const std::string& value) {
  if (value.size() <= kMaxAnnotationBytes) return "";
  return absl::StrCat("must have at most ", kMaxAnnotationBytes, " bytes");
}

template <typename Check>
std::vector<std::string> ReadList(ObjectReader& reader, std::string_view key,
                                  const Check& check) {
  std::vector<std::string> list = reader.Strings(key);
  std::string wrong = list.size() > kMaxEntries
                          ? absl::StrCat("must be at most ", kMaxEntries)
                          : "";
  for (const std::string& text : list) {
    if (wrong.empty()) wrong = check(text);
  }
  if (!wrong.empty()) reader.Error(key, wrong);
  return list;
}

std::vector<KubernetesOptions::Volume> ReadVolumes(ObjectReader& section) {
  std::vector<KubernetesOptions::Volume> volumes;
  std::vector<ObjectReader> readers = section.Children("volumes");
  if (readers.size() > kMaxEntries) {
    section.Error("volumes", absl::StrCat("must be at most ", kMaxEntries));
  }
  for (ObjectReader& reader : readers) {
    KubernetesOptions::Volume volume;
    volume.claim = ReadChecked(reader, "claim", CheckKubernetesName);
    if (!reader.Has("claim")) {
      reader.Error("claim", "must name a PersistentVolumeClaim");
    }
    volume.mount_path = reader.String("mountPath").value_or("");
    const bool is_taken =
        std::any_of(volumes.begin(), volumes.end(), [&](const auto& other) {
          return other.mount_path == volume.mount_path;
        });
    if (!volume.mount_path.starts_with('/') || volume.mount_path == "/" ||
        !IsPlainPath(volume.mount_path)) {
      reader.Error("mountPath",
                   "must be an absolute path other than /, without \"..\" and "
                   "':'");
    } else if (is_taken) {
      reader.Error("mountPath", "must differ from that of the other volumes");
    }
    volume.sub_path = reader.String("subPath").value_or("");
    if (volume.sub_path.starts_with('/') || !IsPlainPath(volume.sub_path)) {
      reader.Error("subPath", "must be a relative path without \"..\"");
    }
    volume.is_read_only = reader.Bool("readOnly").value_or(false);
    volumes.push_back(std::move(volume));
  }
  section.AttachList("volumes", readers);
  return volumes;
}

}  // namespace

std::string CheckKubernetesName(const std::string& name) {
  if (IsLowerName(name, kMaxName, "-.")) return "";
  return absl::StrCat(
      "must be a name as Kubernetes has it, of at most ", kMaxName,
      " lower-case letters, digits, '-' and '.'; not \"", ShowText(name), "\"");
}

std::string CheckKubernetesNamespace(const std::string& name) {
  if (IsLowerName(name, kMaxLabel, "-")) return "";
  return absl::StrCat("must be a name as Kubernetes has it, of at most ",
                      kMaxLabel, " lower-case letters, digits and '-'; not \"",
                      ShowText(name), "\"");
}

std::string CheckKubernetesKey(const std::string& key) {
  const std::size_t slash = key.find('/');
  const bool has_prefix = slash != std::string::npos;
  const std::string_view name =
      std::string_view(key).substr(has_prefix ? slash + 1 : 0);
  if ((!has_prefix ||
       IsLowerName(std::string_view(key).substr(0, slash), kMaxName, "-.")) &&
      IsName(name, kMaxLabel, "-_.", IsLetterOrDigit)) {
    return "";
  }
  return absl::StrCat(
      "must be a key as Kubernetes has it, such as \"example.com/name\"; not "
      "\"",
      ShowText(key), "\"");
}

std::string CheckKubernetesLabelValue(const std::string& value) {
  if (value.empty() || IsName(value, kMaxLabel, "-_.", IsLetterOrDigit)) {
    return "";
  }
  return absl::StrCat("must have a value of at most ", kMaxLabel,
                      " letters, digits and -_., not \"", ShowText(value),
                      "\"");
}

KubernetesOptions ReadKubernetesOptions(ObjectReader& section) {
  ObjectReader reader = section.Child("kubernetes");
  KubernetesOptions options;
  options.name_space =
      ReadChecked(reader, "namespace", CheckKubernetesNamespace);
  options.queue = ReadChecked(reader, "queue", CheckKubernetesNamespace);
  options.scheduler = ReadChecked(reader, "scheduler", CheckKubernetesName);
  options.service_account =
      ReadChecked(reader, "serviceAccount", CheckKubernetesName);
  options.priority_class =
      ReadChecked(reader, "priorityClass", CheckKubernetesName);
  options.labels =
      ReadMap(reader, "labels", /*is_own=*/true, CheckKubernetesLabelValue);
  options.annotations =
      ReadMap(reader, "annotations", /*is_own=*/true, CheckAnnotation);
  options.node_selector = ReadMap(reader, "nodeSelector", /*is_own=*/false,
                                  CheckKubernetesLabelValue);
  options.tolerations = ReadList(reader, "tolerations", CheckToleration);
  options.image_pull_secrets =
      ReadList(reader, "imagePullSecrets", CheckKubernetesName);
  options.cpus_per_replica = reader.String("cpusPerReplica").value_or("");
  if (!options.cpus_per_replica.empty() &&
      !IsQuantity(options.cpus_per_replica)) {
    reader.ValueError("cpusPerReplica",
                      "must be processors, such as \"4\", \"0.5\" or \"500m\"");
  }
  options.memory_mb = ReadMegabytes(reader, "memoryPerReplica");
  options.shm_mb = ReadMegabytes(reader, "shmSize");
  options.gpu_resource = ReadChecked(reader, "gpuResource", CheckKubernetesKey);
  options.volumes = ReadVolumes(reader);
  section.Attach("kubernetes", reader);
  return options;
}

}  // namespace vernier

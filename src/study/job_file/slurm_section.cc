#include "study/job_file/slurm_section.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <iterator>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "base/nearest_name.h"
#include "base/shown_text.h"
#include "study/job_file/memory_size.h"

namespace vernier {
namespace {

constexpr std::size_t kMaxWords = 50;
constexpr std::size_t kMaxWordBytes = 1000;

enum class OptionValue { kNone, kMayFollow, kNeeded };

struct SiteOption {
  std::string_view name;
  OptionValue value;
};

// The options that a job may set for the site by itself. All others are
// reserved for the service (it finds its jobs by their names on one cluster,
// never has one run twice, and lays out the gang), or would make sbatch read or
// write files as the service's user. sbatch accepts the beginning of a name and
// several letters in one word, so only whole names can be recognised with
// certainty.
constexpr std::array kSiteOptions = {
    SiteOption{"--account", OptionValue::kNeeded},
    SiteOption{"--acctg-freq", OptionValue::kNeeded},
    SiteOption{"--batch", OptionValue::kNeeded},
    SiteOption{"--bb", OptionValue::kNeeded},
    SiteOption{"--begin", OptionValue::kNeeded},
    SiteOption{"--constraint", OptionValue::kNeeded},
    SiteOption{"--contiguous", OptionValue::kNone},
    SiteOption{"--core-spec", OptionValue::kNeeded},
    SiteOption{"--cores-per-socket", OptionValue::kNeeded},
    SiteOption{"--cpu-freq", OptionValue::kNeeded},
    SiteOption{"--deadline", OptionValue::kNeeded},
    SiteOption{"--delay-boot", OptionValue::kNeeded},
    SiteOption{"--distribution", OptionValue::kNeeded},
    SiteOption{"--exclude", OptionValue::kNeeded},
    SiteOption{"--exclusive", OptionValue::kMayFollow},
    SiteOption{"--extra", OptionValue::kNeeded},
    SiteOption{"--extra-node-info", OptionValue::kNeeded},
    SiteOption{"--gpu-bind", OptionValue::kNeeded},
    SiteOption{"--gpu-freq", OptionValue::kNeeded},
    SiteOption{"--gres", OptionValue::kNeeded},
    SiteOption{"--gres-flags", OptionValue::kNeeded},
    SiteOption{"--hint", OptionValue::kNeeded},
    SiteOption{"--licenses", OptionValue::kNeeded},
    SiteOption{"--mail-type", OptionValue::kNeeded},
    SiteOption{"--mail-user", OptionValue::kNeeded},
    SiteOption{"--mcs-label", OptionValue::kNeeded},
    SiteOption{"--mem", OptionValue::kNeeded},
    SiteOption{"--mem-bind", OptionValue::kNeeded},
    SiteOption{"--mem-per-cpu", OptionValue::kNeeded},
    SiteOption{"--mem-per-gpu", OptionValue::kNeeded},
    SiteOption{"--mincpus", OptionValue::kNeeded},
    SiteOption{"--network", OptionValue::kNeeded},
    SiteOption{"--nice", OptionValue::kMayFollow},
    SiteOption{"--nodelist", OptionValue::kNeeded},
    SiteOption{"--overcommit", OptionValue::kNone},
    SiteOption{"--oversubscribe", OptionValue::kMayFollow},
    SiteOption{"--partition", OptionValue::kNeeded},
    SiteOption{"--power", OptionValue::kNeeded},
    SiteOption{"--prefer", OptionValue::kNeeded},
    SiteOption{"--priority", OptionValue::kNeeded},
    SiteOption{"--profile", OptionValue::kNeeded},
    SiteOption{"--propagate", OptionValue::kMayFollow},
    SiteOption{"--qos", OptionValue::kNeeded},
    SiteOption{"--reboot", OptionValue::kNone},
    SiteOption{"--reservation", OptionValue::kNeeded},
    SiteOption{"--signal", OptionValue::kNeeded},
    SiteOption{"--sockets-per-node", OptionValue::kNeeded},
    SiteOption{"--spread-job", OptionValue::kNone},
    SiteOption{"--switches", OptionValue::kNeeded},
    SiteOption{"--thread-spec", OptionValue::kNeeded},
    SiteOption{"--threads-per-core", OptionValue::kNeeded},
    SiteOption{"--time", OptionValue::kNeeded},
    SiteOption{"--time-min", OptionValue::kNeeded},
    SiteOption{"--tmp", OptionValue::kNeeded},
    SiteOption{"--use-min-nodes", OptionValue::kNone},
    SiteOption{"--wait-all-nodes", OptionValue::kNeeded},
    SiteOption{"--wckey", OptionValue::kNeeded},
};

std::string NearestSiteOption(std::string_view name) {
  std::vector<std::string_view> names;
  names.reserve(std::size(kSiteOptions));
  for (const SiteOption& option : kSiteOptions) names.push_back(option.name);
  return DidYouMean(name, names);
}

// Returns the fault of a value's presence or absence, or "".
std::string CheckOptionValue(const SiteOption& option, bool has_value) {
  if (option.value == OptionValue::kNeeded && !has_value) {
    return absl::StrCat("must give ", std::string(option.name),
                        " its value in the same word, as in ",
                        std::string(option.name), "=VALUE");
  }
  if (option.value == OptionValue::kNone && has_value) {
    return absl::StrCat("must not give ", std::string(option.name),
                        " a value: it takes none");
  }
  return "";
}

bool IsNameCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         (c >= '0' && c <= '9') ||
         std::string_view("_-.,:+@/&|()[]*!=").find(c) !=
             std::string_view::npos;
}

std::string CheckWord(const std::string& word) {
  if (word.size() > kMaxWordBytes) {
    return absl::StrCat("must have at most ", kMaxWordBytes, " bytes each");
  }
  const std::size_t equals = word.find('=');
  const std::string name = word.substr(0, equals);
  const auto* option =
      std::find_if(kSiteOptions.begin(), kSiteOptions.end(),
                   [&](const SiteOption& each) { return each.name == name; });
  if (option == kSiteOptions.end()) {
    return absl::StrCat(
        "must be options of sbatch that a job may set, by their whole names "
        "and in one word each, such as \"--mail-type=END\"; not \"",
        ShowText(name), "\"", NearestSiteOption(name),
        " (the list is in docs/slurm.md)");
  }
  const bool has_control = std::any_of(word.begin(), word.end(), [](char c) {
    return static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
  });
  if (has_control) return "must not hold line breaks or control characters";
  return CheckOptionValue(*option, equals != std::string::npos);
}

std::string ReadName(ObjectReader& reader, std::string_view key) {
  const std::string name = reader.String(key).value_or("");
  const std::string wrong = CheckSlurmName(name);
  if (!wrong.empty()) reader.Error(key, wrong);
  return name;
}

}  // namespace

std::string CheckSlurmArguments(const std::vector<std::string>& words) {
  if (words.size() > kMaxWords) {
    return absl::StrCat("must be at most ", kMaxWords);
  }
  for (const std::string& word : words) {
    std::string wrong = CheckWord(word);
    if (!wrong.empty()) return wrong;
  }
  return "";
}

int NumSlurmSiteOptions() { return static_cast<int>(kSiteOptions.size()); }

std::string CheckSlurmName(const std::string& name) {
  constexpr std::size_t kMaxName = 256;
  const bool is_plain = name.size() <= kMaxName &&
                        (name.empty() || name.front() != '-') &&
                        std::all_of(name.begin(), name.end(), IsNameCharacter);
  if (is_plain) return "";
  return absl::StrCat("must be a name as Slurm has it, of at most ", kMaxName,
                      " letters, digits and _-.,:+@/&|()[]*!=, not \"",
                      ShowText(name), "\"");
}

SlurmOptions ReadSlurmOptions(ObjectReader& section) {
  ObjectReader reader = section.Child("slurm");
  SlurmOptions options;
  options.partition = ReadName(reader, "partition");
  options.account = ReadName(reader, "account");
  options.qos = ReadName(reader, "qos");
  options.reservation = ReadName(reader, "reservation");
  options.constraint = ReadName(reader, "constraint");
  options.nice = reader.Integer("nice", {-10000, 10000});
  options.cpus_per_replica = reader.Integer("cpusPerReplica", {1, 1024});
  options.memory_mb = ReadMegabytes(reader, "memoryPerReplica");
  options.gpu_type = ReadName(reader, "gpuType");
  options.time = reader.Duration("timeLimit", std::chrono::seconds(60),
                                 std::chrono::hours(24 * 366));
  options.extra_args = reader.Strings("extraArgs");
  const std::string wrong = CheckSlurmArguments(options.extra_args);
  if (!wrong.empty()) reader.NewRuleError("extraArgs", wrong);
  section.Attach("slurm", reader);
  return options;
}

}  // namespace vernier

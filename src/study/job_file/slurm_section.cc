#include "study/job_file/slurm_section.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/blank_separated.h"
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
//
// "--name=" needs a value, "--name[=]" may have one, and "--name" takes none.
constexpr std::string_view kSiteOptions =
    "--account= --acctg-freq= --batch= --bb= --begin= --constraint= "
    "--contiguous --core-spec= --cores-per-socket= --cpu-freq= --deadline= "
    "--delay-boot= --distribution= --exclude= --exclusive[=] --extra= "
    "--extra-node-info= --gpu-bind= --gpu-freq= --gres= --gres-flags= "
    "--hint= --licenses= --mail-type= --mail-user= --mcs-label= --mem= "
    "--mem-bind= --mem-per-cpu= --mem-per-gpu= --mincpus= --network= "
    "--nice[=] --nodelist= --overcommit --oversubscribe[=] --partition= "
    "--power= --prefer= --priority= --profile= --propagate[=] --qos= "
    "--reboot --reservation= --signal= --sockets-per-node= --spread-job "
    "--switches= --thread-spec= --threads-per-core= --time= --time-min= "
    "--tmp= --use-min-nodes --wait-all-nodes= --wckey=";

const std::vector<SiteOption>& SiteOptions() {
  static const std::vector<SiteOption> kOptions = [] {
    std::vector<SiteOption> options;
    for (const std::string_view word : BlankSeparated(kSiteOptions)) {
      const std::string_view name = word.substr(0, word.find_first_of("[="));
      OptionValue value = OptionValue::kNone;
      if (word.ends_with('=')) value = OptionValue::kNeeded;
      if (word.ends_with("[=]")) value = OptionValue::kMayFollow;
      options.push_back({name, value});
    }
    return options;
  }();
  return kOptions;
}

std::string NearestSiteOption(std::string_view name) {
  std::vector<std::string_view> names;
  for (const SiteOption& option : SiteOptions()) names.push_back(option.name);
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
  const std::vector<SiteOption>& options = SiteOptions();
  const auto option =
      std::find_if(options.begin(), options.end(),
                   [&](const SiteOption& each) { return each.name == name; });
  if (option == options.end()) {
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

int NumSlurmSiteOptions() { return static_cast<int>(SiteOptions().size()); }

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

#include "study/job_file/slurm_section.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "base/shown_text.h"
#include "study/job_file/memory_size.h"

namespace vernier {
namespace {

constexpr std::size_t kMaxWords = 50;
constexpr std::size_t kMaxWordBytes = 1000;

// The service gives these itself: it finds its jobs by their names, never has
// one run twice, and lays out the gang.
constexpr std::array<std::string_view, 18> kOwnOptions = {
    "--job-name",      "--requeue",       "--no-requeue", "--array",
    "--output",        "--error",         "--wrap",       "--parsable",
    "--dependency",    "--chdir",         "--wait",       "--ntasks",
    "--test-only",     "--cpus-per-task", "--hold",       "--comment",
    "--gpus-per-task", "--open-mode"};
// The same by their letters.
constexpr std::string_view kOwnLetters = "JaoedDWncHV";

bool IsNameCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         (c >= '0' && c <= '9') ||
         std::string_view("_-.,:+@/&|()[]*!=").find(c) !=
             std::string_view::npos;
}

std::string CheckWord(const std::string& word) {
  if (word.size() < 2 || word.front() != '-' || word == "--") {
    return absl::StrCat(
        "must be options in one word each, such as "
        "\"--mail-type=END\"; not \"",
        ShowText(word), "\"");
  }
  if (word.size() > kMaxWordBytes) {
    return absl::StrCat("must have at most ", kMaxWordBytes, " bytes each");
  }
  if (word.find('\n') != std::string::npos ||
      word.find('\0') != std::string::npos) {
    return "must not hold line breaks";
  }
  const std::string name = word.substr(0, word.find('='));
  const bool is_long = name.rfind("--", 0) == 0;
  // sbatch takes a beginning of an option's name for the whole.
  const bool is_own =
      is_long ? std::any_of(kOwnOptions.begin(), kOwnOptions.end(),
                            [&](std::string_view own) {
                              return own == name || (name.size() >= 5 &&
                                                     own.starts_with(name));
                            })
              : kOwnLetters.find(word[1]) != std::string_view::npos;
  if (is_own) {
    return absl::StrCat("must not set ", ShowText(name),
                        ", which the service sets itself");
  }
  return "";
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
  if (!wrong.empty()) reader.Error("extraArgs", wrong);
  section.Attach("slurm", reader);
  return options;
}

}  // namespace vernier

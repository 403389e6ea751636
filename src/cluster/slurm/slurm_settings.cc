#include "cluster/slurm/slurm_settings.h"

#include <utility>

#include "absl/strings/str_cat.h"

namespace vernier {
namespace {

using std::chrono::milliseconds;

void Default(std::string* value, const std::string& otherwise) {
  if (value->empty()) *value = otherwise;
}

template <typename Value>
void Default(std::optional<Value>* value,
             const std::optional<Value>& otherwise) {
  if (!value->has_value()) *value = otherwise;
}

}  // namespace

absl::Status Validate(const SlurmSettings& settings) {
  const std::pair<const char*, milliseconds> periods[] = {
      {"list_period", settings.list_period},
      {"quick_list_period", settings.quick_list_period},
      {"longest_list_period", settings.longest_list_period},
      {"settle_time", settings.settle_time},
      {"command_limit", settings.command_limit},
      {"kill_margin", settings.kill_margin},
      {"probe_period", settings.probe_period}};
  for (const auto& [name, value] : periods) {
    if (value > milliseconds(0)) continue;
    return absl::InvalidArgumentError(
        absl::StrCat(name, " must be > 0 ms: ", value.count()));
  }
  if (settings.record_patience < milliseconds(0)) {
    return absl::InvalidArgumentError(absl::StrCat(
        "record_patience must be >= 0 ms: ", settings.record_patience.count()));
  }
  if (settings.max_pending < 1) {
    return absl::InvalidArgumentError(
        absl::StrCat("max_pending must be >= 1: ", settings.max_pending));
  }
  if (!(settings.max_submissions_per_second > 0)) {
    return absl::InvalidArgumentError(
        absl::StrCat("max_submissions_per_second must be > 0: ",
                     settings.max_submissions_per_second));
  }
  if (!(settings.list_share > 0 && settings.list_share <= 1)) {
    return absl::InvalidArgumentError(
        absl::StrCat("list_share must be > 0 and <= 1: ", settings.list_share));
  }
  if (settings.program.empty() || settings.program.front() != '/') {
    return absl::InvalidArgumentError(
        absl::StrCat("program must be absolute: ", settings.program));
  }
  const std::string& address = settings.address;
  if (address != "nodeaddr" && address != "nodename" &&
      !(address.starts_with("interface:") && address.size() > 10)) {
    return absl::InvalidArgumentError(absl::StrCat(
        "address must be nodeaddr, nodename or interface:NAME: ", address));
  }
  return absl::OkStatus();
}

SlurmOptions WithDefaults(const SlurmOptions& job,
                          const SlurmOptions& defaults) {
  SlurmOptions options = job;
  Default(&options.partition, defaults.partition);
  Default(&options.account, defaults.account);
  Default(&options.qos, defaults.qos);
  Default(&options.reservation, defaults.reservation);
  Default(&options.constraint, defaults.constraint);
  Default(&options.nice, defaults.nice);
  Default(&options.cpus_per_replica, defaults.cpus_per_replica);
  Default(&options.memory_mb, defaults.memory_mb);
  Default(&options.gpu_type, defaults.gpu_type);
  Default(&options.time, defaults.time);
  // If two of these contradict each other, sbatch takes the last one.
  options.extra_args.insert(options.extra_args.begin(),
                            defaults.extra_args.begin(),
                            defaults.extra_args.end());
  return options;
}

}  // namespace vernier

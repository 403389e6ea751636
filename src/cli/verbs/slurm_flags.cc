#include "cli/verbs/slurm_flags.h"

#include <CLI/CLI.hpp>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "cluster/slurm/slurm_settings.h"
#include "study/engines/launcher_name.h"
#include "study/job_file/slurm_section.h"

namespace vernier {
namespace {

absl::Status CheckName(const char* flag, const std::string& name) {
  const std::string wrong = CheckSlurmName(name);
  if (wrong.empty()) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(flag, " ", wrong));
}

absl::Status CheckUrl(const std::string& url) {
  const bool has_scheme =
      url.starts_with("http://") || url.starts_with("https://");
  if (url.empty() || (has_scheme && url.back() != '/')) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(
      "--advertise-url must be like http://head.cluster:8477, without a slash "
      "at its end: ",
      url));
}

}  // namespace

void DeclareClusterFlags(CLI::App* verb, ClusterFlags* flags,
                         ServeOptions* options) {
  verb->add_option("--launcher", flags->launcher,
                   "local, slurm or kubernetes: where the replicas of jobs run "
                   "that do not say vernier.launcher themselves (default "
                   "local)")
      ->check(CLI::IsMember({"local", "slurm", "kubernetes"}));
  verb->add_option("--advertise-url", options->advertise_url,
                   "URL by which programs on other machines reach the HTTP "
                   "interface (default: they report by files alone)");
  SlurmSettings& slurm = options->slurm;
  verb->add_option("--slurm-partition", slurm.defaults.partition,
                   "Partition of jobs that name none");
  verb->add_option("--slurm-account", slurm.defaults.account,
                   "Account of jobs that name none");
  verb->add_option("--slurm-qos", slurm.defaults.qos,
                   "QOS of jobs that name none");
  verb->add_option("--slurm-constraint", slurm.defaults.constraint,
                   "Features of the nodes, for jobs that name none");
  verb->add_option("--slurm-arg", slurm.defaults.extra_args,
                   "A further word for every sbatch, such as --mail-type=END "
                   "(may be repeated)");
  verb->add_option("--slurm-gpu-type", flags->slurm_gpu_types,
                   "ACCELERATOR=NAME: how this site's GRES names an "
                   "acceleratorType (may be repeated; default: v100 for "
                   "NVIDIA_TESLA_V100)");
  verb->add_option("--slurm-address", slurm.address,
                   "nodeaddr, nodename or interface:NAME: by what replicas on "
                   "different nodes reach each other (default nodeaddr)");
  verb->add_option("--slurm-program", slurm.program,
                   "Path of this program on the nodes (default: as here)");
  verb->add_option("--slurm-max-pending", slurm.max_pending,
                   "Jobs that may be pending in Slurm at once (default 50)")
      ->check(CLI::PositiveNumber);
}

absl::Status ApplyClusterFlags(const ClusterFlags& flags,
                               ServeOptions* options) {
  for (const auto& each : kLauncherNames) {
    if (flags.launcher == each.name) options->launcher = each.value;
  }
  VERNIER_RETURN_IF_ERROR(CheckUrl(options->advertise_url));
  const SlurmOptions& slurm = options->slurm.defaults;
  VERNIER_RETURN_IF_ERROR(CheckName("--slurm-partition", slurm.partition));
  VERNIER_RETURN_IF_ERROR(CheckName("--slurm-account", slurm.account));
  VERNIER_RETURN_IF_ERROR(CheckName("--slurm-qos", slurm.qos));
  VERNIER_RETURN_IF_ERROR(CheckName("--slurm-constraint", slurm.constraint));
  const std::string wrong = CheckSlurmArguments(slurm.extra_args);
  if (!wrong.empty()) {
    return absl::InvalidArgumentError(absl::StrCat("--slurm-arg ", wrong));
  }
  for (const std::string& text : flags.slurm_gpu_types) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0) {
      return absl::InvalidArgumentError(
          absl::StrCat("--slurm-gpu-type must be ACCELERATOR=NAME: ", text));
    }
    const std::string name = text.substr(equals + 1);
    VERNIER_RETURN_IF_ERROR(CheckName("--slurm-gpu-type", name));
    options->slurm.gpu_types[text.substr(0, equals)] = name;
  }
  return absl::OkStatus();
}

}  // namespace vernier

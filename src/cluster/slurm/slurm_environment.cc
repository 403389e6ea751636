#include "cluster/slurm/slurm_environment.h"

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include "cluster/local/package_installation.h"
#include "study/job_spec.h"

namespace vernier {
namespace {

// Slurm's own, what its authentication may need, and what tests need.
constexpr std::array<std::string_view, 9> kPassed = {
    "SLURM_CONF",   "SLURM_CONF_SERVER", "SLURM_JWT",
    "KRB5CCNAME",   "VERNIER_PORT_FILE", "LD_PRELOAD",
    "ASAN_OPTIONS", "LSAN_OPTIONS",      "UBSAN_OPTIONS"};

}  // namespace

Environment SlurmEnvironment(const char* const* environ) {
  Environment passed = InstallerEnvironment(environ, JobSpec(), {});
  passed.emplace("PATH", "/usr/local/bin:/usr/bin:/bin");
  for (; environ != nullptr && *environ != nullptr; ++environ) {
    const std::string_view entry = *environ;
    const std::size_t equals = entry.find('=');
    if (equals == std::string_view::npos) continue;
    for (const std::string_view name : kPassed) {
      if (entry.substr(0, equals) != name) continue;
      passed[std::string(name)] = std::string(entry.substr(equals + 1));
    }
  }
  return passed;
}

}  // namespace vernier

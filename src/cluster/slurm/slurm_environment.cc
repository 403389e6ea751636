#include "cluster/slurm/slurm_environment.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "base/process_environment.h"
#include "cluster/gang/package_installation.h"
#include "study/job_spec.h"

namespace vernier {
namespace {

// Slurm's own variables, those that its authentication may need, and those of
// tests.
constexpr std::array<std::string_view, 9> kPassed = {
    "SLURM_CONF",   "SLURM_CONF_SERVER", "SLURM_JWT",
    "KRB5CCNAME",   "VERNIER_PORT_FILE", "LD_PRELOAD",
    "ASAN_OPTIONS", "LSAN_OPTIONS",      "UBSAN_OPTIONS"};

}  // namespace

Environment SlurmEnvironment(const char* const* environ) {
  Environment passed = InstallerEnvironment(environ, JobSpec(), {});
  passed.emplace("PATH", "/usr/local/bin:/usr/bin:/bin");
  for (auto& [name, value] : ParseEnvironment(environ)) {
    if (std::find(kPassed.begin(), kPassed.end(), name) != kPassed.end()) {
      passed[name] = std::move(value);
    }
  }
  return passed;
}

}  // namespace vernier

// Follows many jobs of a real Slurm cluster, as the orchestrator does, and
// prints the share of a processor that this takes; slurm_bench.py runs it.
//
//   slurm_watch FOLDER COUNT SECONDS
//
// The jobs are named vernier-be5c0000-NONCE, NONCE being 32 digits from 1 to
// COUNT. FOLDER gets their attempts' folders.

#include <sys/resource.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cluster/slurm/gang_files.h"
#include "cluster/slurm/slurm_client.h"
#include "cluster/slurm/slurm_environment.h"
#include "cluster/slurm/slurm_launcher.h"

namespace {

using vernier::AttemptObservation;
using vernier::LiveAttempt;

constexpr std::chrono::milliseconds kMetricPoll{500};  // The orchestrator's.
constexpr std::chrono::seconds kWarmUp{20};

double ProcessorSeconds() {
  double total = 0;
  for (const int who : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
    rusage usage;
    ::getrusage(who, &usage);
    for (const timeval& time : {usage.ru_utime, usage.ru_stime}) {
      total += static_cast<double>(time.tv_sec) +
               static_cast<double>(time.tv_usec) / 1e6;
    }
  }
  return total;
}

std::vector<LiveAttempt> MakeAttempts(const std::string& folder, int count) {
  std::vector<LiveAttempt> attempts;
  for (int i = 1; i <= count; ++i) {
    char nonce[40];
    std::snprintf(nonce, sizeof(nonce), "%032d", i);
    const std::string run_dir = folder + "/" + std::to_string(i);
    if (!vernier::MakeSlurmFolder(run_dir).ok() ||
        !vernier::WriteSubmissionMark(run_dir,
                                      vernier::SubmissionMark::kSubmitted, i)
             .ok()) {
      std::fprintf(stderr, "cannot write to %s\n", run_dir.c_str());
      std::exit(1);
    }
    attempts.push_back(
        {{vernier::StudyId{1}, vernier::TrialId{i}, 1}, nonce, run_dir});
  }
  return attempts;
}

void Follow(vernier::Launcher& launcher,
            const std::vector<LiveAttempt>& attempts,
            std::chrono::seconds duration) {
  const auto end = std::chrono::steady_clock::now() + duration;
  while (std::chrono::steady_clock::now() < end) {
    for (const AttemptObservation& seen : launcher.Observe(attempts)) {
      if (!IsOver(seen.kind)) continue;
      std::fprintf(stderr, "a job is gone: %s\n", seen.message.c_str());
      std::exit(1);
    }
    launcher.Wait(kMetricPoll);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fprintf(stderr, "usage: slurm_watch FOLDER COUNT SECONDS\n");
    return 2;
  }
  const std::vector<LiveAttempt> attempts =
      MakeAttempts(argv[1], std::atoi(argv[2]));
  const std::chrono::seconds duration(std::atoi(argv[3]));
  vernier::SlurmLauncherOptions options;
  options.settings.program = "/bin/true";
  options.instance = "be5c0000";
  const vernier::SystemClock clock;
  auto launcher = vernier::MakeSlurmLauncher(
      std::move(options),
      std::make_unique<vernier::SlurmCommands>(
          vernier::SlurmEnvironment(environ), std::chrono::seconds(40)),
      clock);
  if (!launcher.ok()) return 1;
  Follow(**launcher, attempts, kWarmUp);
  const double before = ProcessorSeconds();
  Follow(**launcher, attempts, duration);
  std::printf("%.5f\n", (ProcessorSeconds() - before) /
                            static_cast<double>(duration.count()));
  return 0;
}

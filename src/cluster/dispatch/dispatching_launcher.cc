#include "cluster/dispatch/dispatching_launcher.h"

#include <cstddef>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/small_file.h"
#include "base/status_macros.h"
#include "cluster/attempt/launch_retry.h"
#include "cluster/dispatch/told_end.h"
#include "study/job_spec.h"

namespace vernier {
namespace {

using Kind = AttemptObservation::Kind;

constexpr std::size_t kMostBytes = 64;

std::string OwnerPath(const std::string& run_dir) {
  return run_dir + "/launcher";
}

absl::StatusOr<LauncherName> ReadOwner(const std::string& run_dir) {
  const absl::StatusOr<std::string> text =
      ReadSmallFile(OwnerPath(run_dir), kMostBytes);
  if (absl::IsNotFound(text.status())) return LauncherName::kLocal;
  VERNIER_RETURN_IF_ERROR(text.status());
  for (const auto& each : kLauncherNames) {
    if (*text == std::string(each.name) + "\n") return each.value;
  }
  return absl::DataLossError(OwnerPath(run_dir) + " names no launcher");
}

}  // namespace

DispatchingLauncher::DispatchingLauncher(
    Launcher& local, std::map<LauncherName, Factory> engines)
    : local_(local), factories_(std::move(engines)) {}

absl::Status DispatchingLauncher::Prepare(LauncherName name) {
  return Get(name).status();
}

absl::StatusOr<Launcher*> DispatchingLauncher::Get(LauncherName name) {
  if (name == LauncherName::kLocal) return &local_;
  const auto made = engines_.find(name);
  if (made != engines_.end()) return made->second.get();
  const auto factory = factories_.find(name);
  if (factory == factories_.end()) {
    return absl::UnavailableError(absl::StrCat("this service cannot launch on ",
                                               std::string(ToString(name))));
  }
  VERNIER_ASSIGN_OR_RETURN(auto launcher, factory->second());
  return engines_.emplace(name, std::move(launcher)).first->second.get();
}

absl::StatusOr<Launcher*> DispatchingLauncher::OwnerOf(
    const LiveAttempt& attempt) {
  const auto known = owners_.find(attempt.attempt);
  if (known != owners_.end()) return Get(known->second);
  VERNIER_ASSIGN_OR_RETURN(const LauncherName name, ReadOwner(attempt.run_dir));
  owners_[attempt.attempt] = name;
  return Get(name);
}

absl::Status DispatchingLauncher::Launch(const LaunchRequest& request) {
  const LauncherName name =
      request.spec->vernier.launcher.value_or(LauncherName::kLocal);
  const absl::StatusOr<Launcher*> launcher = Get(name);
  // The engine may become available later.
  if (!launcher.ok()) return TryAgain(launcher.status());
  if (name != LauncherName::kLocal) {
    // This comes before anything is started, so that the attempt is always
    // found with this launcher.
    VERNIER_RETURN_IF_ERROR(MakeDirectories(request.run_dir));
    const absl::Status noted =
        ReplaceFile(OwnerPath(request.run_dir),
                    std::string(ToString(name)) + "\n", Durability::kSynced);
    if (!noted.ok()) return TryAgain(noted);
  }
  owners_[request.attempt] = name;
  return (*launcher)->Launch(request);
}

absl::Status DispatchingLauncher::Kill(const LiveAttempt& attempt,
                                       std::chrono::milliseconds grace) {
  VERNIER_ASSIGN_OR_RETURN(Launcher* const owner, OwnerOf(attempt));
  return owner->Kill(attempt, grace);
}

std::vector<AttemptObservation> DispatchingLauncher::Observe(
    const std::vector<LiveAttempt>& live) {
  std::vector<AttemptObservation> observations(live.size());
  // Each launcher gets all of its own attempts at once, even if there are none.
  std::map<Launcher*, std::vector<std::size_t>> positions = {{&local_, {}}};
  for (const auto& [name, engine] : engines_) positions[engine.get()];
  for (std::size_t i = 0; i < live.size(); ++i) {
    const absl::StatusOr<Launcher*> owner = OwnerOf(live[i]);
    if (owner.ok()) {
      positions[*owner].push_back(i);
      continue;
    }
    // Its launcher is not available, so nothing is known of it now.
    observations[i].attempt = live[i].attempt;
    observations[i].kind = live[i].has_run ? Kind::kRunning : Kind::kStarting;
    observations[i].message = std::string(owner.status().message());
  }
  for (const auto& [launcher, own] : positions) {
    std::vector<LiveAttempt> attempts;
    attempts.reserve(own.size());
    for (const std::size_t i : own) attempts.push_back(live[i]);
    std::vector<AttemptObservation> seen = launcher->Observe(attempts);
    for (std::size_t k = 0; k < own.size(); ++k) {
      observations[own[k]] = std::move(seen[k]);
      TellEnd(live[own[k]].run_dir, &observations[own[k]]);
    }
  }
  return observations;
}

void DispatchingLauncher::Forget(const AttemptKey& attempt) {
  const auto known = owners_.find(attempt);
  if (known == owners_.end()) return;
  const absl::StatusOr<Launcher*> owner = Get(known->second);
  owners_.erase(known);
  if (owner.ok()) (*owner)->Forget(attempt);
}

}  // namespace vernier

#include "cluster/slurm/job_tracker.h"

#include <algorithm>

namespace vernier {
namespace {

bool IsKnownToHaveEnded(const JobTracker::Knowledge& knowledge) {
  return knowledge.job.has_value() && IsFinal(knowledge.job->state);
}

}  // namespace

void JobTracker::Follow(const std::string& name, SteadyTime since) {
  const auto [place, is_new] = tracks_.try_emplace(name);
  if (is_new) place->second.since = since;
}

void JobTracker::Restart(const std::string& name, SteadyTime since) {
  Track& track = tracks_[name];
  track = Track{};
  track.since = since;
}

void JobTracker::Drop(const std::string& name) { tracks_.erase(name); }

void JobTracker::TakeListing(const JobListing& listing, SteadyTime began) {
  pending_ = 0;
  strangers_.clear();
  for (const auto& [name, job] : listing) {
    if (job.state == SlurmState::kPending) ++pending_;
    if (!IsFinal(job.state) && tracks_.count(name) == 0) {
      strangers_.push_back(name);
    }
  }
  for (auto& [name, track] : tracks_) {
    const auto found = listing.find(name);
    if (found != listing.end()) {
      track.knowledge.job = found->second;
      track.knowledge.is_gone = false;
      track.knowledge.is_accounted = false;
      track.missing_since.reset();
      continue;
    }
    // A job that has ended disappears from the listing after a while.
    if (IsKnownToHaveEnded(track.knowledge) || began < track.since) continue;
    if (!track.missing_since) track.missing_since = began;
    track.knowledge.is_gone = began - *track.missing_since >= settle_time_;
  }
}

void JobTracker::TakeAccounts(const std::vector<std::string>& names,
                              const JobListing& accounts) {
  for (const std::string& name : names) {
    const auto track = tracks_.find(name);
    if (track == tracks_.end() || !track->second.knowledge.is_gone) continue;
    track->second.knowledge.is_accounted = true;
    const auto found = accounts.find(name);
    // The accounts lag behind: if they show a job as running, that is no news.
    if (found != accounts.end() && IsFinal(found->second.state)) {
      track->second.knowledge.job = found->second;
    }
  }
}

JobTracker::Knowledge JobTracker::Of(const std::string& name) const {
  const auto found = tracks_.find(name);
  return found == tracks_.end() ? Knowledge{} : found->second.knowledge;
}

std::vector<std::string> JobTracker::ToAccount(std::size_t count) const {
  std::vector<std::string> names;
  for (const auto& [name, track] : tracks_) {
    if (names.size() >= count) break;
    const Knowledge& knowledge = track.knowledge;
    if (knowledge.is_gone && !knowledge.is_accounted) names.push_back(name);
  }
  return names;
}

bool JobTracker::is_urgent() const {
  return std::any_of(tracks_.begin(), tracks_.end(), [](const auto& each) {
    const Track& track = each.second;
    if (track.knowledge.is_gone) return false;
    return track.missing_since.has_value() || !track.knowledge.job ||
           track.knowledge.job->state == SlurmState::kPending;
  });
}

}  // namespace vernier

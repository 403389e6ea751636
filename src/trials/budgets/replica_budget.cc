#include "trials/budgets/replica_budget.h"

#include <algorithm>

#include "absl/strings/str_cat.h"

namespace vernier {

ReplicaBudget::ReplicaBudget(int limit, int running)
    : limit_(limit), running_(running) {}

bool ReplicaBudget::Take(int replicas) {
  if (limit_ > 0) {
    const bool fits = running_ == 0 || running_ + replicas <= limit_;
    if (refused_ > 0 || !fits) {
      if (refused_ == 0) refused_ = replicas;
      return false;
    }
  }
  running_ += replicas;
  return true;
}

int ReplicaBudget::Lack(int replicas) const {
  return std::clamp(running_ + replicas - limit_, 0, running_);
}

std::string ReplicaBudget::WaitFor(int replicas) const {
  std::string text = absl::StrCat(
      "room for its ", replicas,
      replicas == 1 ? " replica: " : " replicas: ", running_, " of at most ",
      limit_, " run at once (vernier serve --max-concurrent-replicas)");
  if (running_ + replicas <= limit_) {
    absl::StrAppend(&text, ", and a gang of ", refused_, " comes first");
  }
  return text;
}

int DefaultMaxConcurrentReplicas(int processors) {
  constexpr int kPerProcessor = 4;
  constexpr int kLeast = 16;
  return std::max(kLeast, kPerProcessor * processors);
}

}  // namespace vernier

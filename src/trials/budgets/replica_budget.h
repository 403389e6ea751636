#ifndef VERNIER_TRIALS_BUDGETS_REPLICA_BUDGET_H_
#define VERNIER_TRIALS_BUDGETS_REPLICA_BUDGET_H_

#include <string>

namespace vernier {

/// The room that is left for replicas on this machine; plans take from it as
/// they are made. A value.
class ReplicaBudget {
 public:
  /// `limit` >= 0; 0: no limit. `running` counts the replicas that run now.
  ReplicaBudget(int limit, int running);

  /// Takes room for a gang of `replicas`, or returns false. A gang that is
  /// larger than the limit gets room when nothing else runs, so that every gang
  /// can start. Once one was refused, so are all that come later, because small
  /// ones would keep a large one from ever starting.
  bool Take(int replicas);
  /// Returns how many of the running replicas would have to end to make room
  /// for a gang of `replicas`.
  int Lack(int replicas) const;
  /// Says what a gang that Take refused waits for: "room for its 8 replicas: 16
  /// of at most 16 run at once (vernier serve --max-concurrent-replicas)".
  std::string WaitFor(int replicas) const;

 private:
  int limit_;
  int running_;
  int refused_ = 0;  // Size of the first gang that was refused.
};

/// Returns the limit that holds unless the user gives one: four replicas for
/// each processor, and 16 at least.
int DefaultMaxConcurrentReplicas(int processors);

}  // namespace vernier

#endif  // VERNIER_TRIALS_BUDGETS_REPLICA_BUDGET_H_

#ifndef VERNIER_TRIALS_BUDGETS_REPLICA_BUDGET_H_
#define VERNIER_TRIALS_BUDGETS_REPLICA_BUDGET_H_

#include <string>

namespace vernier {

/// How many more replicas may run at once on the machine; shrinks as plans are
/// made. A value.
class ReplicaBudget {
 public:
  /// `limit` >= 0, 0: none. `running`: replicas of all attempts that are live.
  ReplicaBudget(int limit, int running);

  /// Takes room for a gang of so many, or returns false. A gang that is larger
  /// than the limit gets room when nothing else runs, so that every gang can
  /// start. Once one was refused, so are all that come later: small ones would
  /// keep a large one from ever starting.
  bool Take(int replicas);
  /// How many of those that run would have to end for a gang of so many.
  int Lack(int replicas) const;
  /// What a gang that Take refused waits for: "room for its 8 replicas: 16 of
  /// at most 16 run at once (vernier serve --max-concurrent-replicas)".
  std::string WaitFor(int replicas) const;

 private:
  int limit_;
  int running_;
  int refused_ = 0;  // Size of the first gang that was refused.
};

/// The limit unless the user gives one: four replicas for each processor, and
/// 16 at least.
int DefaultMaxConcurrentReplicas(int processors);

}  // namespace vernier

#endif  // VERNIER_TRIALS_BUDGETS_REPLICA_BUDGET_H_

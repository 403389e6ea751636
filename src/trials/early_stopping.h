#ifndef VERNIER_TRIALS_EARLY_STOPPING_H_
#define VERNIER_TRIALS_EARLY_STOPPING_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "store/store.h"
#include "suggest/stopping/median_stopping_rule.h"

namespace vernier {

/// Trials to stop, each with the reason for people.
using EarlyStops = std::map<TrialId, std::string>;

/// Asks the median rule about the running trials of jobs that have
/// enableTrialEarlyStopping.
///
/// Keeps the running averages of the trials that ended, each read once from the
/// store's measurements: at most 1 KiB a trial, and of a large study only those
/// that IsSampled picks (6,144 of a million). They are gone with the object and
/// when their job ends, and read again when they are needed again, so a restart
/// changes no verdict.
///
/// Not thread-safe: the orchestrator owns it.
class EarlyStopper {
 public:
  /// Borrows `store`, which must outlive this object.
  explicit EarlyStopper(const Store& store) : store_(store) {}

  /// The trials of `study` that should be stopped now. A trial is asked about
  /// again when it has reported more or another trial has ended.
  ///
  /// Errors: those of Store::ListMeasurements; the next call tries again.
  absl::StatusOr<EarlyStops> Decide(const StudySnapshot& study);

  /// Drops what is held for jobs that have ended or are gone.
  void Forget(const StoreSnapshot& snapshot);

 private:
  struct Memory {
    std::vector<ReferenceTrial> ended;
    std::set<TrialId> open;    // When it was looked at last.
    std::size_t num_seen = 0;  // Trials 1 to num_seen are in `open` or ended.
    // Reports of a trial and ended trials at the last verdict "go on".
    std::map<TrialId, std::pair<std::int64_t, std::size_t>> cleared;
  };

  // Of the study's metric, by the road that counts.
  struct Reports {
    std::vector<Measurement> list;
    bool is_cut = false;  // There are more than are read.
  };

  absl::Status TakeEnded(const StudySnapshot& study, Memory* memory);
  absl::Status AddEnded(const StudySnapshot& study, const TrialRecord& trial,
                        Memory* memory);
  absl::StatusOr<Reports> ReadReports(const StudySnapshot& study,
                                      const TrialRecord& trial) const;
  absl::StatusOr<std::optional<double>> BestOfAttempt(
      const StudySnapshot& study, const TrialRecord& trial) const;

  const Store& store_;  // Does its own locking.
  std::map<StudyId, Memory> memories_;
};

/// Whether the rule compares with trial `id` once it has ended: all of 1 to
/// 1,024, every second up to 2,048, every fourth up to 4,096, and so on.
bool IsSampled(TrialId id);

}  // namespace vernier

#endif  // VERNIER_TRIALS_EARLY_STOPPING_H_

#ifndef VERNIER_TESTS_FAKES_FAKE_METRIC_SOURCE_H_
#define VERNIER_TESTS_FAKES_FAKE_METRIC_SOURCE_H_

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "trials/jobs/launcher.h"

namespace vernier {

/// MetricSource whose reports the test makes. Not thread-safe.
class FakeMetricSource final : public MetricSource {
 public:
  /// The attempt's program reports `measurement`.
  void Report(const AttemptKey& attempt, Measurement measurement);
  /// The attempt's program reports something that cannot be parsed.
  void ReportProblem(const AttemptKey& attempt, std::string problem);
  /// The attempt's program reports an attribute of its trial, at every Read.
  void Say(const AttemptKey& attempt, const std::string& name,
           const std::string& value) {
    said_[attempt][name] = value;
  }
  /// Keeps what the attempt reports back until its final Read.
  void HoldUntilFinal(const AttemptKey& attempt);
  /// The next `times` Reads find that nothing can be opened.
  void FailNextReads(int times) { failing_reads_ = times; }
  /// The next `times` Reads find that more is being read elsewhere.
  void DelayNextReads(int times) { pending_reads_ = times; }
  /// Restarts the service, so that everything comes again.
  void Restart() { next_.clear(); }

  /// Attempts that were read with `final`, in order, repeats included.
  const std::vector<AttemptKey>& final_reads() const { return final_reads_; }
  const std::vector<AttemptKey>& forgotten() const { return forgotten_; }
  int reads() const { return reads_; }

  MetricReading Read(const LiveAttempt& attempt, const JobSpec& spec,
                     bool final) override;
  void Forget(const AttemptKey& attempt) override;

 private:
  std::map<AttemptKey, std::vector<Measurement>> reports_;
  std::map<AttemptKey, std::vector<std::string>> problems_;
  std::map<AttemptKey, std::map<std::string, std::string>> said_;
  std::map<AttemptKey, std::size_t> next_;  // First that was not returned.
  std::set<AttemptKey> held_;
  std::vector<AttemptKey> final_reads_;
  std::vector<AttemptKey> forgotten_;
  int reads_ = 0;
  int failing_reads_ = 0;
  int pending_reads_ = 0;
};

}  // namespace vernier

#endif  // VERNIER_TESTS_FAKES_FAKE_METRIC_SOURCE_H_

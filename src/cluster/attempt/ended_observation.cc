#include "cluster/attempt/ended_observation.h"

namespace vernier {

AttemptObservation ObservationOf(const AttemptKey& attempt,
                                 const ExitRecord& record) {
  AttemptObservation observation;
  observation.attempt = attempt;
  observation.kind = AttemptObservation::Kind::kEnded;
  if (record.deciding) {
    observation.exit_code = record.ends[*record.deciding].exit_code;
    observation.signal = record.ends[*record.deciding].signal;
  }
  observation.out_of_memory = record.out_of_memory;
  observation.launch_failed = record.launch_failed;
  observation.stopped_by_request = record.stopped_by_request;
  observation.lost_output = record.lost_output;
  observation.message = record.message;
  observation.log_tail = record.log_tail;
  observation.lasted = record.lasted;
  return observation;
}

std::optional<AttemptObservation> RecordedEnd(const LiveAttempt& attempt) {
  const auto record = ReadExitRecord(attempt.run_dir);
  if (!record.ok() || record->nonce != attempt.nonce) return std::nullopt;
  return ObservationOf(attempt.attempt, *record);
}

}  // namespace vernier

#ifndef VERNIER_TESTS_STORE_SNAPSHOT_TEXT_H_
#define VERNIER_TESTS_STORE_SNAPSHOT_TEXT_H_

#include <bit>
#include <sstream>
#include <string>

#include "store/store.h"
#include "study/parameter.h"

namespace vernier {

/// Every field of a snapshot as text, doubles by their bits: two states are
/// equal if and only if their texts are, and a difference can be read.
class SnapshotText {
 public:
  static std::string Of(const StoreSnapshot& store) {
    SnapshotText text;
    for (const auto& [id, study] : store) text.Add(ToInt(id), *study);
    return text.out_.str();
  }

 private:
  void Add(std::int64_t id, const StudySnapshot& study) {
    const JobRecord& job = study.job;
    out_ << "study " << id << " " << ToInt(job.study) << " " << job.job_id
         << " " << job.spec_json << " seed " << job.seed << " max "
         << job.max_trials << " of " << MaxTrials(*job.spec) << " state "
         << ToString(job.state) << " wanted " << ToString(job.wanted) << " "
         << job.wanted_reason << " error " << job.error_message << " code "
         << job.code_dir << " run " << job.run_dir << " version " << job.version
         << " failures " << job.consecutive_failures << "/"
         << job.consecutive_instant_failures << " waited "
         << job.waited_for.count() << " ran " << job.ran_for.count() << " live "
         << study.live_attempts << " last event " << ToInt(study.last_event);
    out_ << " code version " << job.code_version << " " << job.code_digest
         << " " << job.version_changes << " made up " << job.made_up_trials;
    Add("since", job.version_at);
    for (const auto& earlier : job.earlier_versions) {
      out_ << " before " << earlier->number << " " << earlier->spec_json << " "
           << earlier->code_dir << " " << earlier->changes;
      Add("since", earlier->created_at);
    }
    for (const auto& [cause, count] : study.ended_earlier) {
      out_ << " earlier " << ToString(cause) << "*" << count;
    }
    if (job.resumed_study) out_ << " resumes " << ToInt(*job.resumed_study);
    for (const auto& [cause, count] : job.ended_before_resume) {
      out_ << " forgiven " << ToString(cause) << "*" << count;
    }
    for (const auto& field : job.ignored_fields) out_ << " ignored " << field;
    for (const auto& [key, value] : job.labels) {
      out_ << " label " << key << "=" << value;
    }
    Add("created", job.created_at);
    Add("started", job.started_at);
    Add("ended", job.ended_at);
    for (const TrialId trial : study.open) out_ << " open " << ToInt(trial);
    for (const auto& [cause, count] : study.ended) {
      out_ << " " << ToString(cause) << "*" << count;
    }
    out_ << "\n";
    if (study.client != nullptr) Add(*study.client, study.last_operation);
    for (const auto& point : study.queued) {
      out_ << "  queued " << ToInt(point->trial) << " "
           << ParametersToJson(point->parameters);
      Add("at", point->queued_at);
      out_ << "\n";
    }
    for (std::size_t i = 1; i <= study.trials.size(); ++i) {
      Add(study.trials.Get(TrialId{static_cast<std::int64_t>(i)}));
    }
  }

  void Add(const ClientStudy& client, std::int64_t last_operation) {
    out_ << "  run by clients " << ToString(client.state) << " "
         << client.state_reason << " of " << StudySpecToJson(*client.spec)
         << " was " << client.original->format << ":" << client.original->bytes
         << " operations " << last_operation;
    Add(client.metadata);
    out_ << "\n";
  }

  void Add(const Metadata& metadata) {
    for (const auto& [key, value] : metadata) {
      out_ << " " << key.first << "/" << key.second << "="
           << (value.is_text ? "text " : "bytes ") << value.value;
    }
  }

  void Add(const TrialRecord& trial) {
    const ObjectiveSummary& objective = trial.objective;
    out_ << "  trial " << ToInt(trial.id) << " " << ToString(trial.state) << " "
         << ParametersToJson(trial.parameters) << " by "
         << trial.origin.suggester << " after "
         << ToInt(trial.origin.seen_events) << " why "
         << (trial.origin.record.has_value()
                 ? SuggestionRecordToJson(*trial.origin.record)
                 : "unrecorded")
         << " cause " << ToString(trial.end_cause) << " " << trial.message
         << " counts " << objective.finite_count << "/"
         << objective.not_finite_count << " last attempt "
         << objective.last_attempt;
    Add("last", objective.last);
    Add("at", objective.last_reported_at);
    Add("best", objective.best);
    Add("final", trial.final_measurement);
    for (const auto& metric : trial.metrics_seen) out_ << " saw " << metric;
    for (const auto& text : trial.metric_problems) out_ << " but " << text;
    Add("created", trial.created_at);
    Add("started", trial.started_at);
    Add("ended", trial.ended_at);
    out_ << " client " << trial.client.client_id << " brought "
         << MetricReportsToJson(trial.client.brought);
    if (trial.client.final_report) {
      out_ << " " << MetricReportToJson(*trial.client.final_report);
    }
    Add("deleted", trial.client.deleted_at);
    Add(trial.client.metadata);
    out_ << "\n";
    for (const AttemptRecord& attempt : trial.attempts) Add(attempt);
  }

  void Add(const AttemptRecord& attempt) {
    out_ << "    attempt " << attempt.number << " " << attempt.nonce << " "
         << ToString(attempt.state) << " kill " << attempt.kill_wanted << " "
         << ToString(attempt.kill_cause) << " cause "
         << ToString(attempt.end_cause) << " exit "
         << attempt.exit_code.value_or(-1) << " signal "
         << attempt.signal.value_or(-1) << " lasted " << attempt.lasted.count()
         << " " << attempt.message << " version " << attempt.code_version;
    for (const DeviceId& device : attempt.devices) out_ << " on " << device;
    Add("intended", attempt.intended_at);
    Add("running", attempt.running_at);
    Add("ended", attempt.ended_at);
    out_ << "\n";
  }

  void Add(const char* name, const std::optional<Timestamp>& time) {
    if (time) out_ << " " << name << " " << time->time_since_epoch().count();
  }

  void Add(const char* name, const std::optional<FinalMeasurement>& value) {
    if (!value) return;
    out_ << " " << name << " " << value->step << ":"
         << std::bit_cast<std::uint64_t>(value->value);
  }

  std::ostringstream out_;
};

/// Every field of a list of events, one line each.
inline std::string EventsText(const std::vector<Event>& events) {
  std::ostringstream out;
  for (const Event& event : events) {
    out << ToInt(event.sequence) << " study " << ToInt(event.study) << " trial "
        << (event.trial ? ToInt(*event.trial) : 0) << " attempt "
        << event.attempt << " " << event.kind << " " << event.payload << " at "
        << event.at.time_since_epoch().count() << "\n";
  }
  return out.str();
}

/// Every field of a list of measurements, one line each.
inline std::string MeasurementsText(const std::vector<Measurement>& list) {
  std::ostringstream out;
  for (const Measurement& one : list) {
    out << one.metric << " " << one.step << " "
        << one.reported_at.time_since_epoch().count() << " "
        << std::bit_cast<std::uint64_t>(one.value) << " " << one.elapsed.count()
        << "\n";
  }
  return out.str();
}

}  // namespace vernier

#endif  // VERNIER_TESTS_STORE_SNAPSHOT_TEXT_H_

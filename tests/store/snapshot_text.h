#ifndef VERNIER_TESTS_STORE_SNAPSHOT_TEXT_H_
#define VERNIER_TESTS_STORE_SNAPSHOT_TEXT_H_

#include <bit>
#include <sstream>
#include <string>

#include "store/store.h"
#include "study/parameter.h"

namespace vernier {

/// Returns every field of a snapshot as text, doubles by their bits. Two states
/// are equal if and only if their texts are, and a difference can be read.
class SnapshotText {
 public:
  static std::string Of(const StoreSnapshot& store) {
    SnapshotText text;
    for (const auto& [id, study] : store) text.Add(ToInt(id), *study);
    return text.out_.str();
  }

  static std::string Of(const TrialRecord& trial) {
    SnapshotText text;
    text.Add(trial);
    return text.out_.str();
  }

 private:
  void Add(std::int64_t id, const StudySnapshot& study) {
    out_ << "study " << id << " " << ToInt(study.id) << " " << study.name
         << " seed " << study.seed << " version " << study.version << " live "
         << study.live_attempts << " last event " << ToInt(study.last_event)
         << " of " << StudySpecToJson(*study.spec);
    for (const auto& [key, value] : study.labels) {
      out_ << " label " << key << "=" << value;
    }
    if (!study.note.empty()) out_ << " note " << study.note;
    Add("created", study.created_at);
    for (const auto& [cause, count] : study.ended_earlier) {
      out_ << " earlier " << ToString(cause) << "*" << count;
    }
    for (const TrialId trial : study.open) out_ << " open " << ToInt(trial);
    for (const auto& [cause, count] : study.ended) {
      out_ << " " << ToString(cause) << "*" << count;
    }
    out_ << "\n";
    if (IsJob(study)) {
      Add(JobRunOf(study));
    } else {
      AddClients(study);
    }
    for (const auto& point : study.queued) {
      out_ << "  queued " << ToInt(point->trial) << " "
           << ParametersToJson(point->parameters);
      Add("at", point->queued_at);
      out_ << "\n";
    }
    for (const auto& point : study.proposed) {
      out_ << "  proposed by " << point->source << " "
           << ParametersToJson(point->parameters);
      Add("at", point->proposed_at);
      out_ << "\n";
    }
    for (std::size_t i = 1; i <= study.trials.size(); ++i) {
      Add(study.trials.Get(TrialId{static_cast<std::int64_t>(i)}));
    }
  }

  void Add(const JobRun& run) {
    out_ << "  job " << run.spec_json << " max " << run.max_trials << " of "
         << MaxTrials(*run.spec) << " state " << ToString(run.state)
         << " wanted " << ToString(run.wanted) << " by "
         << ToString(run.wanted_cause) << " " << run.wanted_reason << " error "
         << run.error_message << " code " << run.code_dir << " run "
         << run.run_dir << " failures " << run.consecutive_failures << "/"
         << run.consecutive_instant_failures << " waited "
         << run.waited_for.count() << " ran " << run.ran_for.count()
         << " code version " << run.code_version << " " << run.code_digest
         << " " << run.version_changes << " made up " << run.made_up_trials;
    Add("since", run.version_at);
    for (const auto& earlier : run.earlier_versions) {
      out_ << " before " << earlier->number << " " << earlier->spec_json << " "
           << earlier->code_dir << " " << earlier->changes;
      Add("since", earlier->created_at);
    }
    if (run.resumed_study) out_ << " resumes " << ToInt(*run.resumed_study);
    for (const auto& [cause, count] : run.ended_before_resume) {
      out_ << " forgiven " << ToString(cause) << "*" << count;
    }
    for (const auto& field : run.ignored_fields) out_ << " ignored " << field;
    Add("started", run.started_at);
    Add("ended", run.ended_at);
    out_ << "\n";
  }

  void AddClients(const StudySnapshot& study) {
    const ClientRun& run = ClientRunOf(study);
    out_ << "  run by clients " << ToString(run.state) << " "
         << run.state_reason << " was " << run.original->format << ":"
         << run.original->bytes << " operations " << run.last_operation;
    Add(*study.metadata);
    for (const auto& edit : run.edits) {
      out_ << " edit " << edit->version << " of "
           << StudySpecToJson(*edit->replaced) << " " << edit->changes << " "
           << edit->client_data;
      Add("at", edit->at);
    }
    out_ << "\n";
  }

  void Add(const Metadata& metadata) {
    for (const auto& [key, value] : metadata) {
      out_ << " " << key.first << "/" << key.second << "="
           << (value.is_text ? "text " : "bytes ") << value.value;
    }
  }

  void Add(const MetricSummary& summary) {
    out_ << " counts " << summary.finite_count << "/"
         << summary.not_finite_count << " last attempt "
         << summary.last_attempt;
    Add("last", summary.last);
    Add("at", summary.last_reported_at);
    Add("best", summary.best);
    if (const auto& value = summary.not_finite_last) {
      out_ << " not finite " << value->value << " at " << value->step
           << " of attempt " << value->attempt;
      Add("at", value->reported_at);
    }
  }

  void Add(const TrialRecord& trial) {
    out_ << "  trial " << ToInt(trial.id) << " " << ToString(trial.state) << " "
         << ParametersToJson(trial.parameters) << " by "
         << trial.origin.suggester << " after "
         << ToInt(trial.origin.seen_events) << " why "
         << (trial.origin.record.has_value()
                 ? SuggestionRecordToJson(*trial.origin.record)
                 : "unrecorded")
         << " cause " << ToString(trial.end_cause) << " " << trial.message;
    Add(trial.objective);
    for (const auto& [metric, summary] : trial.others) {
      out_ << " of " << metric;
      Add(summary);
    }
    Add("final", trial.final_measurement);
    for (const SeenMetric& metric : trial.metrics_seen) {
      out_ << " saw " << metric.name << " by " << ToString(metric.road);
    }
    for (const auto& text : trial.metric_problems) out_ << " but " << text;
    Add("created", trial.created_at);
    Add("started", trial.started_at);
    Add("ended", trial.ended_at);
    out_ << " client " << trial.client_id << " brought "
         << MetricReportsToJson(trial.brought);
    if (trial.final_report) {
      out_ << " " << MetricReportToJson(*trial.final_report);
    }
    Add("deleted", trial.deleted_at);
    Add(trial.metadata);
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

/// Returns every field of a list of events, one line each.
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

/// Returns every field of a list of measurements, one line each.
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

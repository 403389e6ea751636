#include "store/event_replay.h"

#include <cstring>

#include "absl/strings/str_cat.h"
#include "study/json.h"

namespace vernier {
namespace {

// " from>to " for each legal move.
constexpr char kJobMoves[] =
    " QUEUED>PREPARING QUEUED>RUNNING QUEUED>CANCELLING QUEUED>SUCCEEDED"
    " QUEUED>FAILED PREPARING>RUNNING PREPARING>CANCELLING"
    " PREPARING>SUCCEEDED PREPARING>FAILED RUNNING>CANCELLING"
    " RUNNING>SUCCEEDED RUNNING>FAILED CANCELLING>CANCELLED SUCCEEDED>QUEUED"
    " FAILED>QUEUED CANCELLED>QUEUED ";
constexpr char kTrialMoves[] =
    " requested>active requested>stopped active>stopping active>completed"
    " active>infeasible active>failed stopping>completed stopping>stopped ";
constexpr char kAttemptMoves[] =
    " intended>launching intended>running intended>exited intended>killed"
    " intended>lost launching>running launching>exited launching>killed"
    " launching>lost running>exited running>killed running>lost ";

bool StartsWith(const std::string& text, const char* prefix) {
  return text.rfind(prefix, 0) == 0;
}

bool IsOver(const std::string& state) {
  for (const char* open :
       {"requested", "active", "stopping", "intended", "launching", "running",
        "QUEUED", "PREPARING", "RUNNING", "CANCELLING"}) {
    if (state == open) return false;
  }
  return true;
}

}  // namespace

// Reads fields of any payload without failing: what is missing is empty.
class EventReplay::Payload {
 public:
  explicit Payload(const std::string& text) {
    absl::StatusOr<Json> parsed = ParseJson(text);
    if (parsed.ok()) json_ = *std::move(parsed);
  }

  bool is_object() const { return json_.is_object(); }

  std::string Text(const char* name) const {
    const Json* field = Find(json_, name);
    return field != nullptr && field->is_string() ? field->get<std::string>()
                                                  : "";
  }
  std::optional<std::int64_t> Int(const char* name) const {
    return IntOf(Find(json_, name));
  }
  std::string Dump(const char* name) const {
    const Json* field = Find(json_, name);
    return field == nullptr ? "" : DumpJson(*field);
  }
  std::vector<std::string> Strings(const char* name) const {
    std::vector<std::string> strings;
    const Json* field = Find(json_, name);
    if (field == nullptr || !field->is_array()) return strings;
    for (const Json& item : *field) {
      if (item.is_string()) strings.push_back(item.get<std::string>());
    }
    return strings;
  }
  bool Has(const char* name) const { return Find(json_, name) != nullptr; }

  std::optional<std::int64_t> FinalStep() const {
    const Json* final_measurement = Find(json_, "final_measurement");
    return final_measurement == nullptr
               ? std::nullopt
               : IntOf(Find(*final_measurement, "step"));
  }
  double FinalValue() const {
    const Json* final_measurement = Find(json_, "final_measurement");
    const Json* value = final_measurement == nullptr
                            ? nullptr
                            : Find(*final_measurement, "value");
    return value != nullptr && value->is_number() ? value->get<double>() : 0;
  }

  // maxParallelTrials of a job's spec_json; 1 if it does not say.
  std::int64_t MaxParallelTrials() const {
    const absl::StatusOr<Json> spec = ParseJson(Text("spec_json"));
    const Json* field = spec.ok() ? &*spec : nullptr;
    for (const char* name :
         {"trainingInput", "hyperparameters", "maxParallelTrials"}) {
      if (field != nullptr) field = Find(*field, name);
    }
    if (field != nullptr && field->is_string()) {
      return std::strtoll(field->get<std::string>().c_str(), nullptr, 10);
    }
    return IntOf(field).value_or(1);
  }

 private:
  static const Json* Find(const Json& json, const char* name) {
    if (!json.is_object()) return nullptr;
    const auto found = json.find(name);
    return found == json.end() ? nullptr : &*found;
  }
  static std::optional<std::int64_t> IntOf(const Json* field) {
    if (field == nullptr || !field->is_number_integer()) return std::nullopt;
    return field->get<std::int64_t>();
  }

  Json json_;
};

void EventReplay::Violation(const StoredEvent& event, const std::string& what) {
  violations_.push_back(absl::StrCat(
      "event ", event.sequence, " (", event.kind, " of study ", event.study,
      " trial ", event.trial, " attempt ", event.attempt, "): ", what));
}

void EventReplay::Add(const StoredEvent& event) {
  if (event.sequence != last_sequence_ + 1) {
    Violation(event, absl::StrCat("follows event ", last_sequence_));
  }
  last_sequence_ = event.sequence;
  const Payload payload(event.payload);
  if (!payload.is_object()) return Violation(event, "its payload is no object");
  if (event.kind == "job.created") return Create(event, payload);

  const auto study = studies_.find(event.study);
  if (study == studies_.end()) return Violation(event, "no such study then");
  if (StartsWith(event.kind, "job.")) return AddJobEvent(event, payload);
  if (event.kind == "point.queued") {
    return QueuePoint(event, payload, study->second);
  }
  if (event.kind == "trial.created") {
    return CreateTrial(event, payload, study->second);
  }
  const auto trial = study->second.trials.find(event.trial);
  if (trial == study->second.trials.end()) {
    return Violation(event, "no such trial then");
  }
  if (StartsWith(event.kind, "trial.")) {
    return AddTrialEvent(event, payload, study->second);
  }
  AddAttemptEvent(event, payload, study->second, trial->second);
}

void EventReplay::QueuePoint(const StoredEvent& event, const Payload& payload,
                             ReplayedStudy& study) {
  const auto next =
      static_cast<std::int64_t>(study.trials.size() + study.queued.size()) + 1;
  if (payload.Int("for_trial") != next) {
    Violation(event, absl::StrCat("the next point was for trial ", next));
  }
  if (next > study.max_trials) Violation(event, "passes max_trials");
  if (IsOver(study.state)) Violation(event, "the job was over");
  study.queued[next] = payload.Dump("parameters");
}

void EventReplay::CreateTrial(const StoredEvent& event, const Payload& payload,
                              ReplayedStudy& study) {
  const auto next = static_cast<std::int64_t>(study.trials.size()) + 1;
  if (event.trial != next) {
    Violation(event, absl::StrCat("the next trial was ", next));
  }
  if (next > study.max_trials) Violation(event, "passes max_trials");
  if (IsOver(study.state)) Violation(event, "the job was over");
  const std::string parameters = payload.Dump("parameters");
  const auto queued = study.queued.find(next);
  if (queued != study.queued.end()) {
    if (queued->second != parameters) {
      Violation(event, "a queued point was to be this trial");
    }
    study.queued.erase(queued);
  }
  study.trials[event.trial].parameters = parameters;
}

void EventReplay::Create(const StoredEvent& event, const Payload& payload) {
  if (event.study <= last_study_) Violation(event, "its id was used before");
  last_study_ = event.study;
  for (const auto& [id, other] : studies_) {
    if (other.job_id == payload.Text("job_id")) {
      Violation(event, absl::StrCat("its job id is that of study ", id));
    }
  }
  ReplayedStudy& study = studies_[event.study];
  study.job_id = payload.Text("job_id");
  study.max_trials = payload.Int("max_trials").value_or(0);
  study.max_parallel_trials = payload.MaxParallelTrials();
}

void EventReplay::AddJobEvent(const StoredEvent& event,
                              const Payload& payload) {
  ReplayedStudy& study = studies_.at(event.study);
  if (event.kind == "job.wanted") {
    study.wanted = payload.Text("wanted");
    if (IsOver(study.state)) Violation(event, "the job was over");
  } else if (event.kind == "job.extended") {
    const std::int64_t max_trials = payload.Int("max_trials").value_or(0);
    if (max_trials < study.max_trials) Violation(event, "max_trials fell");
    study.max_trials = max_trials;
  } else if (event.kind == "job.deleted") {
    if (!IsOver(study.state)) Violation(event, "the job was not over");
    studies_.erase(event.study);
  } else if (event.kind != "job.labels") {
    Move(event, payload, kJobMoves, study.state);
    if (study.state == "QUEUED") study.wanted = "run";
    if (!IsOver(study.state)) return;
    for (const auto& [number, trial] : study.trials) {
      if (!IsOver(trial.state)) {
        Violation(event, absl::StrCat("trial ", number, " was not final"));
      }
    }
  }
}

void EventReplay::AddTrialEvent(const StoredEvent& event,
                                const Payload& payload, ReplayedStudy& study) {
  ReplayedTrial& trial = study.trials.at(event.trial);
  if (IsOver(trial.state)) Violation(event, "the trial was final already");
  Move(event, payload, kTrialMoves, trial.state);
  trial.message = payload.Text("message");
  if (IsOver(trial.state)) EndTrial(event, payload, trial);
}

void EventReplay::EndTrial(const StoredEvent& event, const Payload& payload,
                           ReplayedTrial& trial) {
  trial.cause = payload.Text("cause");
  trial.final_step = payload.FinalStep();
  trial.final_value = payload.FinalValue();
  for (const auto& [number, attempt] : trial.attempts) {
    if (!IsOver(attempt.state)) {
      Violation(event, absl::StrCat("attempt ", number, " was alive"));
    }
  }
}

void EventReplay::AddAttemptEvent(const StoredEvent& event,
                                  const Payload& payload, ReplayedStudy& study,
                                  ReplayedTrial& trial) {
  if (event.kind == "attempt.intended") {
    return Intend(event, payload, study, trial);
  }
  const auto found = trial.attempts.find(event.attempt);
  if (found == trial.attempts.end()) {
    return Violation(event, "no such attempt then");
  }
  ReplayedAttempt& attempt = found->second;
  if (event.kind == "attempt.kill_wanted") {
    if (IsOver(attempt.state)) Violation(event, "the attempt had ended");
    attempt.kill_wanted = true;
    return;
  }
  Move(event, payload, kAttemptMoves, attempt.state);
  if (IsOver(attempt.state)) EndAttempt(event, payload, study, attempt);
}

void EventReplay::Intend(const StoredEvent& event, const Payload& payload,
                         ReplayedStudy& study, ReplayedTrial& trial) {
  const auto next = static_cast<std::int64_t>(trial.attempts.size()) + 1;
  if (event.attempt != next) {
    Violation(event, absl::StrCat("the next attempt was ", next));
  }
  if (trial.state != "active") {
    Violation(event, absl::StrCat("the trial was ", trial.state));
  }
  if (next > 1 && !IsOver(trial.attempts.rbegin()->second.state)) {
    Violation(event, "the attempt before it was alive");
  }
  if (study.wanted != "run") {
    Violation(event, absl::StrCat("the job was wanted to ", study.wanted));
  }
  if (++study.live_attempts > study.max_parallel_trials) {
    Violation(event, absl::StrCat(study.live_attempts,
                                  " live attempts pass maxParallelTrials ",
                                  study.max_parallel_trials));
  }
  ReplayedAttempt& attempt = trial.attempts[event.attempt];
  attempt.nonce = payload.Text("nonce");
  attempt.devices = payload.Strings("devices");
  const std::string holder =
      absl::StrCat(event.study, "/", event.trial, "/", event.attempt);
  for (const std::string& device : attempt.devices) {
    const auto [lease, is_free] = devices_.emplace(device, holder);
    if (is_free) continue;
    Violation(event, absl::StrCat("device ", device, " was leased to ",
                                  lease->second));
  }
}

void EventReplay::EndAttempt(const StoredEvent& event, const Payload& payload,
                             ReplayedStudy& study, ReplayedAttempt& attempt) {
  --study.live_attempts;
  attempt.cause = payload.Text("cause");
  attempt.exit_code = payload.Int("exit_code");
  for (const std::string& device : attempt.devices) {
    if (devices_.erase(device) == 0) {
      Violation(event, absl::StrCat("device ", device, " was not leased"));
    }
  }
}

void EventReplay::Move(const StoredEvent& event, const Payload& payload,
                       const char* legal_moves, std::string& state) {
  const std::string to = payload.Text("to");
  if (payload.Text("from") != state) {
    Violation(event, absl::StrCat("moves from ", payload.Text("from"),
                                  ", but the state was ", state));
  }
  const std::string move = absl::StrCat(" ", state, ">", to, " ");
  // The list is separated by single spaces, so neighbours share one.
  if (std::strstr(legal_moves, move.c_str()) == nullptr) {
    Violation(event, absl::StrCat("illegal move", move));
  }
  state = to;
}

}  // namespace vernier

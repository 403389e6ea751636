#include "tests/store/replay/event_replay.h"

#include <cstdint>
#include <cstring>
#include <limits>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "base/json.h"
#include "tests/store/replay/event_payload_reader.h"

namespace vernier {
namespace {

// The legal moves, each as " from>to ".
constexpr char kJobMoves[] =
    " QUEUED>PREPARING QUEUED>RUNNING QUEUED>CANCELLING QUEUED>SUCCEEDED"
    " QUEUED>FAILED PREPARING>RUNNING PREPARING>CANCELLING"
    " PREPARING>SUCCEEDED PREPARING>FAILED RUNNING>CANCELLING"
    " RUNNING>SUCCEEDED RUNNING>FAILED CANCELLING>CANCELLED SUCCEEDED>QUEUED"
    " FAILED>QUEUED CANCELLED>QUEUED ";
constexpr char kTrialMoves[] =
    " requested>active requested>stopped active>stopping active>completed"
    " active>infeasible active>failed stopping>completed stopping>infeasible"
    " stopping>stopped ";
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

// Add finds the study, the trial and the attempt of an event and hands the
// event to the function for its kind. An event that violates a rule is applied
// nonetheless where that is possible, so that one fault does not hide those
// after it.

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
  const EventPayload payload(event.payload);
  if (!payload.is_object()) return Violation(event, "its payload is no object");
  if (event.kind == "job.created") return Create(event, payload);
  if (event.kind == "study.created") return CreateStudy(event, payload);

  const auto study = studies_.find(event.study);
  if (study == studies_.end()) return Violation(event, "no such study then");
  const bool is_for_clients = !study->second.is_job;
  if (is_for_clients && study->second.study_state != "ACTIVE" &&
      event.kind != "study.moved" && event.kind != "study.note" &&
      event.kind != "study.metadata" && event.kind != "study.revised" &&
      event.kind != "study.deleted") {
    Violation(event, "the study was not active");
  }
  if (event.kind == "study.note") {
    study->second.note = payload.Text("note");
    return;
  }
  if (StartsWith(event.kind, "study.")) return AddStudyEvent(event, payload);
  if (StartsWith(event.kind, "job.")) {
    if (is_for_clients) Violation(event, "a client study is no job");
    return AddJobEvent(event, payload);
  }
  if (event.kind == "point.queued") {
    return QueuePoint(event, payload, study->second);
  }
  if (event.kind == "point.proposed") {
    if (IsOver(study->second.state)) Violation(event, "the job was over");
    auto& proposed = study->second.proposed;
    proposed[std::ssize(proposed) + 1] = {payload.Text("source"),
                                          payload.Dump("parameters")};
    return;
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
  if (is_for_clients) {
    // Up to schema 8, a client's trial had an attempt for the sake of form, and
    // the event of its intent named the client. Now the move to active names
    // it.
    if (event.kind == "attempt.intended") {
      trial->second.client_id = payload.Text("client_id");
    }
    return;
  }
  AddAttemptEvent(event, payload, study->second, trial->second);
}

void EventReplay::QueuePoint(const StoredEvent& event,
                             const EventPayload& payload,
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

void EventReplay::CreateTrial(const StoredEvent& event,
                              const EventPayload& payload,
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
  ReplayedTrial& trial = study.trials[event.trial];
  trial.parameters = parameters;
  if (payload.Has("brought_reports")) {
    trial.brought_reports = payload.Dump("brought_reports");
  }
}

void EventReplay::Create(const StoredEvent& event,
                         const EventPayload& payload) {
  ReplayedStudy& study = AddReplayed(event, payload.Text("job_id"));
  study.max_trials = payload.Int("max_trials").value_or(0);
  study.max_parallel_trials = payload.MaxParallelTrials();
  study.spec_json = payload.Text("spec_json");
}

ReplayedStudy& EventReplay::AddReplayed(const StoredEvent& event,
                                        const std::string& name) {
  if (event.study <= last_study_) Violation(event, "its id was used before");
  last_study_ = event.study;
  for (const auto& [id, other] : studies_) {
    if (other.name == name) {
      Violation(event, absl::StrCat("its name is that of study ", id));
    }
  }
  ReplayedStudy& study = studies_[event.study];
  study.name = name;
  return study;
}

void EventReplay::AddJobEvent(const StoredEvent& event,
                              const EventPayload& payload) {
  ReplayedStudy& study = studies_.at(event.study);
  if (event.kind == "job.wanted") {
    study.wanted = payload.Text("wanted");
    if (IsOver(study.state)) Violation(event, "the job was over");
  } else if (event.kind == "job.extended") {
    const std::int64_t max_trials = payload.Int("max_trials").value_or(0);
    if (max_trials < study.max_trials) Violation(event, "max_trials fell");
    study.max_trials = max_trials;
    study.made_up_trials = payload.Int("made_up_trials").value_or(0);
  } else if (event.kind == "job.revised") {
    Revise(event, payload, study);
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

void EventReplay::Revise(const StoredEvent& event, const EventPayload& payload,
                         ReplayedStudy& study) {
  const std::int64_t version = payload.Int("version").value_or(0);
  if (version != study.code_version + 1) {
    Violation(event, absl::StrCat("replaces version ", study.code_version));
  }
  study.code_version = version;
  study.max_trials = payload.Int("max_trials").value_or(0);
  study.made_up_trials = payload.Int("made_up_trials").value_or(0);
  study.max_parallel_trials = payload.MaxParallelTrials();
  study.spec_json = payload.Text("spec_json");
  if (static_cast<std::size_t>(study.max_trials) <
      study.trials.size() + study.queued.size()) {
    Violation(event, "max_trials is less than the trials that there are");
  }
}

void EventReplay::AddTrialEvent(const StoredEvent& event,
                                const EventPayload& payload,
                                ReplayedStudy& study) {
  ReplayedTrial& trial = study.trials.at(event.trial);
  if (trial.is_deleted) Violation(event, "the trial was deleted");
  if (event.kind == "trial.deleted") {
    if (!IsOver(trial.state)) Violation(event, "the trial had not ended");
    if (study.is_job) Violation(event, "it is a job's trial");
    trial.is_deleted = true;
    return;
  }
  if (IsOver(trial.state)) Violation(event, "the trial was final already");
  if (event.kind == "trial.parameter") {
    Json parameters = Json::parse(trial.parameters);
    parameters.update(Json::parse(payload.Dump("parameters")));
    trial.parameters = parameters.dump();
    return;
  }
  Move(event, payload, kTrialMoves, trial.state);
  trial.message = payload.Text("message");
  if (trial.state == "active") trial.client_id = payload.Text("client_id");
  if (IsOver(trial.state)) EndTrial(event, payload, trial);
}

void EventReplay::EndTrial(const StoredEvent& event,
                           const EventPayload& payload, ReplayedTrial& trial) {
  trial.cause = payload.Text("cause");
  // Releases before schema 13 called a client's stopped trial completed.
  if (trial.state == "completed" && trial.cause == "stopped_early") {
    trial.state = "stopped";
  }
  trial.final_step = payload.FinalStep();
  trial.final_value = payload.FinalValue();
  trial.final_report = payload.Text("final_report");
  for (const auto& [number, attempt] : trial.attempts) {
    if (!IsOver(attempt.state)) {
      Violation(event, absl::StrCat("attempt ", number, " was alive"));
    }
  }
}

void EventReplay::AddAttemptEvent(const StoredEvent& event,
                                  const EventPayload& payload,
                                  ReplayedStudy& study, ReplayedTrial& trial) {
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

void EventReplay::Intend(const StoredEvent& event, const EventPayload& payload,
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
  attempt.code_version = payload.Int("version").value_or(1);
  if (attempt.code_version != study.code_version) {
    Violation(event,
              absl::StrCat("the job's version was ", study.code_version));
  }
  const std::string holder =
      absl::StrCat(event.study, "/", event.trial, "/", event.attempt);
  for (const std::string& device : attempt.devices) {
    const auto [lease, is_free] = devices_.emplace(device, holder);
    if (is_free) continue;
    Violation(event, absl::StrCat("device ", device, " was leased to ",
                                  lease->second));
  }
}

void EventReplay::EndAttempt(const StoredEvent& event,
                             const EventPayload& payload, ReplayedStudy& study,
                             ReplayedAttempt& attempt) {
  --study.live_attempts;
  attempt.cause = payload.Text("cause");
  attempt.exit_code = payload.Int("exit_code");
  for (const std::string& device : attempt.devices) {
    if (devices_.erase(device) == 0) {
      Violation(event, absl::StrCat("device ", device, " was not leased"));
    }
  }
}

void EventReplay::Move(const StoredEvent& event, const EventPayload& payload,
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

// The functions from here on replay the studies that clients run.

void EventReplay::CreateStudy(const StoredEvent& event,
                              const EventPayload& payload) {
  ReplayedStudy& study = AddReplayed(event, payload.Text("study"));
  study.is_job = false;
  study.max_trials = std::numeric_limits<std::int64_t>::max();
}

void EventReplay::AddStudyEvent(const StoredEvent& event,
                                const EventPayload& payload) {
  ReplayedStudy& study = studies_.at(event.study);
  if (study.is_job && event.kind != "study.metadata") {
    Violation(event, "it is a job's study");
  }
  if (event.kind == "study.moved") {
    if (payload.Text("from") != study.study_state) {
      Violation(event, absl::StrCat("the study was ", study.study_state));
    }
    study.study_state = payload.Text("to");
  } else if (event.kind == "study.deleted") {
    studies_.erase(event.study);
  } else if (event.kind == "study.suggested") {
    Suggest(event, payload, study);
  } else if (event.kind == "study.metadata") {
    SetMetadata(event, payload, study);
  } else if (event.kind == "study.grown") {
    if (!payload.Has("spec_json")) Violation(event, "has no spec");
  } else if (event.kind == "study.revised") {
    if (payload.Int("version") != ++study.spec_version) {
      Violation(event, "is not of the next version");
    }
  } else {
    Violation(event, "no such kind");
  }
}

void EventReplay::Suggest(const StoredEvent& event, const EventPayload& payload,
                          ReplayedStudy& study) {
  if (payload.Int("number") != study.last_operation + 1) {
    Violation(event, absl::StrCat("the next operation was ",
                                  study.last_operation + 1));
  }
  ++study.last_operation;
  for (const std::int64_t number : payload.Ints("trials")) {
    const auto trial = study.trials.find(number);
    if (trial == study.trials.end() || trial->second.state != "active" ||
        trial->second.client_id != payload.Text("client_id")) {
      Violation(event, absl::StrCat("trial ", number,
                                    " was not active for this client"));
    }
  }
}

void EventReplay::SetMetadata(const StoredEvent& event,
                              const EventPayload& payload,
                              ReplayedStudy& study) {
  for (const EventPayload& item : payload.Objects("items")) {
    const std::int64_t trial = item.Int("trial").value_or(0);
    const auto owner = study.trials.find(trial);
    if (trial != 0 &&
        (owner == study.trials.end() || owner->second.is_deleted)) {
      Violation(event, absl::StrCat("there was no trial ", trial));
    }
    study.metadata[{trial, item.Text("ns"), item.Text("key")}] =
        item.Has("text") ? "t" + absl::Base64Escape(item.Text("text"))
                         : "b" + item.Text("bytes");
  }
}

}  // namespace vernier

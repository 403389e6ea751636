// The part of EventReplay for studies that clients run.

#include <cstdint>
#include <limits>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "store/check/event_replay.h"
#include "store/events/event_payload_reader.h"

namespace vernier {

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

#include "study/words/event_words.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <map>
#include <optional>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "base/number_text.h"
#include "study/words/duration_text.h"
#include "study/words/end_words.h"

namespace vernier {
namespace {

constexpr std::size_t kMostValues = 6;
constexpr char kAttributes[] = ":attributes";
constexpr char kNotes[] = ":vernier";

const std::map<std::string, std::string, std::less<>>& Verbs() {
  static const auto* const kVerbs =
      new std::map<std::string, std::string, std::less<>>{
          {"job.created", "was submitted"},
          {"job.queued", "was taken up again"},
          {"job.preparing", "is being prepared"},
          {"job.running", "runs"},
          {"job.cancelling", "is being cancelled"},
          {"job.succeeded", "succeeded"},
          {"job.failed", "failed"},
          {"job.cancelled", "was cancelled"},
          {"job.labels", "has new labels"},
          {"job.extended", "may have more trials"},
          {"job.revised", "has a new version"},
          {"job.deleted", "was deleted"},
          {"point.queued", "A point was queued"},
          {"point.proposed", "A point was proposed"},
          {"study.created", "was created"},
          {"study.moved", "changed its state"},
          {"study.note", "has a new note"},
          {"study.metadata", "has new metadata"},
          {"study.suggested", "Points were suggested"},
          {"study.revised", "has a new version"},
          {"study.grown", "has a larger search space"},
          {"study.deleted", "was deleted"},
          {"trial.created", "was created"},
          {"trial.parameter", "has a parameter"},
          {"trial.active", "started"},
          {"trial.stopping", "is being stopped"},
          {"trial.completed", "completed"},
          {"trial.stopped", "was stopped"},
          {"trial.infeasible", "is infeasible"},
          {"trial.failed", "failed"},
          {"trial.deleted", "was deleted"},
          {"attempt.intended", "is planned"},
          {"attempt.launching", "is being launched"},
          {"attempt.running", "runs"},
          {"attempt.kill_wanted", "is being ended"},
          {"attempt.exited", "ended"},
          {"attempt.killed", "was ended"},
          {"attempt.lost", "was lost"}};
  return *kVerbs;
}

/// "user_error" -> "user error".
std::string Spaced(const std::string& text) {
  return absl::AsciiStrToLower(absl::StrReplaceAll(text, {{"_", " "}}));
}

std::string ValueText(const Json& value) {
  return value.is_number() ? ShortNumber(value.get<double>())
                           : PlainText(value);
}

/// Returns "lr 0.001, opt adam" for an object or a list of {name, value}.
std::string ValuesText(const Json& values) {
  std::vector<std::string> shown;
  for (const auto& [key, value] : values.items()) {
    if (shown.size() == kMostValues) {
      shown.emplace_back("...");
      break;
    }
    // A number is printed with all digits, so that a filter finds it.
    const bool is_pair = value.is_object() && value.contains("value");
    shown.push_back(is_pair ? absl::StrCat(TextAt(value, "name"), " ",
                                           PlainText(value.at("value")))
                            : absl::StrCat(key, " ", PlainText(value)));
  }
  return absl::StrJoin(shown, ", ");
}

/// Returns a message without AI Platform's words for an exit, whose status
/// stands beside it.
std::string MessageText(const std::string& message) {
  const std::size_t line_end = std::min(message.find('\n'), message.size());
  const auto end = ReadReplicaEnd(message.substr(0, line_end));
  if (!end.has_value()) return PlainEnd(message);
  const std::string rest = line_end + 1 < message.size()
                               ? message.substr(line_end + 1)
                               : std::string();
  if (end->kind == ReplicaEndText::Kind::kExited && end->replica.empty()) {
    return rest;
  }
  const std::string clause = PlainEndClause(message);
  return rest.empty() ? clause : absl::StrCat(clause, "\n", rest);
}

/// Returns the names of the attributes that an event has set.
std::string AttributeNames(const Json& payload) {
  std::vector<std::string> names;
  for (const Json& item : payload.value("items", Json::array())) {
    if (TextAt(item, "ns") == kAttributes) names.push_back(TextAt(item, "key"));
  }
  return absl::StrJoin(names, ", ");
}

/// Returns the trial that metadata belongs to, if all of it belongs to one;
/// else 0.
std::int64_t TrialOfMetadata(const Json& payload) {
  std::int64_t trial = 0;
  for (const Json& item : payload.value("items", Json::array())) {
    const std::int64_t one = WholeAt(item, "trial").value_or(0);
    if (one == 0 || (trial != 0 && one != trial)) return 0;
    trial = one;
  }
  return trial;
}

/// Returns people's notes about a trial.
std::string NoteText(const Json& payload) {
  for (const Json& item : payload.value("items", Json::array())) {
    if (TextAt(item, "ns") == kNotes) return TextAt(item, "text");
  }
  return "";
}

std::string SubjectOf(std::string_view kind, std::int64_t trial, int attempt) {
  if (kind == "study.suggested" || kind == "point.queued" ||
      kind == "point.proposed") {
    return "";
  }
  if (attempt > 0 && trial > 0) {
    return absl::StrCat("Trial ", trial, ", attempt ", attempt, ",");
  }
  if (trial > 0) return absl::StrCat("Trial ", trial);
  const std::string_view head = kind.substr(0, kind.find('.'));
  if (head == "job") return "The job";
  return head == "study" ? "The study" : "";
}

std::string VerbOf(std::string_view kind, const Json& payload) {
  if (kind == "job.wanted") {
    const std::string wanted = Spaced(TextAt(payload, "wanted"));
    if (wanted == "pause") return "is to pause";
    return wanted == "run" ? "is to run" : "is to end";
  }
  if (kind == "study.moved") {
    const std::string to = Spaced(TextAt(payload, "to"));
    if (to == "completed") return "was closed";
    if (!to.empty()) return absl::StrCat("is ", to);
  }
  if (kind == "study.metadata" && !AttributeNames(payload).empty()) {
    return "has new attributes";
  }
  if (kind == "study.metadata" && !NoteText(payload).empty()) {
    return "has a new note";
  }
  const auto found = Verbs().find(kind);
  if (found != Verbs().end()) return found->second;
  return absl::StrReplaceAll(std::string(kind), {{".", " "}, {"_", " "}});
}

/// Adds the numbers of an end, and its cause.
void AddEnd(const Json& payload, std::vector<std::string>* more) {
  const std::string cause = Spaced(TextAt(payload, "cause"));
  if (!cause.empty() && cause != "success") more->push_back(cause);
  const Json code = payload.value("exit_code", Json());
  if (code.is_number() && code != 0) {
    more->push_back(absl::StrCat("exit code ", DumpJson(code)));
  }
  const Json signal = payload.value("signal", Json());
  if (signal.is_number() || signal.is_string()) {
    more->push_back(absl::StrCat("signal ", ValueText(signal)));
  }
  const Json lasted = payload.value("lasted_us", Json());
  if (lasted.is_number()) {
    more->push_back(absl::StrCat(
        "after ",
        DurationText(std::chrono::microseconds(lasted.get<std::int64_t>()))));
  }
  const Json final = payload.value("final_measurement", Json());
  if (final.is_object() && final.contains("value")) {
    std::string text = absl::StrCat("with ", ValueText(final.at("value")));
    const Json step = final.value("step", Json());
    if (step.is_number()) absl::StrAppend(&text, " at step ", ValueText(step));
    more->push_back(std::move(text));
  }
}

std::string ParticularsOf(std::string_view kind, const Json& payload) {
  std::vector<std::string> more;
  AddEnd(payload, &more);
  if (const Json most = payload.value("max_trials", Json()); most.is_number()) {
    more.push_back(absl::StrCat(DumpJson(most), " trials at most"));
  }
  if (const Json version = payload.value("version", Json());
      version.is_number()) {
    more.push_back(absl::StrCat("version ", DumpJson(version)));
  }
  const std::string source = TextAt(payload, "source");
  if (!source.empty()) more.push_back(absl::StrCat("by \"", source, "\""));
  const Json parameters = payload.value("parameters", Json());
  if (parameters.is_structured()) more.push_back(ValuesText(parameters));
  const Json devices = payload.value("devices", Json());
  if (devices.is_array() && !devices.empty()) {
    std::vector<std::string> names;
    for (const Json& device : devices) names.push_back(ValueText(device));
    more.push_back(absl::StrCat("on ", absl::StrJoin(names, ", ")));
  }
  const Json labels = payload.value("labels", Json());
  if (kind == "job.labels" && labels.is_object()) {
    more.push_back(ValuesText(labels));
  }
  more.push_back(AttributeNames(payload));
  more.push_back(NoteText(payload));
  // A deleted study has no name any more.
  if (kind == "job.deleted") more.push_back(TextAt(payload, "job_id"));
  if (kind == "study.deleted") more.push_back(TextAt(payload, "study"));
  for (const char* field :
       {"changes", "note", "reason", "message", "error_message"}) {
    more.push_back(MessageText(TextAt(payload, field)));
  }
  std::erase(more, "");
  return absl::StrJoin(more, ", ");
}

}  // namespace

EventWords WordsOfEvent(std::string_view kind, std::int64_t trial, int attempt,
                        const Json& payload) {
  const Json object = payload.is_object() ? payload : Json::object();
  EventWords words;
  const std::int64_t subject =
      kind == "study.metadata" ? TrialOfMetadata(object) : trial;
  words.subject = SubjectOf(kind, subject, attempt);
  words.what = VerbOf(kind, object);
  words.more = ParticularsOf(kind, object);
  words.is_bad =
      kind == "trial.failed" || kind == "job.failed" ||
      kind == "attempt.lost" ||
      (kind == "attempt.exited" && object.value("exit_code", Json(0)) != 0);
  return words;
}

std::string SentenceOf(const EventWords& words) {
  std::string text =
      absl::StrCat(words.subject, words.subject.empty() ? "" : " ", words.what);
  if (words.more.empty()) return text;
  // "ended after 2 s", "completed with 0.5"; but "ended: user error, ...".
  const bool goes_on = absl::StartsWith(words.more, "after ") ||
                       absl::StartsWith(words.more, "with ");
  return absl::StrCat(text, goes_on ? " " : ": ", words.more);
}

}  // namespace vernier

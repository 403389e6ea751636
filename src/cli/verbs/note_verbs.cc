// Verbs for what people add to studies and trials: notes, and attributes.

#include <vernier/v1/job_service.grpc.pb.h>
#include <vernier/v1/study_service.grpc.pb.h>

#include <CLI/CLI.hpp>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/json.h"
#include "base/status_macros.h"
#include "cli/command/verb.h"
#include "cli/text/console.h"
#include "cli/verbs/verbs.h"
#include "client/client_connection.h"

namespace vernier {
namespace {

using Jobs = v1::JobService::Stub;
using Studies = v1::StudyService::Stub;

/// Declares the names of a study, or of a trial; `request` is among the words
/// of the verb.
template <typename Request>
void DeclareOf(Of of, CLI::App& verb, Request& request) {
  verb.add_option(of == Of::kTrial ? "JOB" : "STUDY", *request.mutable_study(),
                  "Its name or number, or a job's name")
      ->required();
  if (of == Of::kStudy) return;
  verb.add_option_function<std::int64_t>(
          "TRIAL",
          [&request](std::int64_t trial) { request.set_trial_id(trial); },
          "Number of the trial")
      ->required()
      ->check(CLI::PositiveNumber);
}

template <typename Request>
std::string NameOfNoted(const Request& request) {
  return request.trial_id() == 0 ? absl::StrCat("[", request.study(), "]")
                                 : absl::StrCat("trial ", request.trial_id(),
                                                " of [", request.study(), "]");
}

absl::StatusOr<std::string> ReadNote(const ClientConnection& client,
                                     const v1::WriteNoteRequest& of) {
  if (of.trial_id() == 0) {
    v1::GetStudyRequest request;
    request.set_study(of.study());
    VERNIER_ASSIGN_OR_RETURN(const v1::Study study,
                             client.Call(&Studies::GetStudy, request));
    return study.note();
  }
  v1::GetTrialRequest request;
  request.set_job_id(of.study());
  request.set_trial_id(of.trial_id());
  VERNIER_ASSIGN_OR_RETURN(const v1::Trial trial,
                           client.Call(&Jobs::GetTrial, request));
  return trial.note();
}

struct NoteWords {
  v1::WriteNoteRequest request;
  std::vector<std::string> text;
  bool is_clear = false;
};

// Writes the note; without text, prints it instead.
absl::Status Note(const Call& call, const NoteWords& words) {
  v1::WriteNoteRequest request = words.request;
  if (words.text.empty() && !words.is_clear) {
    VERNIER_ASSIGN_OR_RETURN(const std::string note,
                             ReadNote(call.client, request));
    if (!note.empty()) PrintTo(stdout, "%s\n", note);
    return absl::OkStatus();
  }
  if (!words.text.empty() && words.is_clear) {
    return absl::InvalidArgumentError("--clear takes no text");
  }
  request.set_note(absl::StrJoin(words.text, " "));
  VERNIER_RETURN_IF_ERROR(
      call.client.Call(&Studies::WriteNote, request).status());
  PrintTo(stderr, "The note of %s has been %s.\n", NameOfNoted(request),
          request.note().empty() ? "removed" : "written");
  return absl::OkStatus();
}

/// Adds NAME=VALUE; a value that is not JSON is a text.
absl::Status AddAttribute(const std::string& flag,
                          v1::SetAttributesRequest* request) {
  const std::size_t equals = flag.find('=');
  if (equals == 0 || equals == std::string::npos) {
    return absl::InvalidArgumentError(
        absl::StrCat("an attribute is NAME=VALUE, not ", flag));
  }
  const std::string value = flag.substr(equals + 1);
  (*request->mutable_attributes())[flag.substr(0, equals)] =
      ParseJson(value).ok() ? value : DumpJson(Json(value));
  return absl::OkStatus();
}

struct AttributeWords {
  v1::SetAttributesRequest request;
  std::vector<std::string> attributes;
};

absl::Status SetAttributes(Invocation& invocation,
                           const AttributeWords& words) {
  v1::SetAttributesRequest request = words.request;
  for (const std::string& each : words.attributes) {
    VERNIER_RETURN_IF_ERROR(AddAttribute(each, &request));
  }
  VERNIER_ASSIGN_OR_RETURN(const ClientConnection* client, invocation.Client());
  VERNIER_RETURN_IF_ERROR(
      client->Call(&Studies::SetAttributes, request).status());
  PrintTo(stderr, "%s has new attributes.\n", NameOfNoted(request));
  return absl::OkStatus();
}

}  // namespace

void DeclareNoteVerb(Of of, CLI::App& parent, Invocation& invocation) {
  const Verb<NoteWords> verb(
      parent, invocation, "note",
      of == Of::kTrial
          ? "Show what people wrote about a trial, or write it anew"
          : "Show what people wrote about a study, or write it anew");
  NoteWords& words = verb.words();
  DeclareOf(of, verb.app(), words.request);
  verb->add_option("TEXT", words.text, "The new note; without it, it is shown");
  verb->add_flag("--clear", words.is_clear, "Remove the note");
  verb.Does(Flags::kJob, &Note);
}

void DeclareSetAttributesVerb(Of of, CLI::App& parent, Invocation& invocation) {
  const Verb<AttributeWords> verb(parent, invocation, "set-attributes",
                                  of == Of::kTrial
                                      ? "Keep values by name with a trial"
                                      : "Keep values by name with a study");
  DeclareOf(of, verb.app(), verb.words().request);
  // Newer releases of CLI11 allow no '=' in a name.
  verb->add_option("ATTRIBUTE", verb.words().attributes,
                   "NAME=VALUE: what to keep, JSON or else a text; others stay")
      ->required();
  verb.Does(Flags::kJob, &SetAttributes);
}

}  // namespace vernier

#include "access/request_names.h"

#include <google/protobuf/descriptor.h>
#include <google/protobuf/message.h>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "study/job_id.h"

namespace vernier {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;

bool Has(const std::string& text, char c) {
  return text.find(c) != std::string::npos;
}

std::string WholeJob(const std::string& project, const std::string& text) {
  const JobIdParts parts = SplitJobId(text);
  const bool is_plain = !Has(text, '@') && !project.empty();
  const std::string id =
      JobIdIn(is_plain ? project : parts.project, parts.name);
  return id.empty() ? text : id;
}

std::string WholeStudy(const std::string& project, const std::string& text) {
  if (text.empty() || Has(text, '/')) return text;
  if (project.empty() || Has(text, '@')) return text;
  // Without the project, the id could also be the name of a client's study.
  return absl::StrCat(text, "@", project);
}

std::string Whole(v1::Named kind, const std::string& project,
                  const std::string& text) {
  switch (kind) {
    case v1::JOB:
      return WholeJob(project, text);
    case v1::STUDY:
      return WholeStudy(project, text);
    case v1::PROJECT:
      return text.empty() ? project : text;
    default:
      return text;
  }
}

absl::Status CheckName(const Principal& caller, v1::Named kind,
                       const std::string& text) {
  if (kind == v1::PROJECT) return CheckProject(caller, text);
  // An empty name is left to the method, which reports it in its own words.
  if (text.empty()) return absl::OkStatus();
  if (CheckProject(caller, ProjectOfName(text)).ok()) return absl::OkStatus();
  return absl::NotFoundError(
      absl::StrCat("there is no ", kind == v1::JOB ? "job" : "job or study",
                   " \"", text, "\""));
}

/// Calls `visit(kind, field)` for each field that is marked as a name.
template <typename Visit>
void ForEachName(const Message& request, const Visit& visit) {
  const auto* type = request.GetDescriptor();
  for (int i = 0; i < type->field_count(); ++i) {
    const FieldDescriptor* field = type->field(i);
    const v1::Named kind = field->options().GetExtension(v1::names);
    if (kind != v1::NOTHING) visit(kind, field);
  }
}

}  // namespace

void CompleteNames(const std::string& project, Message* request) {
  ForEachName(*request, [&](v1::Named kind, const FieldDescriptor* field) {
    const auto* reflection = request->GetReflection();
    const std::string text = reflection->GetString(*request, field);
    std::string whole = Whole(kind, project, text);
    if (whole != text) reflection->SetString(request, field, std::move(whole));
  });
}

absl::Status NameInFull(const Principal& caller, Message* request) {
  CompleteNames(caller.project, request);
  if (caller.role == Principal::Role::kAdmin) return absl::OkStatus();
  absl::Status status;
  int names = 0;
  ForEachName(*request, [&](v1::Named kind, const FieldDescriptor* field) {
    ++names;
    if (!status.ok()) return;
    status = CheckName(caller, kind,
                       request->GetReflection()->GetString(*request, field));
  });
  if (status.ok() && names == 0) {
    return absl::PermissionDeniedError(
        absl::StrCat("token ", caller.name, " is a project's, and ",
                     request->GetDescriptor()->name(), " names none"));
  }
  return status;
}

MessageSubject SubjectOf(const Message& message) {
  MessageSubject subject;
  const auto* type = message.GetDescriptor();
  const auto* reflection = message.GetReflection();
  ForEachName(message, [&](v1::Named kind, const FieldDescriptor* field) {
    if (kind == v1::PROJECT || !subject.job.empty()) return;
    subject.job = reflection->GetString(message, field);
  });
  const FieldDescriptor* job = type->FindFieldByName("job_id");
  if (subject.job.empty() && job != nullptr && !job->is_repeated() &&
      job->type() == FieldDescriptor::TYPE_STRING) {
    subject.job = reflection->GetString(message, job);
  }
  const FieldDescriptor* trial = type->FindFieldByName("trial_id");
  if (trial != nullptr && !trial->is_repeated() &&
      trial->type() == FieldDescriptor::TYPE_INT64) {
    subject.trial = reflection->GetInt64(message, trial);
  }
  return subject;
}

std::string ProjectOrDefault(const std::string& named) {
  return named.empty() ? std::string(kDefaultProject) : named;
}

}  // namespace vernier

#include "notifications/job_end_command.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/json.h"
#include "base/shown_text.h"
#include "cluster/process/command_run.h"

namespace vernier {
namespace {

constexpr std::size_t kMaxOutput = std::size_t{16} << 10;

// Converts a JSON value to a variable: texts without quotes, null as an empty
// text. A NUL would end the variable.
std::string VariableText(const Json& data, const char* key) {
  const auto found = data.find(key);
  if (found == data.end() || found->is_null()) return "";
  std::string text = PlainText(*found);
  std::replace(text.begin(), text.end(), '\0', ' ');
  return text;
}

}  // namespace

absl::StatusOr<std::unique_ptr<JobEndCommand>> JobEndCommand::Create(
    std::string program, Environment environment,
    std::chrono::milliseconds time_limit) {
  if (program.empty() || program.front() != '/') {
    return absl::InvalidArgumentError(
        absl::StrCat("--on-job-end must be the absolute path of a program: \"",
                     program, "\""));
  }
  if (::access(program.c_str(), X_OK) != 0) {
    return absl::InvalidArgumentError(absl::StrCat(
        "--on-job-end ", program, ": ",
        std::string(absl::ErrnoToStatus(errno, "cannot be run").message())));
  }
  std::unique_ptr<JobEndCommand> command(new JobEndCommand(
      std::move(program), std::move(environment), time_limit));
  if (!command->stop_.is_open()) return absl::ErrnoToStatus(errno, "eventfd");
  return command;
}

Receiver::Answer JobEndCommand::Deliver(const JobEndNotice& notice) {
  if (stop_.is_set()) return {Result::kStopped};
  Command command;
  command.path = program_;
  command.argv = {program_};
  command.environment = environment_;
  for (auto& [name, value] : FactsOf(notice)) {
    command.environment[name] = std::move(value);
  }
  command.time_limit = time_limit_;
  command.max_output = kMaxOutput;
  command.stop_fd = stop_.fd();
  command.input = notice.body;
  const auto end = RunCommand(command);
  if (absl::IsCancelled(end.status())) return {Result::kStopped};
  if (!end.ok()) return {Result::kFailed, std::string(end.status().message())};
  if (end->is_success()) return {Result::kTaken};
  if (end->is_timed_out) {
    return {Result::kFailed,
            absl::StrCat("it was ended after ", time_limit_.count(), " ms")};
  }
  return {Result::kFailed,
          absl::StrCat(end->exit_code.has_value()
                           ? absl::StrCat("it ended with ", *end->exit_code)
                           : "a signal ended it",
                       ": ", ShowText(LastLineOf(end->output)))};
}

void JobEndCommand::Stop() { stop_.Set(); }

Environment FactsOf(const JobEndNotice& notice) {
  Environment facts;
  facts["VERNIER_NOTICE_ID"] = notice.id;
  const auto body = ParseJson(notice.body);
  if (!body.ok() || !body->contains("data")) return facts;
  const Json& data = body->at("data");
  facts["VERNIER_JOB"] = VariableText(data, "job");
  facts["VERNIER_PROJECT"] = VariableText(data, "project");
  facts["VERNIER_STATE"] = VariableText(data, "state");
  facts["VERNIER_REASON"] = VariableText(data, "reason");
  const auto best = data.find("bestTrial");
  if (best != data.end() && best->is_object()) {
    facts["VERNIER_BEST_TRIAL"] = VariableText(*best, "trial");
    facts["VERNIER_BEST_VALUE"] = VariableText(*best, "value");
    facts["VERNIER_METRIC"] = VariableText(*best, "metric");
  }
  return facts;
}

}  // namespace vernier

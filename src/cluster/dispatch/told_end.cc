#include "cluster/dispatch/told_end.h"

#include <map>

#include "absl/strings/str_cat.h"
#include "cluster/attempt/launch_file.h"
#include "cluster/code/missing_code.h"
#include "cluster/code/missing_package.h"
#include "cluster/secret_file.h"
#include "cluster/secret_mask.h"

namespace vernier {
namespace {

constexpr char kUnknownSecrets[] =
    "What it printed last is not shown, since the job's secrets, which it may "
    "contain, cannot be read: ";

bool HasFailed(const AttemptObservation& seen) {
  return !seen.stopped_by_request &&
         (seen.launch_failed || seen.signal.has_value() ||
          seen.exit_code.value_or(0) != 0);
}

// Inserts the note behind the line that says who ended how, before the log's
// lines.
std::string WithNote(const std::string& message, const std::string& note) {
  const std::size_t end = message.find('\n');
  const std::string first = message.substr(0, end);
  const std::string rest = end == std::string::npos ? "" : message.substr(end);
  return absl::StrCat(first, first.empty() ? "" : "\n", note, rest);
}

// Returns a text about a module that the program did not find, if the reason is
// known. The job's own code is checked first: it may have a module of the same
// name.
std::string MissingText(const AttemptObservation& seen,
                        const LaunchFile& launch,
                        const VernierSection& section) {
  const std::string& log = seen.log_tail.empty() ? seen.message : seen.log_tail;
  const std::string code =
      launch.code_dir.empty()
          ? ""
          : MissingCodeText(log, section.code_dir, launch.code_dir,
                            launch.work_dir);
  return code.empty() ? MissingPackageText(log) : code;
}

}  // namespace

void TellEnd(const std::string& run_dir, AttemptObservation* observation) {
  if (!IsOver(observation->kind)) return;
  if (observation->message.empty() && observation->log_tail.empty()) return;
  const auto launch = ReadLaunchFile(run_dir);
  if (!launch.ok()) return;
  const auto spec = JobOf(*launch);
  if (!spec.ok()) return;
  const VernierSection& section = spec->vernier;
  if (HasFailed(*observation)) {
    const std::string note = MissingText(*observation, *launch, section);
    if (!note.empty()) {
      observation->message = WithNote(observation->message, note);
    }
  }
  if (section.secrets_file.empty()) return;
  const auto secrets = ReadSecretFile(section.secrets_file);
  if (!secrets.ok()) {
    const std::string first =
        observation->message.substr(0, observation->message.find('\n'));
    observation->message =
        absl::StrCat(HasFailed(*observation) ? first + "\n" : std::string(),
                     kUnknownSecrets, std::string(secrets.status().message()));
    observation->log_tail.clear();
    return;
  }
  observation->message = MaskSecrets(observation->message, *secrets);
  observation->log_tail = MaskSecrets(observation->log_tail, *secrets);
}

}  // namespace vernier

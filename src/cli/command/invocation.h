#ifndef VERNIER_CLI_COMMAND_INVOCATION_H_
#define VERNIER_CLI_COMMAND_INVOCATION_H_

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "cli/display/resource_tables.h"
#include "cli/display/text_table.h"
#include "cli/display/value_projection.h"
#include "client/client_credentials.h"

namespace CLI {  // NOLINT(readability-identifier-naming): the library's.
class App;
}

namespace vernier {

class ClientConnection;

/// One run of the command: what every verb may use. Not thread-safe.
class Invocation {
 public:
  /// A verb's work. The value is the exit code of the process.
  using Action = std::function<absl::StatusOr<int>()>;

  /// `tail`: what follows "--", if that was given.
  explicit Invocation(std::optional<std::vector<std::string>> tail);
  ~Invocation();

  const std::optional<std::vector<std::string>>& tail() const { return tail_; }

  /// Declares --endpoint, --data-dir and --format.
  void DeclareClientFlags(CLI::App& app);
  /// The same and --project, for verbs that name jobs or studies.
  void DeclareJobFlags(CLI::App& app);
  /// Declares --format.
  void DeclareFormatFlag(CLI::App& app);

  /// Sets what main does after parsing; the last call counts.
  void set_action(Action action) { action_ = std::move(action); }
  const Action& action() const { return action_; }

  /// The service that the flags name; starts one if none was named and none
  /// runs. Errors: INVALID_ARGUMENT; UNAVAILABLE.
  absl::StatusOr<const ClientConnection*> Client();

  /// As Client, after calls were answered by UNAVAILABLE: finds or starts the
  /// service again. Clients that were returned before are gone.
  absl::StatusOr<const ClientConnection*> Reconnect();
  /// Whether the user named the service, so that none is ever started.
  bool has_named_service() const;
  /// Whether the service is reached by a unix socket: then it runs on this
  /// machine, as the caller's own user. Starts none.
  bool SpeaksToOwnService() const;

  /// The names of jobs that begin with `prefix`, if a service answers at once;
  /// starts none. For completion.
  std::vector<std::string> JobNamesNow(const std::string& prefix);
  /// The same for studies that clients run; see StudyNames.
  std::vector<std::string> StudyNamesNow(const std::string& prefix);

  /// Prints a document as --format says, on standard output. `may_be_absent`
  /// is ProjectValues', for value(...).
  absl::Status Print(std::string_view json,
                     const absl::StatusOr<TextTable>& table,
                     const PathCheck& may_be_absent = nullptr) const;

  /// After Print of a JSON list: where that was a table without rows, says so
  /// on standard error.
  void NoteIfEmpty(const std::string& list) const;

  /// The value of --format; "table" by default.
  const std::string& format() const { return format_; }
  void set_format(std::string format) { format_ = std::move(format); }
  bool wants_table() const { return format_ == "table"; }
  /// How the form that was asked for has texts, numbers and times.
  Digits digits() const { return wants_table() ? Digits::kFew : Digits::kAll; }
  /// For a verb that prints lines as they come: OK for a table and for JSON,
  /// one object a line. Otherwise INVALID_ARGUMENT says that `what` is printed
  /// in these forms only.
  absl::Status CheckLineFormat(const std::string& what) const;
  /// A hint at the end of an UNAVAILABLE error: where no service was found, and
  /// where one runs. It has a leading "; ", or is empty.
  std::string EndpointHint() const;
  /// The flags with which a printed command reaches the same service, with a
  /// leading blank. Name jobs in such a command by WholeJobName.
  std::string FlagsForHints() const;
  /// The name of a job for a command that may be run anywhere: "NAME@PROJECT"
  /// if the project came from --project or $VERNIER_PROJECT.
  std::string WholeJobName(const std::string& name) const;
  /// "; did you mean X?" for the job of the same project whose name is nearest
  /// to `name`, which no job has; or empty.
  std::string NearestJobHint(const std::string& name);

 private:
  ClientCredentials Credentials() const;

  const std::optional<std::vector<std::string>> tail_;
  std::string endpoint_;
  std::string data_dir_;
  std::string project_;
  std::string format_ = "table";
  Action action_;
  std::unique_ptr<const ClientConnection> client_;
};

}  // namespace vernier

#endif  // VERNIER_CLI_COMMAND_INVOCATION_H_

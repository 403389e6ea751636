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

/// One run of the command, with the parts that every verb may use. Not
/// thread-safe.
class Invocation {
 public:
  /// A verb's work. The value is the exit code of the process.
  using Action = std::function<absl::StatusOr<int>()>;

  /// `tail` has the words after "--", if that was given.
  explicit Invocation(std::optional<std::vector<std::string>> tail);
  ~Invocation();

  const std::optional<std::vector<std::string>>& tail() const { return tail_; }

  /// Declares --endpoint, --data-dir and --format.
  void DeclareClientFlags(CLI::App& app);
  /// Declares the same flags and --project, for verbs that name jobs or
  /// studies.
  void DeclareJobFlags(CLI::App& app);
  /// Declares --format.
  void DeclareFormatFlag(CLI::App& app);

  /// Sets what main does after parsing; the last call counts.
  void set_action(Action action) { action_ = std::move(action); }
  const Action& action() const { return action_; }

  /// Returns the service that the flags name; starts one if none was named and
  /// none runs. Errors: INVALID_ARGUMENT; UNAVAILABLE.
  absl::StatusOr<const ClientConnection*> Client();

  /// As Client, for use after calls have failed with UNAVAILABLE: finds or
  /// starts the service again. Clients that were returned before become
  /// invalid.
  absl::StatusOr<const ClientConnection*> Reconnect();
  /// Returns whether the user named the service, so that none is ever started.
  bool has_named_service() const;
  /// Returns whether the service is reached by a unix socket, so that it runs
  /// on this machine as the caller's own user. Never starts one.
  bool SpeaksToOwnService() const;

  /// Returns the names of jobs that begin with `prefix`, if a service answers
  /// at once; never starts one. For completion.
  std::vector<std::string> JobNamesNow(const std::string& prefix);
  /// Does the same for studies that clients run; see StudyNames.
  std::vector<std::string> StudyNamesNow(const std::string& prefix);

  /// Prints a document in the format of --format to standard output.
  /// `may_be_absent` is that of ProjectValues, for value(...).
  absl::Status Print(std::string_view json,
                     const absl::StatusOr<TextTable>& table,
                     const PathCheck& may_be_absent = nullptr) const;

  /// Does the same with a document that was read already.
  absl::Status Show(const Json& document, const TextTable& table,
                    const PathCheck& may_be_absent = nullptr) const;

  /// Call it after Print of a JSON list: if a table without rows was printed,
  /// says so on standard error.
  void NoteIfEmpty(const std::string& list) const;

  /// Returns the value of --format; "table" by default.
  const std::string& format() const { return format_; }
  void set_format(std::string format) { format_ = std::move(format); }
  bool wants_table() const { return format_ == "table"; }
  /// Returns how texts, numbers and times are shown in the requested format.
  Digits digits() const { return wants_table() ? Digits::kFew : Digits::kAll; }
  /// For a verb that prints lines as they come: OK for a table and for JSON,
  /// one object per line. Otherwise INVALID_ARGUMENT says that `what` is
  /// available in these formats only.
  absl::Status CheckLineFormat(const std::string& what) const;
  /// Returns a hint for the end of an UNAVAILABLE error: where no service was
  /// found, and where one runs. It begins with "; ", or is empty.
  std::string EndpointHint() const;
  /// Returns the flags with which a printed command reaches the same service,
  /// with a leading blank. Name jobs in such a command by WholeJobName.
  std::string FlagsForHints() const;
  /// Returns a job's name for a command that may be run anywhere:
  /// "NAME@PROJECT" if the project came from --project or $VERNIER_PROJECT.
  std::string WholeJobName(const std::string& name) const;
  /// Returns "; did you mean X?" for the job of the same project whose name is
  /// nearest to `name`, which no job has; or an empty text. With `may_be_study`
  /// it may also be a study that clients run.
  std::string NearestJobHint(const std::string& name, bool may_be_study);

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

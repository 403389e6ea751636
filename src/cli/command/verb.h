#ifndef VERNIER_CLI_COMMAND_VERB_H_
#define VERNIER_CLI_COMMAND_VERB_H_

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/status_macros.h"
#include "cli/command/exit_code.h"
#include "cli/command/invocation.h"

namespace vernier {

/// A verb at work, with the service that its flags name.
struct Call {
  Invocation& invocation;
  const ClientConnection& client;
};

/// The flags that verbs have in common. Those of kJob include those of kClient,
/// which include --format.
enum class Flags { kNone, kFormat, kClient, kJob };

/// One verb of the command line: what its words are read into, and what it
/// does. Call Does once: from then on the words live as long as the CLI::App,
/// so that options may refer to them. Not thread-safe.
template <typename Words>
class Verb {
 public:
  /// Declares the verb below `parent`, which must not outlive `invocation`.
  Verb(CLI::App& parent, Invocation& invocation, const char* name,
       const char* about)
      : app_(parent.add_subcommand(name, about)),
        invocation_(invocation),
        words_(std::make_shared<Words>()) {}

  /// Declares options.
  CLI::App* operator->() const { return app_; }
  CLI::App& app() const { return *app_; }
  Words& words() const { return *words_; }

  /// Declares a text that must be given.
  void Needs(const char* name, std::string& text, const char* about) const {
    app_->add_option(name, text, about)->required();
  }

  /// Declares a number that is given to `set`.
  template <typename Number>
  CLI::Option* Sets(const char* name, void (Words::*set)(Number),
                    const std::string& about) const {
    return app_->add_option_function<Number>(
        name,
        [words = words_, set](const Number& number) {
          (words.get()->*set)(number);
        },
        about);
  }

  /// Declares the common flags below those of the verb, and what it does:
  /// `work(const Call&, Words&)` gets the service, which must be reachable;
  /// `work(Invocation&, Words&)` connects itself, or never. It returns an
  /// absl::Status, or the exit code of the process.
  template <typename Work>
  void Does(Flags flags, Work work) const {
    if (flags == Flags::kFormat) invocation_.DeclareFormatFlag(*app_);
    if (flags == Flags::kClient) invocation_.DeclareClientFlags(*app_);
    if (flags == Flags::kJob) invocation_.DeclareJobFlags(*app_);
    app_->callback([&invocation = invocation_, words = words_, work] {
      invocation.set_action(
          [&invocation, words, work] { return Run(work, invocation, *words); });
    });
  }

 private:
  template <typename Work>
  static absl::StatusOr<int> Run(const Work& work, Invocation& invocation,
                                 Words& words) {
    if constexpr (std::is_invocable_v<const Work&, Invocation&, Words&>) {
      return ExitCodeAfter(work(invocation, words));
    } else {
      VERNIER_ASSIGN_OR_RETURN(const ClientConnection* client,
                               invocation.Client());
      return ExitCodeAfter(work(Call{invocation, *client}, words));
    }
  }

  static absl::StatusOr<int> ExitCodeAfter(absl::StatusOr<int> code) {
    return code;
  }
  static absl::StatusOr<int> ExitCodeAfter(const absl::Status& status) {
    VERNIER_RETURN_IF_ERROR(status);
    return kExitDone;
  }

  CLI::App* const app_;
  Invocation& invocation_;
  // Shared with the callbacks that CLI11 copies.
  const std::shared_ptr<Words> words_;
};

/// The words of a verb that takes none but the common flags.
struct NoWords {};

}  // namespace vernier

#endif  // VERNIER_CLI_COMMAND_VERB_H_

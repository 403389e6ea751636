#ifndef VERNIER_STUDY_WORDS_END_WORDS_H_
#define VERNIER_STUDY_WORDS_END_WORDS_H_

#include <optional>
#include <string>
#include <string_view>

namespace vernier {

/// The end of a replica, as stated in the first line of an attempt's message in
/// AI Platform's words, which are stored and go over its API: "The replica
/// master 0 exited with a non-zero status of 1. Termination reason: Error."
struct ReplicaEndText {
  enum class Kind {
    kExited,       ///< With `status`.
    kOutOfMemory,  ///< Killed for memory, with `status`.
    kStopped,      ///< On request.
    kNotStarted,   ///< `rest` says why.
  };
  Kind kind = Kind::kExited;
  std::string replica;  ///< "worker 2"; empty for the primary.
  std::string status;   ///< "exit status 3" or "SIGKILL".
  std::string rest;     ///< What the line says besides.
};

/// Returns the cause of an end for people: "user error" for "user_error". Pure.
std::string CauseWords(std::string_view cause);

/// nullopt for any other text.
std::optional<ReplicaEndText> ReadReplicaEnd(std::string_view line);

/// Returns the message of an attempt or of its trial for people: "Its program
/// ended with exit status 3." in place of AI Platform's words, wherever in the
/// first line they begin, and the program's output below. A status that the
/// attempt has in another field is left out in front of the output. Other
/// messages are kept. Pure.
std::string PlainEnd(std::string_view message);

/// Returns the first line of PlainEnd as a clause: "its program ended with exit
/// status 3", without a full stop at its end.
std::string PlainEndClause(std::string_view message);

}  // namespace vernier

#endif  // VERNIER_STUDY_WORDS_END_WORDS_H_

#ifndef VERNIER_TESTS_STORE_REPLAY_EVENT_REPLAY_H_
#define VERNIER_TESTS_STORE_REPLAY_EVENT_REPLAY_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace vernier {

/// One row of the event table.
struct StoredEvent {
  std::int64_t sequence = 0;
  std::int64_t study = 0;
  std::int64_t trial = 0;    ///< 0: about the job.
  std::int64_t attempt = 0;  ///< 0: not about an attempt.
  std::string kind;
  std::string payload;
};

struct ReplayedAttempt {
  std::string state = "intended";
  std::string nonce;
  bool kill_wanted = false;
  std::string cause = "none";
  std::optional<std::int64_t> exit_code;
  std::vector<std::string> devices;
  std::int64_t code_version = 1;
};

struct ReplayedTrial {
  std::string state = "requested";
  std::string parameters;  ///< JSON with no spaces, in the order stored.
  std::string cause = "none";
  std::string message;
  std::optional<std::int64_t> final_step;
  double final_value = 0;
  std::map<std::int64_t, ReplayedAttempt> attempts;
  std::string client_id;
  std::string final_report;
  std::string brought_reports = "[]";
  bool is_deleted = false;
};

/// Trial (0: the study), namespace and key.
using ReplayedKey = std::tuple<std::int64_t, std::string, std::string>;

struct ReplayedStudy {
  std::string name;
  bool is_job = true;  ///< Else clients run it.
  std::string note;
  std::string study_state = "ACTIVE";
  // The state of the study's job.
  std::string state = "QUEUED";
  std::string wanted = "run";
  std::int64_t max_trials = 0;
  std::int64_t max_parallel_trials = 1;
  std::int64_t live_attempts = 0;
  std::int64_t code_version = 1;
  std::int64_t made_up_trials = 0;
  std::string spec_json;  ///< The spec of the newest version.
  std::map<std::int64_t, ReplayedTrial> trials;
  /// Parameters of queued points, by the number of the trial that each will be.
  std::map<std::int64_t, std::string> queued;
  /// Source and parameters of proposed points, by their numbers.
  std::map<std::int64_t, std::pair<std::string, std::string>> proposed;
  std::int64_t last_operation = 0;
  std::int64_t spec_version = 1;
  /// Base64 of the values, behind a "b" for bytes and a "t" for text.
  std::map<ReplayedKey, std::string> metadata;
};

class EventPayload;

/// Adds events up to a state, and checks that each event is legal in the state
/// before it. Its tables of moves are separate from those of src/study on
/// purpose, so that a fault in those shows here.
class EventReplay {
 public:
  /// The next event of the table.
  void Add(const StoredEvent& event);

  const std::map<std::int64_t, ReplayedStudy>& studies() const {
    return studies_;
  }
  /// One line per violation.
  const std::vector<std::string>& violations() const { return violations_; }

 private:
  void AddJobEvent(const StoredEvent& event, const EventPayload& payload);
  void Revise(const StoredEvent& event, const EventPayload& payload,
              ReplayedStudy& study);
  void AddTrialEvent(const StoredEvent& event, const EventPayload& payload,
                     ReplayedStudy& study);
  void AddAttemptEvent(const StoredEvent& event, const EventPayload& payload,
                       ReplayedStudy& study, ReplayedTrial& trial);
  void CreateTrial(const StoredEvent& event, const EventPayload& payload,
                   ReplayedStudy& study);
  void QueuePoint(const StoredEvent& event, const EventPayload& payload,
                  ReplayedStudy& study);
  void Create(const StoredEvent& event, const EventPayload& payload);
  void CreateStudy(const StoredEvent& event, const EventPayload& payload);
  void AddStudyEvent(const StoredEvent& event, const EventPayload& payload);
  void Suggest(const StoredEvent& event, const EventPayload& payload,
               ReplayedStudy& study);
  void SetMetadata(const StoredEvent& event, const EventPayload& payload,
                   ReplayedStudy& study);
  ReplayedStudy& AddReplayed(const StoredEvent& event, const std::string& name);
  void Intend(const StoredEvent& event, const EventPayload& payload,
              ReplayedStudy& study, ReplayedTrial& trial);
  void EndTrial(const StoredEvent& event, const EventPayload& payload,
                ReplayedTrial& trial);
  void EndAttempt(const StoredEvent& event, const EventPayload& payload,
                  ReplayedStudy& study, ReplayedAttempt& attempt);
  /// Checks a move and applies it.
  void Move(const StoredEvent& event, const EventPayload& payload,
            const char* legal_moves, std::string& state);
  void Violation(const StoredEvent& event, const std::string& what);

  std::int64_t last_sequence_ = 0;
  std::int64_t last_study_ = 0;
  std::map<std::int64_t, ReplayedStudy> studies_;
  std::map<std::string, std::string> devices_;  // Leased, and to whom.
  std::vector<std::string> violations_;
};

}  // namespace vernier

#endif  // VERNIER_TESTS_STORE_REPLAY_EVENT_REPLAY_H_

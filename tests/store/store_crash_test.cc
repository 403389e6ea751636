// Kills a process that commits, at random instants, and looks for everything it
// was told to be stored.

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <set>
#include <thread>

#include "base/rng.h"
#include "store/sqlite/sqlite_store.h"
#include "tests/store/checked_store.h"
#include "tests/store/job_fixture.h"
#include "tests/store/temporary_folder.h"

namespace vernier {
namespace {

constexpr int kRounds = 30;
constexpr int kCallers = 4;
constexpr AttemptKey kAttempt{StudyId{1}, TrialId{1}, 1};

// Tells the parent about a step that was acknowledged. A pipe takes a few bytes
// at once or not at all.
void Tell(int pipe, std::int64_t step) {
  if (write(pipe, &step, sizeof step) != sizeof step) _exit(2);
}

// The child: several callers commit until they are killed.
[[noreturn]] void CommitForEver(const std::string& path, std::int64_t first,
                                int pipe) {
  auto store = SqliteStore::Open(path);
  if (!store.ok()) _exit(3);
  if ((*store)->Snapshot()->empty()) {
    if (!(*store)->CreateJob(MakeJob({}), At(1)).ok()) _exit(4);
    const std::vector<Change> start = {
        CreateTrials{StudyId{1}, {MakeTrial(0.5)}}, Launch(kAttempt)};
    if (!(*store)->Commit(start, At(1)).ok()) _exit(5);
  }
  std::vector<std::thread> callers;
  for (int i = 0; i < kCallers; ++i) {
    callers.emplace_back([&, i] {
      for (std::int64_t step = first + i;; step += kCallers) {
        const std::vector<Change> changes = {
            AddMeasurements{kAttempt, {Report(step, 1)}},
            UpdateLabels{
                StudyId{1}, {{"step", std::to_string(step)}}, std::nullopt}};
        if (!(*store)->Commit(changes, At(2)).ok()) _exit(6);
        Tell(pipe, step);
      }
    });
  }
  for (std::thread& caller : callers) caller.join();
  _exit(7);
}

// Reads what the child tells, kills it after `kill_after` acknowledgements and
// reads the rest.
std::set<std::int64_t> ReadAndKill(int pipe, pid_t child, int kill_after) {
  std::set<std::int64_t> acknowledged;
  std::int64_t step = 0;
  while (read(pipe, &step, sizeof step) == sizeof step) {
    acknowledged.insert(step);
    if (static_cast<int>(acknowledged.size()) == kill_after) {
      kill(child, SIGKILL);
    }
  }
  return acknowledged;
}

TEST(StoreCrashTest, LosesNothingItAcknowledgedWhenKilled) {
  const TemporaryFolder folder;
  const std::string path = folder.database();
  std::mt19937_64 rng = MakeRng(20, 26);
  std::set<std::int64_t> acknowledged;
  for (int round = 0; round < kRounds; ++round) {
    SCOPED_TRACE(testing::Message() << "round " << round);
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    // No thread runs here: the store of the round before is closed.
    const pid_t child = fork();
    if (child == 0) {
      close(ends[0]);
      CommitForEver(path, std::int64_t{1} + round * 1000000, ends[1]);
    }
    close(ends[1]);
    const int kill_after = 1 + static_cast<int>(UniformInt(rng, 60));
    acknowledged.merge(ReadAndKill(ends[0], child, kill_after));
    close(ends[0]);
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status)) << "exit " << WEXITSTATUS(status);

    const absl::Status checked = CheckStore(path);
    ASSERT_TRUE(checked.ok()) << checked;
    const auto store = SqliteStore::Open(path);
    ASSERT_TRUE(store.ok()) << store.status();
    const std::set<std::int64_t> found = StoredSteps(**store);
    for (const std::int64_t step : acknowledged) {
      ASSERT_EQ(found.count(step), 1u) << "lost " << step;
    }
    // Both changes of a commit are there, or none.
    const std::vector<Event> events =
        (*store)->ListEvents(EventSequence{0}, std::nullopt, 10000000).value();
    std::int64_t label_events = 0;
    for (const Event& event : events) {
      if (event.kind == "job.labels") ++label_events;
    }
    EXPECT_EQ(static_cast<std::int64_t>(found.size()), label_events);
  }
  EXPECT_GT(acknowledged.size(), static_cast<std::size_t>(kRounds));
}

}  // namespace
}  // namespace vernier

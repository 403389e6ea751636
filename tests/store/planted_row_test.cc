// The schema's checks and the checker, against rows that no rule allows,
// written through a connection of their own.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>

#include "store/pages/checksum_vfs.h"
#include "store/sqlite/sqlite_store.h"
#include "tests/store/checked_store.h"
#include "tests/store/client_fixture.h"
#include "tests/store/job_fixture.h"
#include "tests/store/temporary_folder.h"

namespace vernier {
namespace {

// As another program would, but that pages get their checksums.
int OpenWithChecksums(const std::string& path, const ChecksumVfs& vfs,
                      sqlite3** handle) {
  return sqlite3_open_v2(path.c_str(), handle, SQLITE_OPEN_READWRITE,
                         vfs.name().c_str());
}

// A closed database with a finished study 1, and study 2 with an open trial 1
// whose attempt holds gpu-0, an active trial 2 and a requested trial 3; study
// 3, of which two points wait and one is proposed; and study 4, which clients
// run: trial 1 has ended, trial 2 is active and trial 3 requested.
class PlantedRowTest : public testing::Test {
 protected:
  PlantedRowTest() {
    const auto store = SqliteStore::Open(folder_.database()).value();
    MustDo(store->CreateJob(MakeJob({.job_id = "a", .request_id = "r"}), At(1))
               .status());
    MustDo(store->CreateJob(MakeJob({.job_id = "b", .max_trials = 3}), At(1))
               .status());
    const AttemptKey over{StudyId{1}, TrialId{1}, 1};
    const AttemptKey live{StudyId{2}, TrialId{1}, 1};
    const AttemptKey ended{StudyId{2}, TrialId{2}, 1};
    MustDo(store->Commit(
        {CreateTrials{StudyId{1}, {MakeTrial(0.5)}}, Launch(over, {"gpu-1"}),
         AddMeasurements{over, {Report(1, 2)}}, Exit(over),
         Complete(StudyId{1}, TrialId{1}, 2),
         MoveJob{StudyId{1}, JobEvent::kSucceed, ""},
         CreateTrials{StudyId{2}, {MakeTrial(0), MakeTrial(0.5), MakeTrial(1)}},
         Launch(live, {"gpu-0"}), AddMeasurements{live, {Report(1, 2)}},
         Launch(ended), Exit(ended)},
        At(2)));
    MustDo(store
               ->CreateJob(MakeJob({.job_id = "c",
                                    .max_trials = 3,
                                    .initial_rates = {0.25, 0.5}}),
                           At(3))
               .status());
    MustDo(store->Commit({ProposePoints{StudyId{3}, "me", {{{"rate", 0.75}}}}},
                         At(3)));
    const StudyId run_by_clients{4};
    MustDo(store
               ->CreateStudy(
                   MakeClientStudy({.metadata = {{{"", "k"}, {true, "v"}}}}),
                   At(4))
               .status());
    MustDo(store->Commit({CreateTrials{run_by_clients,
                                       {MakeClientTrial(0), MakeClientTrial(1),
                                        MakeClientTrial(0.5)}}},
                         At(4)));
    MustDo(store->Commit(Assign(run_by_clients, 1, "c"), At(4)));
    MustDo(store->Commit(Assign(run_by_clients, 2, "d"), At(4)));
    MustDo(store->Commit(
        {RecordOperation{run_by_clients, 1, "d", {TrialId{2}}}}, At(5)));
    MustDo(store->Commit(CompleteForClient(run_by_clients, 1, 0.5), At(6)));
  }

  static void MustDo(const absl::Status& status) {
    ASSERT_TRUE(status.ok()) << status;
  }

  // The error of a statement run by another program; empty if it succeeds.
  std::string Run(const std::string& sql) {
    const ChecksumVfs vfs("");
    sqlite3* handle = nullptr;
    EXPECT_EQ(OpenWithChecksums(folder_.database(), vfs, &handle), SQLITE_OK);
    sqlite3_exec(handle, "PRAGMA foreign_keys = ON", nullptr, nullptr, nullptr);
    std::string error;
    if (sqlite3_exec(handle, sql.c_str(), nullptr, nullptr, nullptr) !=
        SQLITE_OK) {
      error = sqlite3_errmsg(handle);
    }
    sqlite3_close(handle);
    return error;
  }

  // Runs SQL with all triggers and CHECKs out of the way.
  void Force(const std::string& sql) {
    std::string drop;
    const ChecksumVfs vfs("");
    sqlite3* handle = nullptr;
    ASSERT_EQ(OpenWithChecksums(folder_.database(), vfs, &handle), SQLITE_OK);
    sqlite3_exec(
        handle, "SELECT name FROM sqlite_schema WHERE type = 'trigger'",
        [](void* out, int, char** row, char**) {
          *static_cast<std::string*>(out) +=
              std::string("DROP TRIGGER ") + row[0] + ";";
          return 0;
        },
        &drop, nullptr);
    sqlite3_close(handle);
    ASSERT_EQ(Run(drop +
                  "PRAGMA foreign_keys = OFF;"
                  "PRAGMA ignore_check_constraints = ON;" +
                  sql),
              "");
  }

  const TemporaryFolder folder_;
};

// Statement and a part of the error that must stop it.
struct Planted {
  const char* sql;
  const char* error;
};

constexpr Planted kRefused[] = {
    {"UPDATE trial SET message = 'x' WHERE study = 1", "never changes"},
    {"UPDATE trial SET parameters = '{}' WHERE study = 2", "never change"},
    {"UPDATE trial SET state = 3 WHERE study = 2 AND number = 3", "illegal"},
    {"UPDATE trial SET state = 1 WHERE study = 2 AND number = 2", "illegal"},
    {"UPDATE trial SET state = 4, end_cause = 1, ended_at_us = 1, final_step ="
     " 1, final_value_bits = 1 WHERE study = 2 AND number = 1",
     "ends after its attempt"},
    {"UPDATE trial SET state = 7 WHERE study = 2 AND number = 2", "CHECK"},
    {"UPDATE trial SET not_finite_step = 1 WHERE study = 2 AND number = 2",
     "CHECK"},
    {"UPDATE trial SET not_finite_step = 1, not_finite_value_bits = 1,"
     " not_finite_attempt = 1, not_finite_reported_at_us = 1,"
     " not_finite_count = 0 WHERE study = 2 AND number = 2",
     "CHECK"},
    {"UPDATE trial SET number = 9 WHERE study = 2 AND number = 3",
     "never change"},
    {"DELETE FROM trial WHERE study = 2 AND number = 3", "only with its study"},
    {"UPDATE job SET max_trials = 9 WHERE study = 2;"
     " INSERT INTO trial SELECT 2, 5, 1, '{}', '', 0, 0, NULL, NULL, 0, '',"
     " NULL, NULL, 0, NULL, NULL, 0, NULL, NULL, 0, 0, '[]', '', '', '', '[]', "
     "NULL, '[]', 0, NULL, NULL, NULL, NULL",
     "next number"},
    {"INSERT INTO trial SELECT 2, 4, 1, '{}', '', 0, 0, NULL, NULL, 0, '',"
     " NULL, NULL, 0, NULL, NULL, 0, NULL, NULL, 0, 0, '[]', '', '', '', '[]', "
     "NULL, '[]', 0, NULL, NULL, NULL, NULL",
     "max_trials"},
    {"INSERT INTO trial SELECT 1, 2, 1, '{}', '', 0, 0, NULL, NULL, 0, '',"
     " NULL, NULL, 0, NULL, NULL, 0, NULL, NULL, 0, 0, '[]', '', '', '', '[]', "
     "NULL, '[]', 0, NULL, NULL, NULL, NULL",
     "finished job"},
    {"INSERT INTO attempt SELECT 2, 1, 2, 'n', 1, 0, 0, '[]', 0, NULL, NULL,"
     " NULL, NULL, 0, '', 0, 1",
     "UNIQUE"},
    {"INSERT INTO attempt SELECT 2, 3, 1, 'n', 1, 0, 0, '[]', 0, NULL, NULL,"
     " NULL, NULL, 0, '', 0, 1",
     "only an active trial"},
    {"INSERT INTO attempt SELECT 2, 2, 3, 'n', 1, 0, 0, '[]', 0, NULL, NULL,"
     " NULL, NULL, 0, '', 0, 1",
     "next number"},
    {"UPDATE job SET state = 3 WHERE study = 2; INSERT INTO attempt SELECT 2, "
     "2,"
     " 2, 'n', 1, 0, 0, '[]', 0, NULL, NULL, NULL, NULL, 0, '', 0, 1; UPDATE"
     " attempt SET state = 5 WHERE study = 2 AND trial = 2 AND number = 2",
     "CHECK"},
    {"UPDATE attempt SET message = 'x' WHERE study = 1", "never changes"},
    {"UPDATE attempt SET nonce = 'x' WHERE study = 2 AND trial = 1",
     "was intended with"},
    {"UPDATE attempt SET state = 4, ended_at_us = 1 WHERE study = 2"
     " AND trial = 1",
     "leases are released"},
    {"DELETE FROM attempt WHERE study = 2", "only with its study"},
    {"INSERT INTO lease VALUES ('gpu-0', 2, 1, 1, 0, NULL)", "UNIQUE"},
    {"INSERT INTO lease VALUES ('gpu-9', 2, 2, 1, 0, NULL)", "live attempt"},
    {"INSERT INTO lease VALUES ('gpu-9', 2, 9, 1, 0, NULL)", "FOREIGN KEY"},
    {"UPDATE lease SET released_at_us = NULL WHERE device = 'gpu-1'",
     "never changes"},
    {"UPDATE study SET seed = 5 WHERE id = 1", "created with never changes"},
    {"UPDATE study SET spec_json = '{\"x\":1}' WHERE id = 4",
     "created with never changes"},
    {"UPDATE study SET version = 0 WHERE id = 1", "never falls"},
    {"UPDATE job SET resumed_study = 5 WHERE study = 2",
     "created with never changes"},
    {"UPDATE job SET state = 2 WHERE study = 2; UPDATE job SET state = 1"
     " WHERE study = 2",
     "illegal"},
    {"UPDATE job SET state = 5, ended_at_us = 1 WHERE study = 2",
     "ends after its trials"},
    {"UPDATE job SET max_trials = 2 WHERE study = 2",
     "falls with a new version only"},
    {"UPDATE job SET max_trials = 2, code_version = 2 WHERE study = 2",
     "to what there is at least"},
    {"UPDATE job SET spec_json = '{}' WHERE study = 2",
     "a version of a job never changes"},
    {"UPDATE job SET max_parallel_trials = 9 WHERE study = 2",
     "a version of a job never changes"},
    {"UPDATE job SET code_version = 3 WHERE study = 2", "one by one"},
    {"INSERT INTO job SELECT 4, spec_json, '[]', 9, 0, 1, 1, 1, '', '', '', '',"
     " 1, '', 0, '', NULL, NULL, NULL, 0, 0, 0, 0, '[]', 0 FROM job"
     " WHERE study = 2",
     "the clients run this study"},
    {"INSERT INTO job SELECT 9, spec_json, '[]', 9, 0, 1, 1, 1, '', '', '', '',"
     " 1, '', 0, '', NULL, NULL, NULL, 0, 0, 0, 0, '[]', 0 FROM job"
     " WHERE study = 2",
     "FOREIGN KEY"},
    {"DELETE FROM job WHERE study = 1", "only with its study"},
    {"INSERT INTO attempt SELECT 4, 2, 1, 'n', 1, 0, 0, '[]', 0, NULL, NULL,"
     " NULL, NULL, 0, '', 0, 1",
     "only trials of a job"},
    {"UPDATE job SET code_version = 2 WHERE study = 2;"
     " UPDATE job_version SET spec_json = '{}'",
     "an earlier version never changes"},
    {"UPDATE job SET code_version = 2 WHERE study = 2; DELETE FROM job_version",
     "only with its study"},
    {"INSERT INTO job_version VALUES (2, 2, '{}', '', '', '', 1)",
     "next number"},
    {"UPDATE attempt SET code_version = 2 WHERE study = 2 AND trial = 1",
     "intended with stays"},
    {"INSERT INTO attempt SELECT 2, 2, 2, 'n', 1, 0, 0, '[]', 0, NULL, NULL,"
     " NULL, NULL, 0, '', 0, 2",
     "runs the newest version"},
    {"UPDATE job SET state = 9 WHERE study = 2", ""},
    {"DELETE FROM study WHERE id = 2", "only a finished job"},
    {"UPDATE study_counter SET last_study = 0", "never falls"},
    {"UPDATE event SET payload = '{}' WHERE seq = 1", "never changes"},
    {"DELETE FROM event WHERE seq = 1", "never deleted"},
    {"INSERT INTO event VALUES (999, 1, NULL, 0, 'x', '{}', 0)", "next number"},
    {"INSERT INTO measurement VALUES (1, 1, 1, 1, 9, 0, 1, 0, 0, 2, 0)",
     "terminal"},
    {"INSERT INTO measurement VALUES (2, 1, 1, 1, 9, 0, 2, 0, 0, 2, 0)",
     "CHECK"},
    {"INSERT INTO measurement VALUES (2, 1, 1, 77, 9, 0, 1, 0, 0, 2, 0)",
     "FOREIGN KEY"},
    {"UPDATE measurement SET value_bits = 0", "never changes"},
    {"UPDATE measurement SET is_void = 1, step = 7 WHERE study = 2",
     "never changes"},
    {"UPDATE measurement SET is_void = 2 WHERE study = 2", "CHECK"},
    {"UPDATE measurement SET is_void = 1 WHERE study = 2;"
     "UPDATE measurement SET is_void = 0 WHERE study = 2",
     "never changes"},
    {"UPDATE measurement SET is_void = 1 WHERE study = 1",
     "takes no measurement back"},
    {"DELETE FROM measurement WHERE study = 2", "only with its study"},
    {"UPDATE request SET study = 2", "never changes"},
    {"UPDATE trial SET finite_count = 'many' WHERE study = 2", "cannot store"},
    {"INSERT INTO queued_point VALUES (3, 4, '{}', 0)", "max_trials"},
    {"INSERT INTO queued_point VALUES (3, 1, '{}', 0)", "next number"},
    {"INSERT INTO queued_point VALUES (1, 2, '{}', 0)", "not finished"},
    {"INSERT INTO queued_point VALUES (3, 3, 'x', 0)", "CHECK"},
    {"INSERT INTO queued_point VALUES (9, 1, '{}', 0)", "only a job"},
    {"UPDATE queued_point SET parameters = '{}'", "never changes"},
    {"DELETE FROM queued_point WHERE trial = 1", "when it is a trial"},
    {"INSERT INTO proposed_point VALUES (3, 1, 'me', '{}', 0)", "next number"},
    {"INSERT INTO proposed_point VALUES (3, 3, 'me', '{}', 0)", "next number"},
    {"INSERT INTO proposed_point VALUES (1, 1, 'me', '{}', 0)", "finished job"},
    {"INSERT INTO proposed_point VALUES (9, 1, 'me', '{}', 0)", "FOREIGN KEY"},
    {"INSERT INTO proposed_point VALUES (3, 2, 'me', 'x', 0)", "CHECK"},
    {"INSERT INTO proposed_point VALUES (3, 2, '', '{}', 0)", "CHECK"},
    {"UPDATE proposed_point SET source = 'you'", "never changes"},
    {"DELETE FROM proposed_point", "only with its study"},
    {"INSERT INTO trial SELECT 3, 1, 1, '{}', '', 0, 0, NULL, NULL, 0, '',"
     " NULL, NULL, 0, NULL, NULL, 0, NULL, NULL, 0, 0, '[]', '', '', '', '[]', "
     "NULL, '[]', 0, NULL, NULL, NULL, NULL",
     "queued point is the next trial"},
    {"UPDATE study SET state = 4 WHERE id = 4", "CHECK"},
    {"UPDATE study SET state = 2 WHERE id = 1", "CHECK"},
    {"UPDATE study SET spec_json = NULL WHERE id = 4", "never changes"},
    {"UPDATE study SET original_spec = x'00' WHERE id = 4", "never changes"},
    {"UPDATE study SET spec_json = '{}' WHERE id = 4", "never changes"},
    {"INSERT INTO study_edit VALUES (4, 2, '{}', '', '', 0);"
     " UPDATE study SET spec_json = '{\"a\":1}' WHERE id = 4",
     "never changes"},
    {"INSERT INTO study_edit VALUES (4, 3, '{}', '', '', 0)", "next version"},
    {"INSERT INTO study_edit VALUES (2, 2, '{}', '', '', 0)", "in job_version"},
    {"INSERT INTO study_edit VALUES (4, 2, '{}', '', '', 0);"
     " UPDATE study_edit SET changes = 'x'",
     "an edit never changes"},
    {"INSERT INTO study_edit VALUES (4, 2, '{}', '', '', 0);"
     " DELETE FROM study_edit",
     "only with its study"},
    {"INSERT INTO measurement VALUES (4, 2, 1, 1, 9, 0, 1, 0, 0, 2, 0)",
     "only the last attempt"},
    {"INSERT INTO measurement VALUES (2, 1, 0, 1, 9, 0, 1, 0, 0, 2, 0)",
     "only the last attempt"},
    {"UPDATE study SET last_operation = 1 WHERE id = 1", "CHECK"},
    {"UPDATE study SET last_operation = 3 WHERE id = 4", "one by one"},
    {"UPDATE study SET last_operation = 0 WHERE id = 4", "one by one"},
    {"INSERT INTO operation VALUES (4, 3, 'd', '[2]', 0)", "next number"},
    {"INSERT INTO operation VALUES (1, 1, 'd', '[1]', 0)", "next number"},
    {"UPDATE operation SET client_id = 'x'", "never changes"},
    {"DELETE FROM operation", "only with its study"},
    {"UPDATE trial SET client_id = 'x' WHERE study = 4 AND number = 2",
     "never changes its client"},
    {"UPDATE trial SET final_report = '' WHERE study = 4 AND number = 1",
     "never changes"},
    {"UPDATE trial SET final_report = '{}' WHERE study = 4 AND number = 2",
     "CHECK"},
    {"UPDATE trial SET brought_reports = '[1]' WHERE study = 4 AND number = 2",
     "what a trial brought"},
    {"UPDATE trial SET deleted_at_us = 1 WHERE study = 4 AND number = 2",
     "only an ended trial"},
    {"UPDATE trial SET deleted_at_us = 1 WHERE study = 1",
     "only an ended trial"},
    {"UPDATE trial SET deleted_at_us = 1 WHERE study = 4 AND number = 1;"
     " UPDATE trial SET deleted_at_us = NULL WHERE study = 4 AND number = 1",
     "only an ended trial"},
    {"UPDATE study SET state = 2 WHERE id = 4; INSERT INTO trial SELECT"
     " 4, 4, 1, '{}', '', 0, 0, NULL, NULL, 0, '', NULL, NULL, 0, NULL, NULL,"
     " 0, NULL, NULL, 0, 0, '[]', '', '', '', '[]', NULL, '[]', 0, NULL, NULL, "
     "NULL, NULL",
     "only an active study"},
    {"INSERT INTO metadata VALUES (9, 0, '', 'k', 1, x'')", "FOREIGN KEY"},
    {"INSERT INTO metadata VALUES (4, 9, '', 'k', 1, x'')", "needs its trial"},
    {"INSERT INTO metadata VALUES (4, 0, '', 'j', 2, x'')", "CHECK"},
    {"DELETE FROM metadata", "only with its study"},
};

TEST_F(PlantedRowTest, TheSchemaRefusesWhatTheLawsRefuse) {
  for (const Planted& planted : kRefused) {
    const std::string error = Run("BEGIN;" + std::string(planted.sql));
    EXPECT_NE(error, "") << planted.sql;
    EXPECT_THAT(error, testing::HasSubstr(planted.error)) << planted.sql;
  }
  EXPECT_TRUE(CheckStore(folder_.database()).ok());
}

TEST_F(PlantedRowTest, TheSchemaCapsLiveAttempts) {
  EXPECT_THAT(
      Run("DELETE FROM study WHERE id = 1; UPDATE trial SET state = 2"
          " WHERE study = 2 AND number = 3;"
          "INSERT INTO attempt SELECT 2, 2, 2, 'n', 1, 0, 0, '[]', 0, NULL,"
          " NULL, NULL, NULL, 0, '', 0, 1;"
          "INSERT INTO attempt SELECT 2, 3, 1, 'n', 1, 0, 0, '[]', 0, NULL,"
          " NULL, NULL, NULL, 0, '', 0, 1;"
          "UPDATE job SET max_trials = 4 WHERE study = 2;"
          "INSERT INTO trial SELECT 2, 4, 1, '{}', '', 0, 0, NULL, NULL, 0, '',"
          " NULL, NULL, 0, NULL, NULL, 0, NULL, NULL, 0, 0, '[]', '', '', '', "
          "'[]', NULL, '[]', 0, NULL, NULL, NULL, NULL;"
          "UPDATE trial SET state = 2 WHERE study = 2 AND number = 4;"
          "INSERT INTO attempt SELECT 2, 4, 1, 'n', 1, 0, 0, '[]', 0, NULL,"
          " NULL, NULL, NULL, 0, '', 0, 1"),
      testing::HasSubstr("max_parallel_trials"));
}

// Each statement is forced in; the checker must name it so.
constexpr Planted kDetected[] = {
    {"DELETE FROM event WHERE seq = 3", "follows event"},
    {"UPDATE event SET payload = '[]' WHERE seq = 3", "payload is no object"},
    {"UPDATE event SET payload = replace(payload, 'active', 'requested')"
     " WHERE kind = 'trial.completed'",
     "but the state was"},
    {"UPDATE event SET kind = 'trial.failed', payload ="
     " '{\"from\":\"requested\",\"to\":\"failed\",\"cause\":\"user_error\"}'"
     " WHERE kind = 'trial.active' AND study = 2 AND trial = 1",
     "illegal move"},
    {"UPDATE event SET payload = replace(payload, 'gpu-1', 'gpu-0')"
     " WHERE kind = 'attempt.intended'; DELETE FROM event WHERE study = 1 AND"
     " kind = 'attempt.exited'",
     "was leased to"},
    {"UPDATE event SET payload = replace(payload, "
     "'\\\"maxParallelTrials\\\":3',"
     " '\\\"maxParallelTrials\\\":0') WHERE kind = 'job.created'",
     "pass maxParallelTrials"},
    {"UPDATE trial SET message = 'x' WHERE study = 1", "message is not what"},
    {"UPDATE trial SET final_value_bits = 7 WHERE study = 1",
     "final value is not what"},
    {"UPDATE trial SET parameters = '{\"rate\":0.75}' WHERE study = 2",
     "parameters is not what"},
    {"UPDATE trial SET finite_count = 5 WHERE study = 2 AND number = 1",
     "counts are those of its measurements"},
    {"UPDATE measurement SET is_void = 1 WHERE study = 2",
     "counts are those of its measurements"},
    {"UPDATE trial SET number = 9 WHERE study = 2 AND number = 3",
     "trial numbers of a study are 1..n"},
    {"UPDATE job SET max_trials = 2 WHERE study = 2",
     "trials of a study stay within max_trials"},
    {"UPDATE job SET max_parallel_trials = 0 WHERE study = 2",
     "live attempts of a study stay within"},
    {"UPDATE job SET state = 5, ended_at_us = 1 WHERE study = 2",
     "a finished job has no open trial"},
    {"UPDATE job SET wanted = 2 WHERE study = 2", "wanted is not what"},
    {"UPDATE job SET code_version = 2 WHERE study = 2",
     "versions of a job are 1..n"},
    {"UPDATE job SET spec_json = '{}' WHERE study = 2",
     "spec_json is not what"},
    {"UPDATE job SET made_up_trials = 1 WHERE study = 2",
     "made_up_trials is not what"},
    {"UPDATE attempt SET code_version = 2 WHERE study = 2 AND trial = 1",
     "an attempt runs a version of its job"},
    {"INSERT INTO attempt SELECT 2, 2, 2, 'n', 1, 0, 0, '[]', 0, NULL, NULL,"
     " NULL, NULL, 0, '', 0, 1",
     "no event tells of it"},
    {"UPDATE attempt SET nonce = 'x' WHERE study = 2", "nonce is not what"},
    {"UPDATE attempt SET exit_code = 9 WHERE study = 1",
     "exit_code is not what"},
    {"UPDATE trial SET state = 5, end_cause = 9, ended_at_us = 1 WHERE study ="
     " 2 AND number = 1",
     "a final trial has no live attempt"},
    {"UPDATE lease SET released_at_us = NULL WHERE device = 'gpu-1'",
     "belongs to a live attempt"},
    {"UPDATE lease SET released_at_us = 5 WHERE device = 'gpu-0'",
     "holds leases of all its devices"},
    {"DELETE FROM study WHERE id = 1", "foreign_key_check"},
    {"UPDATE study_counter SET last_study = 1",
     "the study counter is the highest id"},
    {"DELETE FROM trial WHERE study = 2 AND number = 3",
     "number of trials is not what"},
    {"DELETE FROM queued_point WHERE trial = 2", "1 in the table"},
    {"DELETE FROM queued_point WHERE trial = 1", "queued points come next"},
    {"UPDATE queued_point SET parameters = '{\"rate\":0.75}' WHERE trial = 2",
     "parameters is not what"},
    {"INSERT INTO queued_point VALUES (3, 3, '{\"rate\":0.75}', 0)",
     "no event tells of it"},
    {"DELETE FROM proposed_point", "0 in the table"},
    {"UPDATE proposed_point SET number = 2", "numbered from 1"},
    {"UPDATE proposed_point SET source = 'you'", "source is not what"},
    {"UPDATE proposed_point SET parameters = '{\"rate\":0.5}'",
     "parameters is not what"},
    {"INSERT INTO proposed_point VALUES (3, 2, 'me', '{\"rate\":0.75}', 0)",
     "no event tells of it"},
    {"UPDATE job SET max_trials = 1 WHERE study = 3",
     "queued points come next and stay within max_trials"},
    {"UPDATE event SET payload = replace(payload, '\"for_trial\":2',"
     " '\"for_trial\":3') WHERE kind = 'point.queued'",
     "the next point was for trial 2"},
    {"UPDATE study SET state = 2 WHERE id = 4",
     "state of the study is not what"},
    {"DELETE FROM job WHERE study = 3", "a study has a job or a spec"},
    {"INSERT INTO attempt SELECT 4, 2, 1, 'n', 1, 0, 0, '[]', 0, NULL, NULL,"
     " NULL, NULL, 0, '', 0, 1",
     "only trials of jobs have attempts"},
    {"UPDATE measurement SET attempt = 2 WHERE study = 2",
     "a measurement is of an attempt of its trial"},
    {"UPDATE measurement SET attempt = 0 WHERE study = 2",
     "a measurement is of an attempt of its trial"},
    {"UPDATE study SET last_operation = 2 WHERE id = 4",
     "number of operations is not what"},
    {"DELETE FROM operation", "number of operations is not what"},
    {"UPDATE trial SET client_id = 'x' WHERE study = 4 AND number = 2",
     "client_id is not what"},
    {"UPDATE trial SET final_report = '{}' WHERE study = 4 AND number = 1",
     "final_report is not what"},
    {"UPDATE trial SET deleted_at_us = 1 WHERE study = 4 AND number = 1",
     "tombstone is not what"},
    {"UPDATE trial SET brought_reports = '[1]' WHERE study = 4 AND number = 3",
     "brought_reports is not what"},
    {"UPDATE study SET note = 'planted' WHERE id = 1", "note is not what"},
    {"UPDATE metadata SET value = x'00'", "value is not what"},
    {"DELETE FROM metadata", "1 key-values by the events, 0 in the table"},
    {"UPDATE event SET payload = replace(payload, '\"trials\":[2]',"
     " '\"trials\":[1]') WHERE kind = 'study.suggested'",
     "trial 1 was not active for this client"},
    {"UPDATE event SET payload = replace(payload, '\"number\":1',"
     " '\"number\":2') WHERE kind = 'study.suggested'",
     "the next operation was 1"},
    {"UPDATE event SET kind = 'job.labels' WHERE kind = 'study.suggested'",
     "a client study is no job"},
    {"UPDATE event SET kind = 'study.moved', payload ="
     " '{\"from\":\"ACTIVE\",\"to\":\"INACTIVE\"}'"
     " WHERE kind = 'study.metadata'",
     "the study was not active"},
    {"UPDATE event SET kind = 'trial.deleted' WHERE kind = 'trial.completed'"
     " AND study = 4",
     "the trial had not ended"},
};

TEST_F(PlantedRowTest, TheCheckerAcceptsAHealthyDatabase) {
  EXPECT_TRUE(CheckStore(folder_.database()).ok());
}

// One database per planted row, each as the fixture leaves it.
class DetectionTest : public PlantedRowTest,
                      public testing::WithParamInterface<Planted> {};

TEST_P(DetectionTest, TheCheckerSeesWhatTheSchemaDidNotStop) {
  Force(GetParam().sql);
  const absl::Status status = CheckStore(folder_.database());
  EXPECT_EQ(status.code(), absl::StatusCode::kDataLoss);
  EXPECT_THAT(std::string(status.message()),
              testing::HasSubstr(GetParam().error));
}

INSTANTIATE_TEST_SUITE_P(Planted, DetectionTest, testing::ValuesIn(kDetected));

TEST_F(PlantedRowTest, TheCheckerLeavesARunningServiceAlone) {
  const auto store = SqliteStore::Open(folder_.database()).value();
  EXPECT_EQ(CheckStore(folder_.database()).code(), absl::StatusCode::kAborted);
}

TEST_F(PlantedRowTest, TheCheckerNeedsADatabase) {
  EXPECT_EQ(CheckStore(folder_.path() + "/none.db").code(),
            absl::StatusCode::kNotFound);
}

}  // namespace
}  // namespace vernier

#include "store/sqlite/store_writer.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "store/model/study_model.h"
#include "store/pages/store_file_error.h"
#include "store/sqlite/database_file.h"
#include "store/sqlite/history_reader.h"
#include "store/sqlite/older_copy.h"
#include "store/sqlite/schema.h"
#include "store/sqlite/sqlite_reader.h"

namespace vernier {
namespace {

// A group of callers' items is one SQLite transaction, and each item a
// savepoint in it. A refused item is undone in three places: in the database
// (ROLLBACK TO), in the state in memory and in the table of metric ids. A
// failure of the storage undoes the whole group likewise, and unless it can
// pass, all later writes are refused.

// Makes the file with mode 0600. SQLite would make it readable by everyone.
absl::Status CreatePrivateFile(const std::string& path) {
  const int file = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (file < 0) {
    return StoreFileError("cannot make", path, errno);
  }
  close(file);
  return absl::OkStatus();
}

absl::Status CheckHeader(const std::string& path,
                         const DatabaseHeader& header) {
  if (header.is_new) return absl::OkStatus();
  if (header.application_id != 0 && header.application_id != kApplicationId) {
    return ForeignDatabase(path);
  }
  return CheckSchemaVersion(path, StudiesSchema(), header.user_version);
}

// Returns the version, which is 0 for an empty database. The log may contain a
// newer one than the file's header.
absl::StatusOr<std::int64_t> CheckVersion(const std::string& path,
                                          SqliteDatabase& database) {
  VERNIER_ASSIGN_OR_RETURN(const std::int64_t version,
                           database.QueryInt("PRAGMA user_version"));
  const absl::Status known = CheckSchemaVersion(path, StudiesSchema(), version);
  if (!known.ok()) {
    database.LeaveUntouchedOnClose();
    return known;
  }
  if (version > 0) return version;
  VERNIER_ASSIGN_OR_RETURN(
      const std::int64_t foreign_tables,
      database.QueryInt("SELECT count(*) FROM sqlite_schema"));
  if (foreign_tables == 0) return version;
  database.LeaveUntouchedOnClose();
  return ForeignDatabase(path);
}

absl::StatusOr<std::unique_ptr<SqliteDatabase>> OpenDatabase(
    const std::string& path, const SqliteStoreOptions& options) {
  SqliteDatabase::Options database_options;
  database_options.vfs = options.vfs;
  database_options.marks_log = true;
  VERNIER_ASSIGN_OR_RETURN(std::unique_ptr<SqliteDatabase> database,
                           SqliteDatabase::Open(path, database_options));
  // The mode is set before the first read, which would otherwise make a
  // shared-memory file for a database with a log.
  VERNIER_RETURN_IF_ERROR(database->Execute("PRAGMA locking_mode = EXCLUSIVE"));
  VERNIER_ASSIGN_OR_RETURN(const std::int64_t version,
                           CheckVersion(path, *database));
  VERNIER_RETURN_IF_ERROR(ConfigureConnection(*database));
  if (options.max_pages > 0) {
    VERNIER_RETURN_IF_ERROR(database->Execute(
        absl::StrCat("PRAGMA max_page_count = ", options.max_pages).c_str()));
  }
  if (version > 0 && version < StudiesSchema().newest()) {
    VERNIER_RETURN_IF_ERROR(KeepOlderCopy(*database, path, version));
  }
  VERNIER_RETURN_IF_ERROR(Migrate(*database, StudiesSchema()));
  return database;
}

}  // namespace

absl::StatusOr<std::unique_ptr<StoreWriter>> StoreWriter::Open(
    const std::string& path, const SqliteStoreOptions& options) {
  VERNIER_RETURN_IF_ERROR(
      CheckLocation(path, options.allow_network_filesystem));
  // The lock is taken before anything is read, because the calls below may
  // replace the file.
  VERNIER_ASSIGN_OR_RETURN(StoreLock lock, StoreLock::Acquire(FolderOf(path)));
  VERNIER_ASSIGN_OR_RETURN(std::optional<LogNote> note,
                           PrepareDatabaseFile(path, StudiesSchema()));
  VERNIER_ASSIGN_OR_RETURN(const DatabaseHeader header,
                           ReadDatabaseHeader(path));
  VERNIER_RETURN_IF_ERROR(CheckHeader(path, header));
  VERNIER_RETURN_IF_ERROR(CreatePrivateFile(path));
  absl::StatusOr<std::unique_ptr<SqliteDatabase>> database =
      OpenDatabase(path, options);
  if (!database.ok()) return WithDatabasePath(path, database.status());
  absl::StatusOr<LoadedState> loaded = LoadState(**database);
  if (!loaded.ok()) return WithDatabasePath(path, loaded.status());

  auto writer = std::unique_ptr<StoreWriter>(new StoreWriter(
      std::move(lock), *std::move(database), *std::move(loaded)));
  writer->log_note_ = std::move(note);
  SqliteDatabase& opened = *writer->database_;
  VERNIER_ASSIGN_OR_RETURN(writer->tables_, SqliteTables::Prepare(opened));
  const std::pair<SqliteStatement*, const char*> statements[] = {
      {&writer->begin_, "BEGIN IMMEDIATE"},
      {&writer->savepoint_, "SAVEPOINT item"},
      {&writer->release_, "RELEASE item"},
      {&writer->rollback_to_, "ROLLBACK TO item"},
      {&writer->commit_, "COMMIT"},
  };
  for (const auto& [statement, sql] : statements) {
    VERNIER_ASSIGN_OR_RETURN(*statement, opened.Prepare(sql));
  }
  return writer;
}

StoreWriter::StoreWriter(StoreLock lock,
                         std::unique_ptr<SqliteDatabase> database,
                         LoadedState loaded)
    : lock_(std::move(lock)),
      database_(std::move(database)),
      state_(std::move(loaded)) {}

StoreSnapshot StoreWriter::RunGroup(const std::vector<WriteItem*>& items) {
  if (!health_.ok()) {
    for (WriteItem* item : items) item->status = health_;
    return {};
  }
  absl::Status status = begin_.Run();
  for (WriteItem* item : items) {
    if (!status.ok()) break;
    status = RunItem(*item);
  }
  // Summaries are written once for the whole group, because a trial that
  // reports often has many items in it.
  if (status.ok()) status = WriteObjectives();
  if (status.ok()) status = commit_.Run();
  if (!status.ok()) {
    FailGroup(items, status);
    return {};
  }
  tables_->CommitGroup();
  changed_objectives_.clear();
  return state_.CommitGroup();
}

// Returns only an error of the storage, which ends the group. A refusal is
// stored in the item.
absl::Status StoreWriter::RunItem(WriteItem& item) {
  VERNIER_RETURN_IF_ERROR(savepoint_.Run());
  state_.BeginItem();
  tables_->BeginItem();
  item.status = ApplyWork(item);
  VERNIER_RETURN_IF_ERROR(database_->TakeFailure());
  if (item.status.ok()) return release_.Run();
  state_.UndoItem();
  tables_->UndoItem();
  // ROLLBACK TO leaves the savepoint open, so it is released as well.
  VERNIER_RETURN_IF_ERROR(rollback_to_.Run());
  return release_.Run();
}

absl::Status StoreWriter::ApplyWork(WriteItem& item) {
  Effects effects;
  ChangeContext context{state_, *tables_, item.now, effects};
  if (const auto* job = std::get_if<const NewJob*>(&item.work)) {
    VERNIER_ASSIGN_OR_RETURN(const std::vector<Change> before,
                             ChangesBeforeCreate(**job, context));
    VERNIER_RETURN_IF_ERROR(ApplyChanges(before, context));
    VERNIER_ASSIGN_OR_RETURN(item.study, ApplyCreateJob(**job, context));
    return tables_->Write(effects, state_, item.now);
  }
  if (const auto* study = std::get_if<const NewStudy*>(&item.work)) {
    VERNIER_ASSIGN_OR_RETURN(item.study, ApplyCreateStudy(**study, context));
    return tables_->Write(effects, state_, item.now);
  }
  return ApplyChanges(*std::get<const std::vector<Change>*>(item.work),
                      context);
}

absl::Status StoreWriter::ApplyChanges(const std::vector<Change>& changes,
                                       ChangeContext& context) {
  for (const Change& change : changes) {
    VERNIER_RETURN_IF_ERROR(ApplyChange(change, context));
    // Rows are written one change at a time, since the schema checks every
    // step.
    VERNIER_RETURN_IF_ERROR(
        tables_->Write(context.effects, state_, context.now));
    for (const RowChange& row : context.effects.rows) {
      if (row.kind != RowChange::Kind::kObjectiveChanged) continue;
      changed_objectives_.emplace(row.key.study, row.key.trial);
    }
    context.effects = {};
  }
  return absl::OkStatus();
}

absl::Status StoreWriter::WriteObjectives() {
  for (const auto& [study_id, trial_id] : changed_objectives_) {
    const StudySnapshot* study = state_.Find(study_id);
    // The item that added the trial may have been undone since. The whole row
    // of an ended trial was written already.
    if (study == nullptr) continue;
    if (static_cast<std::size_t>(ToInt(trial_id)) > study->trials.size()) {
      continue;
    }
    if (IsTerminal(study->trials.Brief(trial_id).state)) continue;
    VERNIER_RETURN_IF_ERROR(
        tables_->WriteObjective(*study, study->trials.Get(trial_id)));
  }
  return absl::OkStatus();
}

void StoreWriter::FailGroup(const std::vector<WriteItem*>& items,
                            const absl::Status& why) {
  absl::Status answer = Judge(why);
  // SQLite may have rolled back by itself.
  if (database_->in_transaction()) {
    const absl::Status rolled_back = database_->Execute("ROLLBACK");
    if (!rolled_back.ok()) {
      answer = Judge(absl::DataLossError(rolled_back.message()));
    }
  }
  (void)database_->TakeFailure();  // Judged.
  state_.UndoGroup();
  tables_->UndoGroup();
  changed_objectives_.clear();
  // Refused items get the group's error, too, because the change that made them
  // be refused may have been undone.
  for (WriteItem* item : items) item->status = answer;
}

absl::Status StoreWriter::Judge(const absl::Status& failure) {
  // A full disk and a refused statement leave the file as it was, so the store
  // can continue.
  const bool may_pass =
      failure.code() == absl::StatusCode::kResourceExhausted ||
      failure.code() == absl::StatusCode::kInternal;
  if (may_pass) return failure;
  // After a failed sync the kernel's pages are marked clean, so a second try
  // could falsely report success (Rebello et al., USENIX ATC 2020).
  if (health_.ok()) {
    health_ = absl::UnavailableError(
        absl::StrCat("storage failed and was closed; restart the service to "
                     "recover what is on disk: ",
                     failure.message()));
  }
  return health_;
}

absl::Status StoreWriter::CheckHasTrial(StudyId study, TrialId trial) const {
  if (!health_.ok()) return health_;
  const StudySnapshot* found = state_.Find(study);
  if (found == nullptr || ToInt(trial) < 1 ||
      static_cast<std::size_t>(ToInt(trial)) > found->trials.size()) {
    return absl::NotFoundError(
        absl::StrCat("no such trial: ", ToInt(study), "/", ToInt(trial)));
  }
  return absl::OkStatus();
}

const FormerNames& StoreWriter::FormerNamesOf(StudyId study) const {
  return state_.Find(study)->spec->renamed_from;
}

absl::StatusOr<std::vector<Measurement>> StoreWriter::ListMeasurements(
    StudyId study, TrialId trial, const std::string& metric,
    std::size_t limit) {
  VERNIER_RETURN_IF_ERROR(CheckHasTrial(study, trial));
  auto list = ReadMeasurements(*database_, study, trial, metric,
                               FormerNamesOf(study), limit);
  if (!list.ok()) return Judge(list.status());
  return list;
}

absl::StatusOr<std::vector<Measurement>> StoreWriter::ListMeasurementsAfter(
    const AttemptKey& attempt, const std::string& metric, std::int64_t step,
    std::size_t limit) {
  VERNIER_RETURN_IF_ERROR(CheckHasTrial(attempt.study, attempt.trial));
  auto list = ReadMeasurementsAfter(*database_, attempt, metric,
                                    FormerNamesOf(attempt.study), step, limit);
  if (!list.ok()) return Judge(list.status());
  return list;
}

absl::StatusOr<std::vector<TrialMeasurement>>
StoreWriter::ListStudyMeasurements(StudyId study, TrialId first, TrialId last,
                                   std::size_t limit) {
  if (!health_.ok()) return health_;
  if (state_.Find(study) == nullptr) {
    return absl::NotFoundError(absl::StrCat("no such study: ", ToInt(study)));
  }
  auto list = ReadStudyMeasurements(*database_, study, first, last,
                                    FormerNamesOf(study), limit);
  if (!list.ok()) return Judge(list.status());
  return list;
}

absl::StatusOr<OperationRecord> StoreWriter::FindOperation(
    StudyId study, std::int64_t number) {
  if (!health_.ok()) return health_;
  auto operation = ReadOperation(*database_, study, number);
  if (!operation.ok() && !absl::IsNotFound(operation.status())) {
    return Judge(operation.status());
  }
  return operation;
}

absl::StatusOr<RememberedRequest> StoreWriter::FindRequest(
    const std::string& request_id) {
  if (!health_.ok()) return health_;
  const RememberedRequest* const found = state_.FindRequest(request_id);
  if (found != nullptr) return *found;
  return absl::NotFoundError("there is no request " + request_id);
}

absl::StatusOr<std::vector<Event>> StoreWriter::ListEvents(
    EventSequence after, std::optional<StudyId> study, std::size_t limit) {
  if (!health_.ok()) return health_;
  auto list = ReadEvents(*database_, after, study, limit);
  if (!list.ok()) return Judge(list.status());
  return list;
}

void StoreWriter::CheckpointFrom(int pages) {
  if (!health_.ok() || database_->wal_pages() < pages) return;
  const absl::Status status = database_->Checkpoint();
  (void)database_->TakeFailure();  // Judged here.
  if (!status.ok()) (void)Judge(status);
}

}  // namespace vernier

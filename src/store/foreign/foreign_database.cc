#include "store/foreign/foreign_database.h"

#include <sqlite3.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <system_error>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/status_macros.h"
#include "store/foreign/open_file_vfs.h"

namespace vernier {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kMagic{"SQLite format 3\0", 16};
constexpr std::size_t kVersionAt =
    18;  // 2 there: the file has a log beside it.
constexpr int kBusyMilliseconds = 5000;
constexpr int kMostCopies = 5;

std::string BeginningOf(const std::string& path) {
  std::string bytes(kVersionAt + 1, '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  bytes.resize(static_cast<std::size_t>(file.gcount()));
  return bytes;
}

// The size of a regular file; 0 if there is none.
std::int64_t SizeOf(const std::string& path) {
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return 0;
  const auto size = fs::file_size(path, error);
  return error ? 0 : static_cast<std::int64_t>(size);
}

absl::Status CheckFile(const std::string& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status)) {
    return absl::NotFoundError(absl::StrCat(path, ": there is no such file"));
  }
  if (!fs::is_regular_file(status)) {
    return absl::InvalidArgumentError(absl::StrCat(path, ": is no file"));
  }
  if (!ForeignDatabase::IsDatabase(path)) {
    return absl::InvalidArgumentError(
        absl::StrCat(path, ": is no SQLite database"));
  }
  const std::int64_t bytes = SizeOf(path) + SizeOf(path + "-wal");
  if (bytes > ForeignDatabase::kMostFileBytes) {
    return absl::ResourceExhaustedError(
        absl::StrCat(path, ": has ", bytes, " bytes, and at most ",
                     ForeignDatabase::kMostFileBytes, " are read"));
  }
  return absl::OkStatus();
}

// Sizes and times of the database and its log, which a writer changes.
std::string StampOf(const std::string& path) {
  std::string stamp;
  for (const char* end : {"", "-wal"}) {
    std::error_code error;
    const auto time = fs::last_write_time(path + end, error);
    absl::StrAppend(&stamp, SizeOf(path + end), " ",
                    time.time_since_epoch().count(), " ");
  }
  return stamp;
}

// Copies the database and its log, both of one moment, into a new private
// folder.
absl::StatusOr<std::string> CopyWithLog(const std::string& path) {
  std::error_code error;
  std::string folder =
      (fs::temp_directory_path(error) / "vernier-import-XXXXXX").string();
  if (error || mkdtemp(folder.data()) == nullptr) {
    return absl::InternalError(absl::StrCat(
        path, ": a private copy could not be made in the temporary folder"));
  }
  std::string why = "its writer changes it all the time";
  for (int tries = 0; tries < kMostCopies; ++tries) {
    const std::string before = StampOf(path);
    for (const char* end : {"", "-wal"}) {
      fs::copy_file(path + end, absl::StrCat(folder, "/copy", end),
                    fs::copy_options::overwrite_existing, error);
      if (error) break;
    }
    if (error) {
      why = error.message();
      break;
    }
    if (StampOf(path) == before) return folder;
  }
  fs::remove_all(folder, error);
  return absl::UnavailableError(
      absl::StrCat(path, ": could not be copied: ", why));
}

// Writes a path as the URI that SQLite takes.
std::string UriOf(const std::string& path, bool is_immutable) {
  std::string uri = "file:";
  std::error_code error;
  for (const char c : fs::absolute(path, error).string()) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) != 0 || c == '/' || c == '.' || c == '-' ||
        c == '_') {
      uri += c;
    } else {
      absl::StrAppend(&uri, absl::StrFormat("%%%02x", byte));
    }
  }
  return absl::StrCat(uri, is_immutable ? "?immutable=1" : "?mode=ro");
}

}  // namespace

bool ForeignRow::IsNull(int column) const {
  return sqlite3_column_type(statement_, column) == SQLITE_NULL;
}

std::optional<std::int64_t> ForeignRow::Int(int column) const {
  if (sqlite3_column_type(statement_, column) != SQLITE_INTEGER) {
    return std::nullopt;
  }
  return sqlite3_column_int64(statement_, column);
}

std::optional<double> ForeignRow::Number(int column) const {
  const int type = sqlite3_column_type(statement_, column);
  if (type != SQLITE_INTEGER && type != SQLITE_FLOAT) return std::nullopt;
  return sqlite3_column_double(statement_, column);
}

std::optional<std::string> ForeignRow::Text(int column) const {
  if (sqlite3_column_type(statement_, column) != SQLITE_TEXT) {
    return std::nullopt;
  }
  const auto* text =
      reinterpret_cast<const char*>(sqlite3_column_text(statement_, column));
  const int size = sqlite3_column_bytes(statement_, column);
  if (text == nullptr || size < 0) return std::nullopt;
  return std::string(text, static_cast<std::size_t>(size));
}

std::optional<std::string_view> ForeignRow::Bytes(int column) const {
  const int type = sqlite3_column_type(statement_, column);
  if (type != SQLITE_TEXT && type != SQLITE_BLOB) return std::nullopt;
  const auto* bytes =
      static_cast<const char*>(sqlite3_column_blob(statement_, column));
  const int size = sqlite3_column_bytes(statement_, column);
  if (bytes == nullptr || size < 0) return std::string_view();
  return std::string_view(bytes, static_cast<std::size_t>(size));
}

bool ForeignDatabase::IsDatabase(const std::string& path) {
  return BeginningOf(path).rfind(kMagic, 0) == 0;
}

ForeignDatabase::ForeignDatabase(std::string path, std::set<std::string> tables,
                                 const ForeignLimits& limits)
    : path_(std::move(path)), tables_(std::move(tables)), limits_(limits) {}

ForeignDatabase::~ForeignDatabase() {
  sqlite3_close_v2(handle_);
  if (copy_.empty()) return;
  std::error_code error;
  fs::remove_all(copy_, error);
}

absl::StatusOr<std::unique_ptr<ForeignDatabase>> ForeignDatabase::Open(
    const std::string& path, const std::set<std::string>& tables) {
  VERNIER_RETURN_IF_ERROR(CheckFile(path));
  const std::string beginning = BeginningOf(path);
  const bool has_log_mode =
      beginning.size() > kVersionAt && beginning[kVersionAt] == 2;
  std::unique_ptr<ForeignDatabase> database(
      new ForeignDatabase(path, tables, ForeignLimits()));
  std::string file = path;
  if (has_log_mode && SizeOf(path + "-wal") > 0) {
    VERNIER_ASSIGN_OR_RETURN(database->copy_, CopyWithLog(path));
    file = database->copy_ + "/copy";
  }
  // In the mode of a log, SQLite would make files beside an empty one.
  const bool is_immutable = has_log_mode && database->copy_.empty();
  VERNIER_RETURN_IF_ERROR(database->Connect(file, is_immutable));
  VERNIER_RETURN_IF_ERROR(database->CheckTables());
  database->Restrict();
  return database;
}

absl::StatusOr<std::unique_ptr<ForeignDatabase>> ForeignDatabase::OpenFiles(
    const ForeignFiles& files, const std::set<std::string>& tables,
    const ForeignLimits& limits) {
  std::unique_ptr<ForeignDatabase> database(
      new ForeignDatabase(files.name, tables, limits));
  VERNIER_RETURN_IF_ERROR(database->ConnectFiles(files));
  VERNIER_RETURN_IF_ERROR(database->CheckTables());
  database->Restrict();
  return database;
}

absl::Status ForeignDatabase::ConnectFiles(const ForeignFiles& files) {
  open_files_ = std::make_unique<OpenFileVfs>(files.database, files.log);
  const int opened =
      sqlite3_open_v2(OpenFileVfs::kFileName, &handle_, SQLITE_OPEN_READONLY,
                      open_files_->name().c_str());
  if (opened != SQLITE_OK) return Error(opened);
  // SQLite would write the log into the database at the end.
  sqlite3_db_config(handle_, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
  // In this mode SQLite keeps the log's index in memory of its own, not in a
  // file that it shares with the writer.
  return Begin("PRAGMA locking_mode=EXCLUSIVE;");
}

absl::Status ForeignDatabase::Connect(const std::string& file,
                                      bool is_immutable) {
  // The private copy may be written, as its log asks for.
  const int flags =
      (copy_.empty() ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE) |
      SQLITE_OPEN_URI;
  const std::string uri = copy_.empty() ? UriOf(file, is_immutable) : file;
  const int opened = sqlite3_open_v2(uri.c_str(), &handle_, flags, nullptr);
  if (opened != SQLITE_OK) return Error(opened);
  sqlite3_busy_timeout(handle_, kBusyMilliseconds);
  return Begin("");
}

// Sets the limits and begins one transaction, so that the program that writes
// the file is seen at one moment.
absl::Status ForeignDatabase::Begin(const char* pragmas) {
  sqlite3_limit(handle_, SQLITE_LIMIT_LENGTH, limits_.value_bytes);
  sqlite3_limit(handle_, SQLITE_LIMIT_SQL_LENGTH, limits_.definition_bytes);
  sqlite3_limit(handle_, SQLITE_LIMIT_COLUMN, limits_.columns);
  sqlite3_limit(handle_, SQLITE_LIMIT_ATTACHED, 0);
  sqlite3_limit(handle_, SQLITE_LIMIT_TRIGGER_DEPTH, 1);
  sqlite3_db_config(handle_, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(handle_, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  sqlite3_db_config(handle_, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
  sqlite3_db_config(handle_, SQLITE_DBCONFIG_ENABLE_VIEW, 0, nullptr);
  sqlite3_progress_handler(handle_, limits_.steps_of_look, &CountWork, this);
  const std::string sql = absl::StrCat(pragmas,
                                       "PRAGMA cell_size_check=ON;"
                                       "PRAGMA mmap_size=0;"
                                       "PRAGMA temp_store=MEMORY;"
                                       "BEGIN");
  const int begun =
      sqlite3_exec(handle_, sql.c_str(), nullptr, nullptr, nullptr);
  return begun == SQLITE_OK ? absl::OkStatus() : Error(begun);
}

absl::Status ForeignDatabase::CheckTables() {
  std::set<std::string> ordinary;
  std::set<std::string> others;
  // A virtual table has no page of its own.
  VERNIER_RETURN_IF_ERROR(ForEachRow(
      "SELECT name, type, rootpage FROM sqlite_schema",
      [&](const ForeignRow& row) {
        const std::optional<std::string> name = row.Text(0);
        if (!name.has_value() || tables_.count(*name) == 0) {
          return absl::OkStatus();
        }
        const std::string type = row.Text(1).value_or("");
        const bool is_table = type == "table" && row.Int(2).value_or(0) > 0;
        (is_table ? ordinary : others).insert(*name);
        return absl::OkStatus();
      }));
  for (const std::string& table : tables_) {
    if (ordinary.count(table) == 0 || others.count(table) != 0) {
      return absl::InvalidArgumentError(
          absl::StrCat(path_, ": has no ordinary table \"", table, "\""));
    }
    VERNIER_RETURN_IF_ERROR(CheckColumns(table));
  }
  return absl::OkStatus();
}

// SQLite asks no authorizer about the functions of a generated column, and a
// function may take hours.
absl::Status ForeignDatabase::CheckColumns(const std::string& table) {
  const std::unique_ptr<char, void (*)(void*)> sql(
      sqlite3_mprintf("SELECT hidden FROM pragma_table_xinfo(%Q)",
                      table.c_str()),
      &sqlite3_free);
  if (sql == nullptr) return Error(SQLITE_NOMEM);
  return ForEachRow(sql.get(), [&](const ForeignRow& row) -> absl::Status {
    if (row.Int(0) == 0) return absl::OkStatus();
    return absl::InvalidArgumentError(absl::StrCat(
        path_, ": the table \"", table, "\" has generated columns"));
  });
}

void ForeignDatabase::Restrict() {
  sqlite3_set_authorizer(handle_, &Allow, this);
  is_opening_ = false;
  work_ = 0;
}

int ForeignDatabase::Allow(void* self, int action, const char* first,
                           const char* /*second*/, const char* /*database*/,
                           const char* /*trigger*/) {
  if (action == SQLITE_SELECT) return SQLITE_OK;
  if (action != SQLITE_READ || first == nullptr) return SQLITE_DENY;
  const auto& tables = static_cast<ForeignDatabase*>(self)->tables_;
  return tables.count(first) != 0 ? SQLITE_OK : SQLITE_DENY;
}

int ForeignDatabase::CountWork(void* self) {
  auto* const database = static_cast<ForeignDatabase*>(self);
  const ForeignLimits& limits = database->limits_;
  const std::int64_t most =
      database->is_opening_ ? limits.opening_looks : limits.looks;
  return ++database->work_ > most ? 1 : 0;
}

absl::Status ForeignDatabase::Error(int code) const {
  const std::string said =
      handle_ == nullptr ? sqlite3_errstr(code) : sqlite3_errmsg(handle_);
  const std::string message = absl::StrCat(path_, ": ", said);
  switch (code & 0xff) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return absl::UnavailableError(
          absl::StrCat(message, ": another program writes it; try again"));
    case SQLITE_READONLY:
    case SQLITE_CANTOPEN:
      return absl::FailedPreconditionError(absl::StrCat(
          message,
          ": it cannot be read as it is; if its writer died in the middle of a "
          "change, open the file once with the program that wrote it"));
    case SQLITE_INTERRUPT:
    case SQLITE_TOOBIG:
    case SQLITE_NOMEM:
      return absl::ResourceExhaustedError(message);
    case SQLITE_AUTH:
    case SQLITE_ERROR:
      return absl::InvalidArgumentError(message);
    default:
      return absl::DataLossError(
          absl::StrCat(message, ": the file is damaged"));
  }
}

bool ForeignDatabase::HasColumn(const std::string& table,
                                const std::string& column) const {
  return tables_.count(table) != 0 &&
         sqlite3_table_column_metadata(handle_, "main", table.c_str(),
                                       column.c_str(), nullptr, nullptr,
                                       nullptr, nullptr, nullptr) == SQLITE_OK;
}

absl::Status ForeignDatabase::ForEachRow(
    const char* sql, const std::function<absl::Status(const ForeignRow&)>& take,
    std::initializer_list<std::int64_t> numbers) {
  sqlite3_stmt* statement = nullptr;
  const int prepared =
      sqlite3_prepare_v2(handle_, sql, -1, &statement, nullptr);
  if (prepared != SQLITE_OK) return Error(prepared);
  const std::unique_ptr<sqlite3_stmt, int (*)(sqlite3_stmt*)> owner(
      statement, &sqlite3_finalize);
  int place = 0;
  for (const std::int64_t number : numbers) {
    const int bound = sqlite3_bind_int64(statement, ++place, number);
    if (bound != SQLITE_OK) return Error(bound);
  }
  const int columns = sqlite3_column_count(statement);
  int code = SQLITE_ROW;
  while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
    for (int column = 0; column < columns; ++column) {
      const int type = sqlite3_column_type(statement, column);
      if (type != SQLITE_TEXT && type != SQLITE_BLOB) continue;
      text_bytes_ += sqlite3_column_bytes(statement, column);
    }
    if (++rows_ > limits_.rows || text_bytes_ > limits_.text_bytes) {
      return absl::ResourceExhaustedError(
          absl::StrCat(path_, ": has more than ", limits_.rows, " rows or ",
                       limits_.text_bytes, " bytes of texts to read"));
    }
    VERNIER_RETURN_IF_ERROR(take(ForeignRow(statement)));
  }
  return code == SQLITE_DONE ? absl::OkStatus() : Error(code);
}

}  // namespace vernier

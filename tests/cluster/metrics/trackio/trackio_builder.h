#ifndef VERNIER_TESTS_CLUSTER_METRICS_TRACKIO_TRACKIO_BUILDER_H_
#define VERNIER_TESTS_CLUSTER_METRICS_TRACKIO_TRACKIO_BUILDER_H_

#include <gtest/gtest.h>
#include <sqlite3.h>

#include <filesystem>
#include <string>

#include "absl/strings/str_cat.h"

namespace vernier {

/// A database as Trackio 0.43 makes it, with the tables that are of interest.
/// The connection stays open, so that rows are in its log until Close.
class TrackioBuilder {
 public:
  explicit TrackioBuilder(const std::string& path, bool has_run_ids = true) {
    std::filesystem::create_directories(
        std::filesystem::path(path).parent_path());
    EXPECT_EQ(sqlite3_open(path.c_str(), &handle_), SQLITE_OK);
    Run(absl::StrCat(
        "PRAGMA journal_mode=WAL; PRAGMA user_version=2;"
        "CREATE TABLE metrics (id INTEGER PRIMARY KEY AUTOINCREMENT, ",
        has_run_ids ? "run_id TEXT NOT NULL DEFAULT 'r', " : "",
        "timestamp TEXT NOT NULL, run_name TEXT NOT NULL,"
        " step INTEGER NOT NULL, metrics TEXT NOT NULL",
        has_run_ids ? ", log_id TEXT, space_id TEXT" : "",
        ");"
        "CREATE TABLE configs (id INTEGER PRIMARY KEY, config TEXT);"
        "CREATE TABLE system_metrics (id INTEGER PRIMARY KEY, metrics TEXT);"
        "INSERT INTO system_metrics (metrics) VALUES ('{\"cpu\":1}');"
        "CREATE INDEX idx_metrics_step ON metrics(step);"));
  }
  ~TrackioBuilder() { Close(); }
  TrackioBuilder(const TrackioBuilder&) = delete;
  TrackioBuilder& operator=(const TrackioBuilder&) = delete;

  void Run(const std::string& sql) {
    EXPECT_EQ(sqlite3_exec(handle_, sql.c_str(), nullptr, nullptr, nullptr),
              SQLITE_OK)
        << sqlite3_errmsg(handle_);
  }

  /// The library stores the JSON as a blob.
  TrackioBuilder& Log(
      int step, const std::string& json, const std::string& run = "one",
      const std::string& time = "2026-11-29T20:53:06.611322+00:00") {
    Run(absl::StrCat(
        "INSERT INTO metrics (timestamp, run_name, step, metrics)"
        " VALUES ('",
        time, "', '", run, "', ", step, ", CAST('", json, "' AS BLOB))"));
    return *this;
  }

  void Close() {
    EXPECT_EQ(sqlite3_close(handle_), SQLITE_OK);
    handle_ = nullptr;
  }

 private:
  sqlite3* handle_ = nullptr;
};

}  // namespace vernier

#endif  // VERNIER_TESTS_CLUSTER_METRICS_TRACKIO_TRACKIO_BUILDER_H_

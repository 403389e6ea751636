#ifndef VERNIER_TESTS_STORE_FIXTURE_DATABASE_H_
#define VERNIER_TESTS_STORE_FIXTURE_DATABASE_H_

#include <gtest/gtest.h>
#include <sqlite3.h>

#include <fstream>
#include <sstream>
#include <string>

#include "store/pages/checksum_vfs.h"
#include "store/sqlite/sqlite_database.h"

namespace vernier {

inline std::string ReadAll(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// Runs SQL through a connection of its own, as another program would, but that
// pages keep their checksums if they have them.
inline void RunSql(const std::string& path, const std::string& sql) {
  const ChecksumVfs vfs("");
  sqlite3* handle = nullptr;
  ASSERT_EQ(sqlite3_open_v2(path.c_str(), &handle,
                            SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE,
                            vfs.name().c_str()),
            SQLITE_OK);
  char* message = nullptr;
  EXPECT_EQ(sqlite3_exec(handle, sql.c_str(), nullptr, nullptr, &message),
            SQLITE_OK)
      << message;
  sqlite3_free(message);
  sqlite3_close(handle);
}

/// Makes the database of a frozen file in fixtures/, such as "schema_0014".
inline void MakeFixture(const std::string& name, const std::string& path) {
  const std::string sql = ReadAll(std::string(VERNIER_TESTDATA_DIR) +
                                  "/store/fixtures/" + name + ".sql");
  const auto database = SqliteDatabase::Open(path, {}).value();
  const absl::Status made = database->Execute(sql.c_str());
  ASSERT_TRUE(made.ok()) << made;
}

}  // namespace vernier

#endif  // VERNIER_TESTS_STORE_FIXTURE_DATABASE_H_

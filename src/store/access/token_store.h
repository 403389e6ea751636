#ifndef VERNIER_STORE_ACCESS_TOKEN_STORE_H_
#define VERNIER_STORE_ACCESS_TOKEN_STORE_H_

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/clock.h"
#include "base/mutex.h"
#include "store/sqlite/private_database.h"
#include "store/sqlite/schema.h"

namespace vernier {

/// The rights that a token can give. Values are stored; do not renumber.
enum class TokenScope {
  kAdmin = 1,         ///< Everything, in every project.
  kProjectWrite = 2,  ///< Reading and writing in one project.
  kProjectRead = 3,   ///< Reading in one project.
};

/// "admin", "project-write", "project-read".
std::string_view ToString(TokenScope scope);
/// INVALID_ARGUMENT names the three.
absl::StatusOr<TokenScope> ParseTokenScope(std::string_view text);

/// The schema of access.db.
const Schema& AccessSchema();

/// The record of a token, without the token itself.
struct TokenRecord {
  std::string id;    ///< Public; what lists and logs show.
  std::string hash;  ///< Hex digits of the token's SHA-256.
  TokenScope scope = TokenScope::kProjectRead;
  std::string project;   ///< Empty for kAdmin.
  bool may_run = false;  ///< Whether it may choose what is executed.
  std::string label;     ///< For people.
  Timestamp created_at{};
  std::optional<Timestamp> expires_at;
  std::optional<Timestamp> revoked_at;
};

/// The tokens of callers, in a database of their own, so that a copy of the
/// studies contains no keys. It is small, and all of it is in memory.
/// Thread-safe.
class TokenStore {
 public:
  /// Opens or makes the file, readable by this user only. Errors: as
  /// OpenPrivateDatabase.
  static absl::StatusOr<std::unique_ptr<TokenStore>> Open(
      const std::string& path);

  /// Adds a token. Durable when it returns. ALREADY_EXISTS if its id or hash is
  /// known; INVALID_ARGUMENT if a project is missing, or given where none may
  /// be.
  absl::Status Add(const TokenRecord& token);
  /// Revokes a token forever; repeating it changes nothing. NOT_FOUND.
  absl::Status Revoke(const std::string& id, Timestamp now);
  /// All tokens by creation, the revoked ones included.
  std::vector<TokenRecord> List() const;
  /// The token with this hash, unless it is revoked or has expired.
  std::optional<TokenRecord> Find(const std::string& hash, Timestamp now) const;
  /// Returns the key from which the tokens of attempts are derived, 64 hex
  /// digits. The first call ever stores its `drawn` as the key; later calls
  /// return that one.
  absl::StatusOr<std::string> Secret(const std::string& drawn);
  /// A note about the end of the log when it was opened; nullopt: it was
  /// complete.
  const std::optional<LogNote>& log_note() const { return log_note_; }

 private:
  explicit TokenStore(PrivateDatabase opened)
      : log_note_(std::move(opened.log_note)),
        database_(std::move(opened.database)) {}
  absl::Status Load();

  const std::optional<LogNote> log_note_;
  mutable Mutex mu_;
  const std::unique_ptr<SqliteDatabase> database_;  // Used under mu_.
  std::vector<TokenRecord> tokens_ VERNIER_GUARDED_BY(mu_);
  std::map<std::string, std::size_t> by_hash_ VERNIER_GUARDED_BY(mu_);
};

}  // namespace vernier

#endif  // VERNIER_STORE_ACCESS_TOKEN_STORE_H_

#include "store/access/token_store.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "base/enum_name.h"
#include "base/status_macros.h"
#include "store/migrations/access_base.h"
#include "store/sqlite/database_file.h"
#include "store/sqlite/private_database.h"
#include "store/sqlite/timestamp_column.h"

namespace vernier {
namespace {

constexpr EnumName<TokenScope> kScopes[] = {
    {"admin", TokenScope::kAdmin},
    {"project-write", TokenScope::kProjectWrite},
    {"project-read", TokenScope::kProjectRead},
};

}  // namespace

const Schema& AccessSchema() {
  static const Schema* const kSchema = new Schema{2, kAccessBase, {}};
  return *kSchema;
}

std::string_view ToString(TokenScope scope) { return NameIn(kScopes, scope); }

absl::StatusOr<TokenScope> ParseTokenScope(std::string_view text) {
  for (const EnumName<TokenScope>& entry : kScopes) {
    if (entry.name == text) return entry.value;
  }
  return absl::InvalidArgumentError(
      absl::StrCat("scope must be admin, project-write or project-read: \"",
                   std::string(text), "\""));
}

absl::StatusOr<std::unique_ptr<TokenStore>> TokenStore::Open(
    const std::string& path) {
  VERNIER_ASSIGN_OR_RETURN(PrivateDatabase opened,
                           OpenPrivateDatabase(path, AccessSchema()));
  auto store = std::unique_ptr<TokenStore>(new TokenStore(std::move(opened)));
  const absl::Status loaded = store->Load();
  if (!loaded.ok()) return WithDatabasePath(path, loaded);
  return store;
}

absl::Status TokenStore::Load() {
  VERNIER_ASSIGN_OR_RETURN(
      SqliteStatement select,
      database_->Prepare("SELECT id, hash, scope, project, may_run, label, "
                         "created_at_us, expires_at_us, revoked_at_us "
                         "FROM token ORDER BY number"));
  VERNIER_RETURN_IF_ERROR(select.Start());
  MutexLock lock(mu_);
  while (true) {
    VERNIER_ASSIGN_OR_RETURN(const bool has_row, select.Step());
    if (!has_row) return absl::OkStatus();
    TokenRecord token;
    token.id = select.Text(0);
    token.hash = select.Text(1);
    token.scope = static_cast<TokenScope>(select.Int(2));
    token.project = select.Text(3);
    token.may_run = select.Int(4) != 0;
    token.label = select.Text(5);
    token.created_at = FromMicros(select.Int(6));
    token.expires_at = FromMicros(select.OptionalInt(7));
    token.revoked_at = FromMicros(select.OptionalInt(8));
    by_hash_.emplace(token.hash, tokens_.size());
    tokens_.push_back(std::move(token));
  }
}

absl::Status TokenStore::Add(const TokenRecord& token) {
  if ((token.scope == TokenScope::kAdmin) != token.project.empty()) {
    return absl::InvalidArgumentError(
        "project must be given for the scopes project-write and project-read, "
        "and only for them");
  }
  MutexLock lock(mu_);
  for (const TokenRecord& known : tokens_) {
    if (known.id == token.id || known.hash == token.hash) {
      return absl::AlreadyExistsError(
          absl::StrCat("token ", token.id, " exists already"));
    }
  }
  VERNIER_ASSIGN_OR_RETURN(
      SqliteStatement insert,
      database_->Prepare(
          "INSERT INTO token (id, hash, scope, project, may_run, label, "
          "created_at_us, expires_at_us) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"));
  VERNIER_RETURN_IF_ERROR(
      insert.Run(std::string_view(token.id), std::string_view(token.hash),
                 static_cast<int>(token.scope), std::string_view(token.project),
                 static_cast<int>(token.may_run), std::string_view(token.label),
                 Micros(token.created_at), Micros(token.expires_at)));
  by_hash_.emplace(token.hash, tokens_.size());
  tokens_.push_back(token);
  return absl::OkStatus();
}

absl::Status TokenStore::Revoke(const std::string& id, Timestamp now) {
  MutexLock lock(mu_);
  for (TokenRecord& token : tokens_) {
    if (token.id != id) continue;
    if (token.revoked_at.has_value()) return absl::OkStatus();
    VERNIER_ASSIGN_OR_RETURN(
        SqliteStatement update,
        database_->Prepare("UPDATE token SET revoked_at_us = ? WHERE id = ?"));
    VERNIER_RETURN_IF_ERROR(update.Run(Micros(now), std::string_view(id)));
    token.revoked_at = now;
    return absl::OkStatus();
  }
  return absl::NotFoundError(absl::StrCat("there is no token \"", id, "\""));
}

std::vector<TokenRecord> TokenStore::List() const {
  MutexLock lock(mu_);
  return tokens_;
}

std::optional<TokenRecord> TokenStore::Find(const std::string& hash,
                                            Timestamp now) const {
  MutexLock lock(mu_);
  const auto found = by_hash_.find(hash);
  if (found == by_hash_.end()) return std::nullopt;
  const TokenRecord& token = tokens_[found->second];
  if (token.revoked_at.has_value()) return std::nullopt;
  if (token.expires_at.has_value() && *token.expires_at <= now) {
    return std::nullopt;
  }
  return token;
}

absl::StatusOr<std::string> TokenStore::Secret(const std::string& drawn) {
  MutexLock lock(mu_);
  VERNIER_ASSIGN_OR_RETURN(
      SqliteStatement insert,
      database_->Prepare("INSERT OR IGNORE INTO secret VALUES (1, ?)"));
  VERNIER_RETURN_IF_ERROR(insert.Run(std::string_view(drawn)));
  return database_->QueryText("SELECT value FROM secret");
}

}  // namespace vernier

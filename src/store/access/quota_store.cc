#include "store/access/quota_store.h"

#include <cstdint>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "store/migrations/quotas_base.h"
#include "store/sqlite/database_file.h"
#include "store/sqlite/private_database.h"
#include "study/job_id.h"

namespace vernier {
namespace {

std::optional<int> Limit(const std::optional<std::int64_t>& column) {
  if (!column.has_value()) return std::nullopt;
  return static_cast<int>(*column);
}

std::optional<std::int64_t> Column(const std::optional<int>& limit) {
  return limit;
}

absl::Status CheckLimit(const std::optional<std::int64_t>& limit,
                        const char* name) {
  if (limit.value_or(0) >= 0) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat(name, " must be >= 0: ", *limit));
}

}  // namespace

const Schema& QuotasSchema() {
  static const Schema* const kSchema = new Schema{3, kQuotasBase, {}};
  return *kSchema;
}

absl::StatusOr<std::unique_ptr<QuotaStore>> QuotaStore::Open(
    const std::string& path) {
  VERNIER_ASSIGN_OR_RETURN(PrivateDatabase opened,
                           OpenPrivateDatabase(path, QuotasSchema()));
  auto store = std::unique_ptr<QuotaStore>(new QuotaStore(std::move(opened)));
  const absl::Status loaded = store->Load();
  if (!loaded.ok()) return WithDatabasePath(path, loaded);
  return store;
}

absl::Status QuotaStore::Load() {
  VERNIER_ASSIGN_OR_RETURN(
      SqliteStatement select,
      database_->Prepare("SELECT project, max_parallel_trials, max_gpus, "
                         "max_studies, max_bucket_bytes, max_bucket_objects "
                         "FROM quota"));
  VERNIER_RETURN_IF_ERROR(select.Start());
  MutexLock lock(mu_);
  while (true) {
    VERNIER_ASSIGN_OR_RETURN(const bool has_row, select.Step());
    if (!has_row) return absl::OkStatus();
    quotas_[select.Text(0)] = {Limit(select.OptionalInt(1)),
                               Limit(select.OptionalInt(2)),
                               Limit(select.OptionalInt(3)),
                               select.OptionalInt(4), select.OptionalInt(5)};
  }
}

absl::Status QuotaStore::Set(const std::string& project,
                             const ProjectQuota& quota) {
  VERNIER_RETURN_IF_ERROR(CheckProjectId(project));
  VERNIER_RETURN_IF_ERROR(
      CheckLimit(quota.max_parallel_trials, "max_parallel_trials"));
  VERNIER_RETURN_IF_ERROR(CheckLimit(quota.max_gpus, "max_gpus"));
  VERNIER_RETURN_IF_ERROR(CheckLimit(quota.max_studies, "max_studies"));
  VERNIER_RETURN_IF_ERROR(
      CheckLimit(quota.max_bucket_bytes, "max_bucket_bytes"));
  VERNIER_RETURN_IF_ERROR(
      CheckLimit(quota.max_bucket_objects, "max_bucket_objects"));
  MutexLock lock(mu_);
  if (quota == ProjectQuota{}) {
    VERNIER_ASSIGN_OR_RETURN(
        SqliteStatement remove,
        database_->Prepare("DELETE FROM quota WHERE project = ?"));
    VERNIER_RETURN_IF_ERROR(remove.Run(std::string_view(project)));
    quotas_.erase(project);
    return absl::OkStatus();
  }
  VERNIER_ASSIGN_OR_RETURN(
      SqliteStatement put,
      database_->Prepare(
          "INSERT OR REPLACE INTO quota VALUES (?, ?, ?, ?, ?, ?)"));
  VERNIER_RETURN_IF_ERROR(
      put.Run(std::string_view(project), Column(quota.max_parallel_trials),
              Column(quota.max_gpus), Column(quota.max_studies),
              quota.max_bucket_bytes, quota.max_bucket_objects));
  quotas_[project] = quota;
  return absl::OkStatus();
}

ProjectQuota QuotaStore::Of(const std::string& project) const {
  MutexLock lock(mu_);
  const auto found = quotas_.find(project);
  return found == quotas_.end() ? ProjectQuota{} : found->second;
}

std::map<std::string, ProjectQuota> QuotaStore::All() const {
  MutexLock lock(mu_);
  return quotas_;
}

}  // namespace vernier

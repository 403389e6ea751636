#ifndef TESTS_BUCKETS_BUCKET_BED_H_
#define TESTS_BUCKETS_BUCKET_BED_H_

#include <gtest/gtest.h>

#include <atomic>
#include <cstdio>
#include <filesystem>
#include <iterator>
#include <memory>
#include <string>

#include "base/clock.h"
#include "buckets/bucket_store.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/text_file.h"

namespace vernier {

/// A store in a folder of its own, for one test.
class BucketBed : public ::testing::Test {
 protected:
  BucketBed() { Reopen(); }

  /// Opens the store again, as after a restart of the service.
  void Reopen() {
    bucket_.reset();
    store_.reset();
    auto store = BucketStore::Open({dir_ / "buckets", {}, &NextId}, clock_);
    ASSERT_TRUE(store.ok()) << store.status();
    store_ = *std::move(store);
    auto bucket = store_->FindOrCreate("models", "default");
    ASSERT_TRUE(bucket.ok()) << bucket.status();
    bucket_ = *std::move(bucket);
  }

  absl::StatusOr<ObjectMetadata> Put(const std::string& name,
                                     const std::string& bytes,
                                     const Preconditions& conditions = {}) {
    auto file = bucket_->Stage();
    if (!file.ok()) return file.status();
    EXPECT_TRUE(file->Append(bytes).ok());
    ObjectWrite write;
    write.name = name;
    write.preconditions = conditions;
    return bucket_->Publish(*file, write);
  }

  static BucketUser Admin() { return BucketUser::Administrator(); }
  absl::Status Find(const std::string& name, const BucketUser& user = Admin(),
                    BucketRight needed = BucketRight::kRead) {
    return store_->Find(name, user, needed).status();
  }

  std::string PathOf(const std::string& name) const {
    return bucket_->folder() + "/" + name;
  }
  std::string BytesOf(const std::string& name) const {
    return ReadText(PathOf(name));
  }
  /// Writes the file of an object directly, as a training program would.
  void WriteDirectly(const std::string& name, const std::string& bytes) {
    WriteText(PathOf(name), bytes);
  }
  /// Returns the number of files below the bucket's reserved folder, e.g.
  /// ".vernier/staging/...".
  int CountReserved(const std::string& folder) const {
    std::error_code error;
    std::filesystem::directory_iterator entries(PathOf(".vernier/" + folder),
                                                error);
    return error
               ? 0
               : static_cast<int>(std::distance(begin(entries), end(entries)));
  }

  static std::string NextId() {
    static std::atomic<int> next{0};
    char id[33];
    std::snprintf(id, sizeof(id), "%032x", ++next);
    return id;
  }

  const SystemClock clock_{};
  const ScratchFolder dir_;
  std::unique_ptr<BucketStore> store_;
  BucketStore::BucketPtr bucket_;
};

}  // namespace vernier

#endif  // TESTS_BUCKETS_BUCKET_BED_H_

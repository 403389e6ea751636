#include "buckets/bucket.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <thread>

#include "buckets/object_copy.h"
#include "tests/buckets/bucket_bed.h"

namespace vernier {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class BucketTest : public BucketBed {
 protected:
  std::vector<std::string> Names(const std::string& prefix = "") {
    ListQuery query;
    query.prefix = prefix;
    const auto page = bucket_->List(query);
    EXPECT_TRUE(page.ok()) << page.status();
    std::vector<std::string> names;
    for (const ObjectMetadata& each : page->objects) names.push_back(each.name);
    return names;
  }
};

TEST_F(BucketTest, AnObjectIsAPlainFileOfItsName) {
  const auto metadata = Put("a/b/model.bin", "hello world");
  ASSERT_TRUE(metadata.ok()) << metadata.status();
  EXPECT_EQ(BytesOf("a/b/model.bin"), "hello world");
  EXPECT_EQ(metadata->size, 11);
  EXPECT_EQ(metadata->metageneration, 1);
  EXPECT_EQ(metadata->hashes->md5, "XrY7u+Ae7tCTyyK7j1rNww==");
}

TEST_F(BucketTest, MetadataIsThereAfterARestart) {
  auto file = bucket_->Stage();
  ASSERT_TRUE(file.ok());
  ObjectWrite write;
  write.name = "x";
  write.attributes.content_type = "text/plain";
  write.attributes.custom["who"] = "me";
  const auto put = bucket_->Publish(*file, write);
  ASSERT_TRUE(put.ok());
  Reopen();
  const auto metadata = bucket_->Stat("x");
  ASSERT_TRUE(metadata.ok());
  EXPECT_EQ(metadata->generation, put->generation);
  EXPECT_EQ(metadata->attributes, write.attributes);
  EXPECT_EQ(metadata->hashes, put->hashes);
}

TEST_F(BucketTest, AReplacedObjectKeepsItsOldBytesForWhoReadsThem) {
  ASSERT_TRUE(Put("x", "old").ok());
  const auto open = bucket_->OpenObjectToRead("x");
  ASSERT_TRUE(open.ok());
  const auto second = Put("x", "new");
  ASSERT_TRUE(second.ok());
  EXPECT_GT(second->generation, open->metadata.generation);
  char bytes[4] = {};
  EXPECT_EQ(::pread(open->file.get(), bytes, 3, 0), 3);
  EXPECT_STREQ(bytes, "old");
  EXPECT_EQ(BytesOf("x"), "new");
}

TEST_F(BucketTest, AnUploadThatWasCutOffLeavesNothing) {
  {
    auto file = bucket_->Stage();
    ASSERT_TRUE(file.ok());
    ASSERT_TRUE(file->Append("half").ok());
    EXPECT_EQ(CountReserved("staging"), 1);
  }
  EXPECT_EQ(CountReserved("staging"), 0);
  EXPECT_THAT(Names(), IsEmpty());
}

TEST_F(BucketTest, WhatAKilledServiceStagedIsSweptAtTheNextStart) {
  WriteDirectly(".vernier/staging/left", "half");
  Reopen();
  EXPECT_EQ(CountReserved("staging"), 0);
}

TEST_F(BucketTest, AFileOfAProgramIsAnObjectAndIsHashedOnDemand) {
  WriteDirectly("run/1/metrics.txt", "hello world");
  ListQuery query;
  const auto page = bucket_->List(query);
  ASSERT_TRUE(page.ok());
  ASSERT_EQ(page->objects.size(), 1u);
  EXPECT_EQ(page->objects[0].name, "run/1/metrics.txt");
  EXPECT_FALSE(page->objects[0].hashes.has_value());
  const auto metadata = bucket_->Stat("run/1/metrics.txt");
  ASSERT_TRUE(metadata.ok());
  EXPECT_EQ(metadata->hashes->crc32c, "yZRlqg==");
  EXPECT_EQ(metadata->generation, page->objects[0].generation);
  EXPECT_EQ(bucket_->List(query)->objects[0].hashes, metadata->hashes);
}

TEST_F(BucketTest, AnObjectThatAProgramRewroteIsAnotherGeneration) {
  const auto put = Put("x", "from a client");
  ASSERT_TRUE(put.ok());
  WriteDirectly("x", "hello world");
  // A clock of the file system that has not moved yet must not hide it.
  fs::last_write_time(
      PathOf("x"), fs::last_write_time(PathOf("x")) + std::chrono::seconds(2));
  const auto metadata = bucket_->Stat("x");
  ASSERT_TRUE(metadata.ok());
  EXPECT_NE(metadata->generation, put->generation);
  EXPECT_EQ(metadata->hashes->crc32c, "yZRlqg==");
}

TEST_F(BucketTest, PreconditionsGuardEveryWrite) {
  Preconditions is_new;
  is_new.generation_match = 0;
  const auto first = Put("x", "1", is_new);
  ASSERT_TRUE(first.ok());
  EXPECT_TRUE(absl::IsAborted(Put("x", "2", is_new).status()));
  EXPECT_EQ(BytesOf("x"), "1");

  Preconditions is_first;
  is_first.generation_match = first->generation;
  ASSERT_TRUE(Put("x", "2", is_first).ok());
  EXPECT_TRUE(absl::IsAborted(bucket_->Remove("x", is_first)));
  const auto unchanged = [](ObjectAttributes*) { return absl::OkStatus(); };
  EXPECT_TRUE(
      absl::IsAborted(bucket_->Patch("x", is_first, unchanged).status()));

  Preconditions other_metadata;
  other_metadata.metageneration_match = 7;
  EXPECT_TRUE(absl::IsAborted(bucket_->Remove("x", other_metadata)));
  EXPECT_EQ(BytesOf("x"), "2");
}

TEST_F(BucketTest, BytesThatDifferFromTheSendersAreRefused) {
  for (const ObjectHashes& expected :
       {ObjectHashes{"AAAAAA==", ""}, ObjectHashes{"", "AAAA"}}) {
    auto file = bucket_->Stage();
    ASSERT_TRUE(file.ok() && file->Append("hello world").ok());
    ObjectWrite write;
    write.name = "x";
    write.expected = expected;
    EXPECT_TRUE(
        absl::IsInvalidArgument(bucket_->Publish(*file, write).status()));
  }
  EXPECT_THAT(Names(), IsEmpty());
}

TEST_F(BucketTest, OfManyWhoCreateAnObjectOneDoes) {
  Preconditions is_new;
  is_new.generation_match = 0;
  std::atomic<int> created{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&] {
      const auto put = Put("x", "mine", is_new);
      if (put.ok()) ++created;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(created, 1);
}

TEST_F(BucketTest, PatchChangesMetadataAlone) {
  const auto put = Put("x", "bytes");
  ASSERT_TRUE(put.ok());
  const auto patched =
      bucket_->Patch("x", {}, [](ObjectAttributes* attributes) {
        attributes->content_type = "image/png";
        return absl::OkStatus();
      });
  ASSERT_TRUE(patched.ok());
  EXPECT_EQ(patched->metageneration, 2);
  EXPECT_EQ(patched->generation, put->generation);
  EXPECT_EQ(bucket_->Stat("x")->attributes.content_type, "image/png");
  EXPECT_EQ(bucket_->Stat("x")->hashes, put->hashes);
}

ObjectAttributes With(std::string ObjectAttributes::*member,
                      const std::string& text) {
  ObjectAttributes attributes;
  attributes.*member = text;
  return attributes;
}

ObjectAttributes WithCustom(const std::string& key, const std::string& value) {
  ObjectAttributes attributes;
  attributes.custom[key] = value;
  return attributes;
}

TEST_F(BucketTest, AttributesThatNoHeaderCanBeAreRefused) {
  ASSERT_TRUE(Put("a", "bytes").ok());
  const auto patch = [this](ObjectAttributes attributes) {
    return bucket_
        ->Patch("a", {},
                [&attributes](ObjectAttributes* own) {
                  *own = attributes;
                  return absl::OkStatus();
                })
        .status();
  };
  using Attributes = ObjectAttributes;
  const std::vector<Attributes> bad = {
      With(&Attributes::content_type, "text/plain\n"),
      With(&Attributes::content_encoding, "gzip\rX"),
      With(&Attributes::content_disposition, "a\r\nX-Forged: b"),
      With(&Attributes::content_language, std::string("d\0e", 3)),
      With(&Attributes::cache_control, std::string(1025, 'x')),
      WithCustom("", "v"),
      WithCustom("a\nb", "v"),
      WithCustom("key", std::string(8190, 'x')),
  };
  for (const ObjectAttributes& each : bad) {
    EXPECT_TRUE(absl::IsInvalidArgument(patch(each)));
    auto file = bucket_->Stage();
    ASSERT_TRUE(file.ok());
    ObjectWrite write;
    write.name = "b";
    write.attributes = each;
    EXPECT_TRUE(
        absl::IsInvalidArgument(bucket_->Publish(*file, write).status()));
    EXPECT_TRUE(
        absl::IsInvalidArgument(bucket_->uploads().Begin(write).status()));
  }
  EXPECT_EQ(bucket_->Stat("a")->attributes, ObjectAttributes());
  EXPECT_TRUE(patch(With(&Attributes::content_disposition,
                         "attachment; filename=\"\u00fc\""))
                  .ok());
  EXPECT_TRUE(patch(WithCustom("key", "two\nlines")).ok());
}

// They were stored before they were checked, or by a program in the folder.
TEST_F(BucketTest, BadAttributesThatAreStoredAreNotReadBack) {
  ASSERT_TRUE(Put("a", "bytes").ok());
  ASSERT_TRUE(bucket_
                  ->Patch("a", {},
                          [](ObjectAttributes* own) {
                            own->cache_control = "CACHE";
                            own->content_language = "LANGUAGE";
                            return absl::OkStatus();
                          })
                  .ok());
  for (const auto& each : std::filesystem::recursive_directory_iterator(
           bucket_->folder() + "/.vernier/objects")) {
    if (!each.is_regular_file()) continue;
    std::ifstream file(each.path());
    std::string text(std::istreambuf_iterator<char>(file), {});
    text.replace(text.find("CACHE"), 5, std::string(70000, 'x'));
    text.replace(text.find("LANGUAGE"), 8, "a\\r\\nX: b");
    std::ofstream(each.path()) << text;
  }
  Reopen();
  const auto read = bucket_->Stat("a");
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(read->attributes, ObjectAttributes());
  EXPECT_GT(read->metageneration, 1);
}

TEST_F(BucketTest, LinksThatLeadOutAreNoWayOut) {
  const std::string secret = dir_ / "secret";
  std::ofstream(secret) << "not yours";
  fs::create_directory(dir_ / "elsewhere");
  WriteDirectly("inside", "ours");
  fs::create_symlink(secret, PathOf("absolute"));
  fs::create_symlink("../../secret", PathOf("relative"));
  fs::create_symlink(dir_ / "elsewhere", PathOf("folder"));
  fs::create_symlink("/proc/self/root", PathOf("magic"));
  fs::create_symlink("inside", PathOf("alias"));

  for (const char* name :
       {"absolute", "relative", "folder/x", "magic/etc", "magic/etc/passwd"}) {
    EXPECT_FALSE(bucket_->Stat(name).ok()) << name;
    EXPECT_FALSE(bucket_->OpenObjectToRead(name).ok()) << name;
  }
  EXPECT_TRUE(absl::IsFailedPrecondition(Put("folder/x", "1").status()));
  EXPECT_FALSE(fs::exists(dir_ / "elsewhere/x"));
  EXPECT_THAT(Names(), ElementsAre("alias", "inside"));
  EXPECT_EQ(bucket_->Stat("alias")->size, 4);
}

TEST_F(BucketTest, LinksToWhatIsOursLeadNowhere) {
  ASSERT_TRUE(Put("x", "1").ok());
  ObjectWrite coming;
  coming.name = "coming";
  const auto upload = bucket_->uploads().Begin(coming);
  ASSERT_TRUE(upload.ok());
  std::string note;
  for (const auto& entry :
       fs::recursive_directory_iterator(PathOf(".vernier/objects"))) {
    if (entry.is_regular_file()) note = entry.path();
  }
  const std::string below = fs::path(note).lexically_relative(PathOf(""));
  fs::create_symlink(".vernier", PathOf("folder"));
  fs::create_symlink(".", PathOf("here"));
  fs::create_symlink(below, PathOf("file"));
  fs::create_symlink(PathOf(".vernier"), PathOf("absolute"));
  fs::create_hard_link(note, PathOf("hard"));
  fs::create_hard_link(PathOf(".vernier/uploads/" + *upload + ".data"),
                       PathOf("hard-upload"));
  fs::create_hard_link(PathOf("x"), PathOf("fine"));

  const std::string inside = below.substr(std::string(".vernier/").size());
  for (const std::string& name :
       {"folder/" + inside, "here/" + below, "absolute/" + inside,
        std::string("file"), std::string("hard"), std::string("hard-upload"),
        std::string("folder/uploads/") + *upload + ".json"}) {
    EXPECT_TRUE(absl::IsNotFound(bucket_->OpenObjectToRead(name).status()))
        << name;
    EXPECT_FALSE(bucket_->Stat(name).ok()) << name;
  }
  for (const std::string& name :
       {"folder/" + inside, std::string("folder/new"),
        std::string("folder/objects/new"), "here/" + below,
        std::string("here/.vernier/new"), std::string("folder/")}) {
    EXPECT_TRUE(absl::IsFailedPrecondition(Put(name, "2").status())) << name;
    EXPECT_FALSE(bucket_->Remove(name, {}).ok()) << name;
  }
  EXPECT_TRUE(fs::exists(note));
  EXPECT_FALSE(fs::exists(PathOf(".vernier/new")));
  EXPECT_FALSE(fs::exists(PathOf(".vernier/objects/new")));
  ListQuery query;
  query.prefix = "folder/";
  EXPECT_THAT(bucket_->List(query)->objects, IsEmpty());
  EXPECT_EQ(bucket_->Stat("fine")->size, 1);
  EXPECT_EQ(bucket_->Stat("here/x")->size, 1);
  // One of ours that gives way is only another name's end.
  ASSERT_TRUE(Put("hard", "mine").ok());
  EXPECT_EQ(BytesOf("hard"), "mine");
  EXPECT_EQ(bucket_->Stat("x")->size, 1);
}

TEST_F(BucketTest, AWriteReplacesALinkAndNotWhatItLeadsTo) {
  const std::string secret = dir_ / "secret";
  std::ofstream(secret) << "not yours";
  fs::create_symlink(secret, PathOf("x"));
  // It cannot be read, so it is not there; what is there gives way.
  ASSERT_TRUE(Put("x", "mine").ok());
  EXPECT_EQ(BytesOf("x"), "mine");
  std::string text;
  std::getline(std::ifstream(secret) >> std::ws, text);
  EXPECT_EQ(text, "not yours");
}

TEST_F(BucketTest, PipesAndDevicesAreNoObjects) {
  ASSERT_EQ(::mkfifo(PathOf("pipe").c_str(), 0600), 0);
  EXPECT_TRUE(absl::IsNotFound(bucket_->OpenObjectToRead("pipe").status()));
  EXPECT_THAT(Names(), IsEmpty());
}

TEST_F(BucketTest, ANameIsAFileOrAFolder) {
  ASSERT_TRUE(Put("a/b", "1").ok());
  const auto above = Put("a", "2");
  EXPECT_TRUE(absl::IsFailedPrecondition(above.status()));
  EXPECT_THAT(std::string(above.status().message()), HasSubstr("below a/"));
  EXPECT_TRUE(absl::IsFailedPrecondition(Put("a/b/c", "3").status()));
  EXPECT_EQ(BytesOf("a/b"), "1");
  // An empty folder is no object, so it is in nobody's way.
  ASSERT_TRUE(bucket_->Remove("a/b", {}).ok());
  EXPECT_TRUE(Put("a", "2").ok());
}

TEST_F(BucketTest, AFolderIsAnObjectOnlyIfItWasPutThere) {
  WriteDirectly("by-program/x", "1");
  EXPECT_TRUE(absl::IsNotFound(bucket_->Stat("by-program/").status()));
  ASSERT_TRUE(Put("by-client/", "").ok());
  EXPECT_THAT(Names(), ElementsAre("by-client/", "by-program/x"));
  EXPECT_TRUE(absl::IsInvalidArgument(Put("y/", "bytes").status()));
  ASSERT_TRUE(bucket_->Remove("by-client/", {}).ok());
  EXPECT_FALSE(fs::exists(PathOf("by-client")));
}

TEST_F(BucketTest, CopiesHaveTheBytesAndTheAttributes) {
  ASSERT_TRUE(Put("from", "hello world").ok());
  ASSERT_TRUE(bucket_
                  ->Patch("from", {},
                          [](ObjectAttributes* attributes) {
                            attributes->custom["k"] = "v";
                            return absl::OkStatus();
                          })
                  .ok());
  ObjectWrite write;
  write.name = "to";
  const auto copy =
      CopyObject(*bucket_, {"from", {}, {}}, *bucket_, write, false);
  ASSERT_TRUE(copy.ok()) << copy.status();
  EXPECT_EQ(BytesOf("to"), "hello world");
  EXPECT_EQ(copy->hashes->md5, "XrY7u+Ae7tCTyyK7j1rNww==");
  EXPECT_EQ(copy->attributes.custom.at("k"), "v");
  const auto gone =
      CopyObject(*bucket_, {"from", 1, {}}, *bucket_, write, true);
  EXPECT_TRUE(absl::IsNotFound(gone.status()));
}

TEST_F(BucketTest, ComposedObjectsFollowEachOther) {
  ASSERT_TRUE(Put("1", "hello ").ok());
  WriteDirectly("2", "world");
  ObjectWrite write;
  write.name = "1";  // One of its own sources.
  const auto whole =
      ComposeObjects(*bucket_, {{"1", {}, {}}, {"2", {}, {}}}, write);
  ASSERT_TRUE(whole.ok()) << whole.status();
  EXPECT_EQ(BytesOf("1"), "hello world");
  EXPECT_EQ(whole->hashes->md5, "XrY7u+Ae7tCTyyK7j1rNww==");
  EXPECT_TRUE(
      absl::IsInvalidArgument(ComposeObjects(*bucket_, {}, write).status()));
}

}  // namespace
}  // namespace vernier

// Who may do what with whose buckets, by every method of the storage API: the
// whole way from the token.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "access/bucket_caller.h"
#include "base/random_bits.h"
#include "faces/storage/storage_api.h"
#include "faces/storage/storage_route.h"
#include "tests/faces/rest_bed.h"
#include "tests/support/text_file.h"

namespace vernier {
namespace {

using ::testing::HasSubstr;

/// A request to one method of the API.
struct StorageRequest {
  std::string method;
  std::string target;
  std::string body;
};

class StorageAccessTest : public RestBed {
 protected:
  StorageAccessTest() {
    front_.AddMount(&IsStoragePath, v1::READ_OBJECTS, v1::WRITE_OBJECTS,
                    [this](const HttpRequest& request, const Principal& caller,
                           const std::string& base_url) {
                      return storage_.Begin(request, BucketUserOf(caller),
                                            base_url);
                    });
    tokens_by_role_ = {
        {"admin", token_},
        {"write", NewToken("project-write", "p1")},
        {"run", NewToken("project-write", "p1", true)},
        {"read", NewToken("project-read", "p1")},
        {"attempt", ""},
        {"nobody", "vernier_0"},
        {"lent to read", NewToken("project-write", "p3")},
        {"lent to write", NewToken("project-write", "p4")},
    };
    EXPECT_TRUE(buckets_->Create("ours", "p1").ok());
    EXPECT_TRUE(buckets_->Create("theirs", "p2").ok());
    for (const char* bucket : {"ours", "theirs"}) {
      EXPECT_TRUE(buckets_->Share(bucket, "p3", BucketRight::kRead).ok());
      EXPECT_TRUE(buckets_->Share(bucket, "p4", BucketRight::kWrite).ok());
      EXPECT_TRUE(buckets_->Create(std::string(bucket) + "-empty", "p2").ok());
      Write(bucket, "x", "precious");
    }
    EXPECT_TRUE(buckets_->Create("spare-p3", "p3").ok());
    EXPECT_TRUE(buckets_->Create("spare-p4", "p4").ok());
  }

  void SetUp() override {
    RestBed::SetUp();
    const AttemptKey key = Launch(Create("j1"), 1, 0.5);
    const std::string nonce = store_.Snapshot()
                                  ->at(key.study)
                                  ->trials.Get(key.trial)
                                  .attempts[0]
                                  .nonce;
    tokens_by_role_["attempt"] = attempts_.For(key, nonce);
  }

  std::string PathOf(const std::string& bucket, const std::string& name) const {
    return folder_ / "buckets/" + bucket + "/" + name;
  }
  void Write(const std::string& bucket, const std::string& name,
             const std::string& bytes) const {
    std::ofstream(PathOf(bucket, name)) << bytes;
  }
  std::string BytesOf(const std::string& bucket,
                      const std::string& name) const {
    return ReadText(PathOf(bucket, name));
  }

  /// A call of each method about `bucket`, whose object x is there; copies go
  /// to `bucket`, too.
  static StorageRequest About(const StorageMethodRow& row,
                              const std::string& bucket) {
    using M = StorageMethod;
    std::string path(row.pattern);
    for (std::size_t at = 0; at < path.size(); ++at) {
      if (path[at] == 'B') {
        path.replace(at, 1, bucket);
        at += bucket.size() - 1;
      } else if (path[at] == 'O') {
        path.replace(at, 1, "x");
      }
    }
    StorageRequest call{std::string(row.http_method),
                        std::string(row.prefix) + path, ""};
    switch (row.method) {
      case M::kUploadObject:
        call.target += "?uploadType=media&name=x";
        call.body = "changed";
        break;
      case M::kResumeUpload:
      case M::kCancelUpload:
        call.target += "?upload_id=" + std::string(32, '0');
        break;
      case M::kPatchObject:
      case M::kUpdateObject:
        call.body = R"({"contentType":"changed"})";
        break;
      case M::kComposeObject:
        call.body = R"({"sourceObjects":[{"name":"x"},{"name":"x"}]})";
        break;
      default:
        break;
    }
    return call;
  }

  HttpResponse SendAs(const std::string& role, const StorageRequest& call) {
    token_ = tokens_by_role_.at(role);
    HttpRequest request = Request(call.method, call.target);
    request.headers.emplace_back("content-length",
                                 std::to_string(call.body.size()));
    return Send(request, call.body);
  }
  static std::string TextOf(const HttpResponse& response,
                            const std::string& bucket) {
    std::string text(response.text());
    for (std::size_t at = text.find(bucket); at != std::string::npos;
         at = text.find(bucket)) {
      text.replace(at, bucket.size(), "BUCKET");
    }
    return text;
  }

  std::unique_ptr<BucketStore> buckets_ =
      BucketStore::Open({folder_ / "buckets", {}, &RandomHex}, clock_).value();
  StorageApi storage_{*buckets_};
  std::map<std::string, std::string> tokens_by_role_;
};

// The table of who may do what, a second time and in other words.
TEST_F(StorageAccessTest, EveryMethodAnswersEveryRoleAsItShould) {
  const std::string reads =
      "admin write run read attempt lent to read lent to write";
  const std::string writes = "admin write run attempt lent to write";
  const std::string owns = "admin write run attempt";
  const std::map<std::string_view, std::string> allowed = {
      {"storage.buckets.get", reads},
      {"storage.buckets.getStorageLayout", reads},
      {"storage.managedFolders.list", reads},
      {"storage.objects.list", reads},
      {"storage.objects.get", reads},
      {"storage.objects.download", reads},
      {"storage.objects.patch", writes},
      {"storage.objects.update", writes},
      {"storage.objects.compose", writes},
      {"storage.objects.rewrite", writes},
      {"storage.objects.copy", writes},
      {"storage.objects.insert", writes},
      {"storage.objects.resume", writes},
      {"storage.objects.cancel", writes},
      {"storage.objects.delete", writes},
      {"storage.buckets.delete", owns},
  };
  int calls = 0;
  for (const StorageMethodRow& row : StorageMethods()) {
    if (RightNeededBy(row.method) == BucketRight::kNone) continue;
    ASSERT_TRUE(allowed.count(row.id)) << row.id;
    for (const auto& [role, token] : tokens_by_role_) {
      Write("ours", "x", "precious");
      const int status = SendAs(role, About(row, "ours")).status;
      ++calls;
      const std::string what = std::string(row.id) + " as " + role;
      if (role == "nobody") {
        EXPECT_EQ(status, 401) << what;
      } else if (allowed.at(row.id).find(role) == std::string::npos) {
        EXPECT_EQ(status, 403) << what;
        EXPECT_EQ(BytesOf("ours", "x"), "precious") << what;
      } else {
        EXPECT_NE(status, 401) << what;
        EXPECT_NE(status, 403) << what;
        // Nobody knows the upload 000..., and a bucket in use stays.
        if (row.id == "storage.buckets.delete") {
          EXPECT_EQ(status, 409) << what;
        } else if (row.id != "storage.objects.resume" &&
                   row.id != "storage.objects.cancel") {
          EXPECT_LT(status, 300) << what;
        }
      }
    }
  }
  EXPECT_GT(calls, 120);
}

// Nor can it tell what is there from what is not.
TEST_F(StorageAccessTest, EveryMethodKeepsAProjectToItsBuckets) {
  int calls = 0;
  for (const StorageMethodRow& row : StorageMethods()) {
    if (RightNeededBy(row.method) == BucketRight::kNone) continue;
    for (const char* role : {"write", "run", "attempt"}) {
      const HttpResponse there = SendAs(role, About(row, "theirs"));
      const HttpResponse absent = SendAs(role, About(row, "absent"));
      const std::string what = std::string(row.id) + " as " + role;
      EXPECT_EQ(there.status, 404) << what << there.text();
      EXPECT_EQ(absent.status, 404) << what << absent.text();
      EXPECT_EQ(TextOf(there, "theirs"), TextOf(absent, "absent")) << what;
      EXPECT_EQ(BytesOf("theirs", "x"), "precious") << what;
      ++calls;
    }
  }
  EXPECT_GT(calls, 40);
  EXPECT_EQ(
      SendAs("write", {"DELETE", "/storage/v1/b/theirs-empty", ""}).status,
      404);
  EXPECT_TRUE(
      buckets_->Find("theirs-empty", BucketUser::Of("p2"), BucketRight::kOwn)
          .ok());
}

TEST_F(StorageAccessTest, ANameInOtherClothesIsTheSameBucket) {
  for (const char* target :
       {"/storage/v1/b/%74heirs/o/x?alt=media",
        "/storage/v1/b/%74%68%65%69%72%73/o/x",
        "/download/storage/v1/b/theirs/o/x?alt=media",
        "/storage/v1/b/theirs/o?prefix=x", "/storage/v1/b/theirs/o?project=p2",
        "/storage/v1/b/theirs?userProject=p2", "/storage/v1/b/theirs%00/o/x"}) {
    EXPECT_EQ(SendAs("write", {"GET", target, ""}).status, 404) << target;
  }
  for (const char* target :
       {"/storage/v1/b/ours%2F..%2Ftheirs/o/x", "/storage/v1/b/THEIRS/o/x",
        "/storage/v1/b/.vernier/o/policies%2Ftheirs.json",
        "/storage/v1/b/ours/o/..%2Ftheirs%2Fx",
        "/storage/v1/b/ours/o/.vernier%2Fobjects%2Fx"}) {
    EXPECT_EQ(SendAs("write", {"GET", target, ""}).status, 400) << target;
  }
}

TEST_F(StorageAccessTest, NothingIsCopiedAcrossProjects) {
  const auto copy = [&](const std::string& role, const std::string& from,
                        const std::string& to, const char* verb) {
    return SendAs(role, {"POST",
                         "/storage/v1/b/" + from + "/o/x/" + verb + "/b/" + to +
                             "/o/copied",
                         ""})
        .status;
  };
  for (const char* verb : {"rewriteTo", "copyTo"}) {
    EXPECT_EQ(copy("write", "theirs", "ours", verb), 404);
    EXPECT_EQ(copy("write", "ours", "theirs", verb), 404);
    EXPECT_EQ(copy("attempt", "theirs", "ours", verb), 404);
    EXPECT_EQ(BytesOf("ours", "copied"), "");
    EXPECT_EQ(BytesOf("theirs", "copied"), "");
    // What is lent may be taken away, and brought back if that was allowed.
    EXPECT_EQ(copy("lent to read", "theirs", "spare-p3", verb), 200);
    EXPECT_EQ(copy("lent to read", "theirs", "ours", verb), 403);
    EXPECT_EQ(copy("lent to write", "ours", "spare-p4", verb), 200);
  }
}

TEST_F(StorageAccessTest, ABatchIsAnsweredCallByCall) {
  token_ = tokens_by_role_.at("write");
  HttpRequest request = Request("POST", "/batch/storage/v1");
  request.headers[1].second = "multipart/mixed; boundary=B";
  std::string body;
  for (const char* line :
       {"GET /storage/v1/b/theirs/o/x", "DELETE /storage/v1/b/theirs/o/x",
        "DELETE /storage/v1/b/ours/o/x"}) {
    body += std::string("--B\r\nContent-Type: application/http\r\n\r\n") +
            line + " HTTP/1.1\r\n\r\n\r\n";
  }
  const HttpResponse answer = Send(request, body + "--B--\r\n");
  EXPECT_EQ(answer.status, 200);
  const std::string text(answer.text());
  EXPECT_THAT(text, HasSubstr("HTTP/1.1 404"));
  EXPECT_EQ(text.find("HTTP/1.1 404"), text.find("HTTP/1.1 "));
  EXPECT_EQ(text.find("HTTP/1.1 204"), text.rfind("HTTP/1.1 "));
  EXPECT_EQ(BytesOf("theirs", "x"), "precious");
}

TEST_F(StorageAccessTest, ABucketIsMadeForTheCallersProject) {
  const auto make = [&](const std::string& role, const std::string& name,
                        const std::string& query) {
    return SendAs(role, {"POST", "/storage/v1/b" + query,
                         R"({"name":")" + name + R"("})"})
        .status;
  };
  const auto owner = [&](const std::string& name) {
    const auto policy = buckets_->PolicyOf(name);
    return policy.ok() ? policy->project : "";
  };
  EXPECT_EQ(make("write", "new-1", "?project=p1"), 200);
  EXPECT_EQ(make("attempt", "new-2", ""), 200);
  EXPECT_EQ(make("admin", "new-3", "?project=p9"), 200);
  EXPECT_EQ(make("admin", "new-4", ""), 200);
  EXPECT_EQ(owner("new-1"), "p1");
  EXPECT_EQ(owner("new-2"), "p1");
  EXPECT_EQ(owner("new-3"), "p9");
  EXPECT_EQ(owner("new-4"), "default");
  EXPECT_EQ(make("write", "new-5", "?project=p2"), 404);
  EXPECT_EQ(make("attempt", "new-5", "?project=p2"), 404);
  EXPECT_EQ(make("admin", "new-5", "?project=..%2Fp2"), 400);
  EXPECT_EQ(make("read", "new-5", "?project=p1"), 403);
  EXPECT_EQ(owner("new-5"), "");
  // Names are the service's.
  EXPECT_EQ(make("write", "theirs", "?project=p1"), 409);
  EXPECT_EQ(owner("theirs"), "p2");
}

TEST_F(StorageAccessTest, AListHasOnesOwnAndWhatOneWasLent) {
  const auto list = [&](const std::string& role, const std::string& query) {
    const HttpResponse answer =
        SendAs(role, {"GET", "/storage/v1/b" + query, ""});
    std::string names = answer.status == 200 ? "" : "refused";
    const Json json = Parse(answer);
    for (const Json& bucket : json.value("items", Json::array())) {
      names += bucket.value("name", "") + " ";
    }
    return names;
  };
  EXPECT_EQ(list("read", ""), "ours ");
  EXPECT_EQ(list("attempt", "?project=p1"), "ours ");
  EXPECT_EQ(list("write", "?project=p2"), "refused");
  EXPECT_EQ(list("lent to read", ""), "ours spare-p3 theirs ");
  EXPECT_EQ(list("admin", "?project=p2"), "ours-empty theirs theirs-empty ");
  EXPECT_EQ(list("admin", ""),
            "ours ours-empty spare-p3 spare-p4 theirs theirs-empty ");
}

TEST_F(StorageAccessTest, ARightThatIsTakenBackEndsUploadsThatAreUnderWay) {
  token_ = tokens_by_role_.at("lent to write");
  const auto begin = front_.Begin(Request(
      "POST", "/upload/storage/v1/b/ours/o?uploadType=resumable&name=r"));
  const HttpResponse begun = begin->Finish();
  ASSERT_EQ(begun.status, 200) << begun.text();
  std::string id;
  for (const auto& [name, value] : begun.headers) {
    if (name == "X-GUploader-UploadID") id = value;
  }
  const std::string resume = "/upload/storage/v1/b/ours/o?upload_id=" + id;
  auto media = front_.Begin(
      Request("POST", "/upload/storage/v1/b/ours/o?uploadType=media&name=m"));
  auto rest = front_.Begin(Request("PUT", resume));
  const std::string piece(2 << 20, 'x');
  EXPECT_FALSE(media->Receive(piece).has_value());
  EXPECT_FALSE(rest->Receive(piece).has_value());
  ASSERT_TRUE(buckets_->Share("ours", "p4", BucketRight::kNone).ok());
  EXPECT_FALSE(media->Receive("end").has_value());
  EXPECT_FALSE(rest->Receive("end").has_value());
  EXPECT_EQ(media->Finish().status, 404);
  EXPECT_EQ(rest->Finish().status, 404);
  EXPECT_EQ(Call("PUT", resume, "again").status, 404);
  EXPECT_EQ(BytesOf("ours", "m"), "");
  EXPECT_EQ(BytesOf("ours", "r"), "");
}

}  // namespace
}  // namespace vernier

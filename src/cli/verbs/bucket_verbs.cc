#include <vernier/v1/bucket_service.grpc.pb.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/json.h"
#include "base/status_macros.h"
#include "cli/command/exit_code.h"
#include "cli/command/service_call.h"
#include "cli/display/resource_tables.h"
#include "cli/verbs/verbs.h"
#include "client/client_connection.h"

namespace vernier {
namespace {

using Buckets = v1::BucketService::Stub;

constexpr char kAll[] = "*";

/// Returns, for instance, "p2 (read), all (write)".
std::string SharesOf(const Json& bucket) {
  std::vector<std::string> shares;
  const Json given = bucket.value("shares", Json::object());
  for (const auto& [project, right] : given.items()) {
    shares.push_back(
        absl::StrCat(project == kAll ? "all" : project, " (",
                     absl::AsciiStrToLower(right.get<std::string>()), ")"));
  }
  std::sort(shares.begin(), shares.end());
  return absl::StrJoin(shares, ", ");
}

TextTable BucketTable(const Json& buckets, Digits digits) {
  TextTable table{{"BUCKET", "PROJECT", "LENT TO", "CREATED", "FOLDER"}, {}};
  for (const Json& bucket : buckets) {
    table.rows.push_back({bucket.value("name", ""), bucket.value("project", ""),
                          SharesOf(bucket),
                          TimeText(bucket.value("createTime", ""), digits),
                          bucket.value("folder", "")});
  }
  return table;
}

absl::StatusOr<int> PrintBucket(Invocation& invocation,
                                const absl::StatusOr<std::string>& text) {
  VERNIER_RETURN_IF_ERROR(text.status());
  VERNIER_ASSIGN_OR_RETURN(const Json bucket, ParseJson(*text));
  VERNIER_RETURN_IF_ERROR(invocation.Print(
      *text, BucketTable(Json::array({bucket}), invocation.digits())));
  return kExitDone;
}

void DeclareListBuckets(CLI::App& buckets, Invocation& invocation) {
  CLI::App* verb = buckets.add_subcommand(
      "list", "List buckets: a project's and those lent to it, or all");
  invocation.DeclareJobFlags(*verb);
  verb->callback([&invocation] {
    invocation.set_action([&invocation]() -> absl::StatusOr<int> {
      VERNIER_ASSIGN_OR_RETURN(
          const std::string text,
          CallForJson(invocation, &Buckets::ListBuckets, {}));
      VERNIER_ASSIGN_OR_RETURN(const Json answer, ParseJson(text));
      const Json list = answer.value("buckets", Json::array());
      VERNIER_RETURN_IF_ERROR(invocation.Print(
          DumpJson(list), BucketTable(list, invocation.digits())));
      return kExitDone;
    });
  });
}

/// Declares a verb about one bucket, whose action gets the client and the name.
template <typename Action>
CLI::App* DeclareOne(CLI::App& buckets, Invocation& invocation,
                     const char* name, const char* about, Action action) {
  CLI::App* verb = buckets.add_subcommand(name, about);
  auto bucket = std::make_shared<std::string>();
  verb->add_option("BUCKET", *bucket, "Its name, without gs://")->required();
  invocation.DeclareJobFlags(*verb);
  verb->callback([&invocation, bucket, action] {
    invocation.set_action(
        [&invocation, bucket, action]() -> absl::StatusOr<int> {
          VERNIER_ASSIGN_OR_RETURN(const ClientConnection* client,
                                   invocation.Client());
          return PrintBucket(invocation, action(*client, *bucket));
        });
  });
  return verb;
}

struct ShareFlags {
  std::string with;
  bool with_all = false;
  bool for_writing = false;
};

absl::StatusOr<std::string> Share(const ClientConnection& client,
                                  const std::string& bucket,
                                  const ShareFlags& flags,
                                  v1::Bucket::Right right) {
  if (flags.with_all == !flags.with.empty()) {
    return absl::InvalidArgumentError(
        "name one project by --with PROJECT, or all by --with-all");
  }
  v1::ShareBucketRequest request;
  request.set_bucket(bucket);
  request.set_with(flags.with_all ? kAll : flags.with);
  request.set_right(right);
  return client.CallForJson(&Buckets::ShareBucket, request);
}

void DeclareWith(CLI::App* verb, const std::shared_ptr<ShareFlags>& flags) {
  verb->add_option("--with", flags->with, "A project's id");
  verb->add_flag("--with-all", flags->with_all, "Every project");
}

void DeclareShare(CLI::App& buckets, Invocation& invocation) {
  auto flags = std::make_shared<ShareFlags>();
  CLI::App* verb = DeclareOne(
      buckets, invocation, "share",
      "Lend a bucket to another project; for administrators",
      [flags](const ClientConnection& client, const std::string& bucket) {
        return Share(client, bucket, *flags,
                     flags->for_writing ? v1::Bucket::WRITE : v1::Bucket::READ);
      });
  DeclareWith(verb, flags);
  verb->add_flag("--write", flags->for_writing,
                 "For writing and deleting objects, too; else for reading");
}

void DeclareUnshare(CLI::App& buckets, Invocation& invocation) {
  auto flags = std::make_shared<ShareFlags>();
  CLI::App* verb = DeclareOne(
      buckets, invocation, "unshare",
      "Take a bucket back that was lent; for administrators",
      [flags](const ClientConnection& client, const std::string& bucket) {
        return Share(client, bucket, *flags, v1::Bucket::NONE);
      });
  DeclareWith(verb, flags);
}

void DeclareMove(CLI::App& buckets, Invocation& invocation) {
  auto project = std::make_shared<std::string>();
  CLI::App* verb = DeclareOne(
      buckets, invocation, "move",
      "Give a bucket to another project; for administrators",
      [project](const ClientConnection& client, const std::string& bucket) {
        v1::MoveBucketRequest request;
        request.set_bucket(bucket);
        request.set_to_project(*project);
        return client.CallForJson(&Buckets::MoveBucket, request);
      });
  verb->add_option("--to", *project, "The project's id")->required();
}

}  // namespace

void DeclareBucketVerbs(CLI::App& app, Invocation& invocation) {
  CLI::App* buckets =
      app.add_subcommand("buckets", "Say whose buckets are, and share them");
  buckets->require_subcommand(1);
  DeclareListBuckets(*buckets, invocation);
  DeclareOne(*buckets, invocation, "describe", "Show one bucket",
             [](const ClientConnection& client, const std::string& bucket) {
               v1::GetBucketRequest request;
               request.set_bucket(bucket);
               return client.CallForJson(&Buckets::GetBucket, request);
             });
  DeclareOne(*buckets, invocation, "create", "Make a bucket of a project",
             [](const ClientConnection& client, const std::string& bucket) {
               v1::CreateBucketRequest request;
               request.set_bucket(bucket);
               return client.CallForJson(&Buckets::CreateBucket, request);
             });
  DeclareShare(*buckets, invocation);
  DeclareUnshare(*buckets, invocation);
  DeclareMove(*buckets, invocation);
}

}  // namespace vernier

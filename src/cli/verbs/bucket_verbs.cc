#include <vernier/v1/bucket_service.grpc.pb.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <string>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/json.h"
#include "base/status_macros.h"
#include "cli/command/service_call.h"
#include "cli/command/verb.h"
#include "cli/display/resource_tables.h"
#include "cli/verbs/verbs.h"

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

template <typename Request>
using BucketMethod = grpc::Status (Buckets::*)(grpc::ClientContext*,
                                               const Request&, v1::Bucket*);

absl::Status PrintBucket(const Invocation& invocation,
                         const absl::StatusOr<Json>& bucket) {
  VERNIER_RETURN_IF_ERROR(bucket.status());
  return invocation.Show(
      *bucket, BucketTable(Json::array({*bucket}), invocation.digits()));
}

absl::Status ListBuckets(const Call& call, const NoWords&) {
  VERNIER_ASSIGN_OR_RETURN(const Json answer,
                           Ask(call.client, &Buckets::ListBuckets, {}));
  const Json list = answer.value("buckets", Json::array());
  return call.invocation.Show(list,
                              BucketTable(list, call.invocation.digits()));
}

/// Declares a verb that calls `method` for one bucket.
template <typename Request>
Verb<Request> DeclareOne(CLI::App& buckets, Invocation& invocation,
                         const char* name, const char* about,
                         BucketMethod<Request> method) {
  const Verb<Request> verb(buckets, invocation, name, about);
  verb.Needs("BUCKET", *verb.words().mutable_bucket(),
             "Its name, without gs://");
  verb.Does(Flags::kJob, [method](const Call& call, const Request& request) {
    return PrintBucket(call.invocation, Ask(call.client, method, request));
  });
  return verb;
}

struct ShareFlags {
  v1::ShareBucketRequest request;
  bool with_all = false;
  bool for_writing = false;
};

absl::Status Share(const Call& call, const ShareFlags& flags) {
  v1::ShareBucketRequest request = flags.request;
  if (flags.with_all == !request.with().empty()) {
    return absl::InvalidArgumentError(
        "name one project by --with PROJECT, or all by --with-all");
  }
  if (flags.with_all) request.set_with(kAll);
  if (flags.for_writing) request.set_right(v1::Bucket::WRITE);
  return PrintBucket(call.invocation,
                     Ask(call.client, &Buckets::ShareBucket, request));
}

/// Declares a verb that gives other projects a right to a bucket.
Verb<ShareFlags> DeclareRight(CLI::App& buckets, Invocation& invocation,
                              const char* name, const char* about,
                              v1::Bucket::Right right) {
  const Verb<ShareFlags> verb(buckets, invocation, name, about);
  ShareFlags& flags = verb.words();
  flags.request.set_right(right);
  verb.Needs("BUCKET", *flags.request.mutable_bucket(),
             "Its name, without gs://");
  verb.Does(Flags::kJob, &Share);
  verb->add_option("--with", *flags.request.mutable_with(), "A project's id");
  verb->add_flag("--with-all", flags.with_all, "Every project");
  return verb;
}

}  // namespace

void DeclareBucketVerbs(CLI::App& app, Invocation& invocation) {
  CLI::App* buckets =
      app.add_subcommand("buckets", "Say whose buckets are, and share them");
  buckets->require_subcommand(1);
  Verb<NoWords>(*buckets, invocation, "list",
                "List buckets: a project's and those lent to it, or all")
      .Does(Flags::kJob, &ListBuckets);
  DeclareOne(*buckets, invocation, "describe", "Show one bucket",
             &Buckets::GetBucket);
  DeclareOne(*buckets, invocation, "create", "Make a bucket of a project",
             &Buckets::CreateBucket);
  const auto share = DeclareRight(
      *buckets, invocation, "share",
      "Lend a bucket to another project; for administrators", v1::Bucket::READ);
  share->add_flag("--write", share.words().for_writing,
                  "For writing and deleting objects, too; else for reading");
  DeclareRight(*buckets, invocation, "unshare",
               "Take a bucket back that was lent; for administrators",
               v1::Bucket::NONE);
  const auto move =
      DeclareOne(*buckets, invocation, "move",
                 "Give a bucket to another project; for administrators",
                 &Buckets::MoveBucket);
  move.Needs("--to", *move.words().mutable_to_project(), "The project's id");
}

}  // namespace vernier

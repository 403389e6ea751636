#include "edge/grpc/call_gate.h"

#include <gtest/gtest.h>
#include <vernier/v1/access_service.grpc.pb.h>
#include <vernier/v1/bucket_service.grpc.pb.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "access/method_permission.h"
#include "access/token_text.h"
#include "base/json.h"
#include "base/random_bits.h"
#include "faces/reports/report_handlers.h"
#include "faces/vizier/vizier_handlers.h"
#include "faces/vizier/vizier_methods.h"
#include "store/study_names.h"
#include "tests/edge/generic_call.h"
#include "tests/faces/service_bed.h"
#include "tests/fakes/manual_clock.h"

namespace vernier {
namespace {

using Buckets = v1::BucketService::Stub;

/// The services on TCP, besides the socket.
class CallGateTest : public ServiceBed {
 protected:
  void SetUp() override {
    ServiceBed::SetUp();
    tcp_.host = "127.0.0.1";
    GrpcMethods methods = Methods();
    AddAccessMethods(access_, calls_, &methods);
    AddProjectMethods(project_handlers_, calls_, &methods);
    AddBucketMethods(bucket_handlers_, calls_, &methods);
    AddStudyMethods(study_handlers_, calls_, &methods);
    AddReportMethods(report_handlers_, calls_, &methods);
    AddVizierMethods(vizier_handlers_, {{pool_, activity_}, load_},
                     VizierOverTcp::kRefused, &methods);
    auto listener = GrpcListener::Listen({&tcp_}, std::move(methods));
    ASSERT_TRUE(listener.ok()) << listener.status();
    tcp_listener_ = *std::move(listener);
    channel_ = grpc::CreateChannel(tcp_.ToString(),
                                   grpc::InsecureChannelCredentials());
  }
  void TearDown() override {
    tcp_listener_->Shutdown();
    ServiceBed::TearDown();
  }

  std::string NewToken(const std::string& scope, const std::string& project,
                       bool may_run) {
    v1::CreateTokenRequest request;
    request.set_scope(scope);
    request.set_project(project);
    request.set_may_run(may_run);
    v1::CreateTokenResponse response;
    EXPECT_TRUE(access_.CreateToken(request, &response).ok());
    return response.secret();
  }

  /// The status of a call, by default with an empty request. Of a stream it is
  /// that of its beginning.
  grpc::StatusCode Call(const std::string& method, const std::string& token,
                        const std::string& request = "") {
    grpc::ClientContext context;
    if (!token.empty()) {
      context.AddMetadata("authorization", "Bearer " + token);
    }
    return CallGeneric(channel_, context, method, request).status.error_code();
  }

  /// A request that names a job where it names a job or a study, and a project
  /// where it names that.
  static std::string Naming(const google::protobuf::Descriptor* type,
                            const std::string& job,
                            const std::string& project) {
    const std::unique_ptr<google::protobuf::Message> request(
        google::protobuf::MessageFactory::generated_factory()
            ->GetPrototype(type)
            ->New());
    for (int i = 0; i < type->field_count(); ++i) {
      const auto* field = type->field(i);
      const v1::Named kind = field->options().GetExtension(v1::names);
      if (field->name() == "trial_id") {
        request->GetReflection()->SetInt64(request.get(), field, 1);
      }
      if (kind == v1::NOTHING) continue;
      request->GetReflection()->SetString(request.get(), field,
                                          kind == v1::PROJECT ? project : job);
    }
    return request->SerializeAsString();
  }

  ProjectHandlers project_handlers_{{*quotas_, *tokens_, store_, [] {}}};
  std::unique_ptr<BucketStore> buckets_ =
      BucketStore::Open({folder_ / "buckets", {}, &RandomHex}, clock_).value();
  BucketHandlers bucket_handlers_{*buckets_};
  ThreadPool fitters_{1};
  SuggestionService suggestions_{
      {store_, engines_, clock_,
       [this](std::function<void()> work) { pool_.Run(std::move(work)); },
       [](const std::string&) {}, &fitters_}};
  StudyService studies_{{store_, clock_, engines_, suggestions_,
                         [] { return std::uint64_t{5}; }}};
  StudyHandlers study_handlers_{{studies_, store_, engines_.models(), clock_}};
  ReportHandlers report_handlers_{store_, clock_};
  VizierHandlers vizier_handlers_{{studies_, [](const std::string&) {}}};
  Endpoint tcp_;
  std::unique_ptr<GrpcListener> tcp_listener_;
  std::shared_ptr<grpc::Channel> channel_;
};

TEST_F(CallGateTest, EveryMethodOfTheContractIsThere) {
  int count = 0;
  for (const char* name :
       {"vernier.v1.JobService", "vernier.v1.AccessService",
        "vernier.v1.ProjectService", "vernier.v1.BucketService",
        "vernier.v1.StudyService", "vernier.v1.ReportService",
        "vizier.VizierService"}) {
    const auto* service =
        google::protobuf::DescriptorPool::generated_pool()->FindServiceByName(
            name);
    ASSERT_NE(service, nullptr) << name;
    for (int i = 0; i < service->method_count(); ++i) {
      const std::string path =
          std::string("/") + name + "/" + service->method(i)->name();
      EXPECT_NE(Call(path, ""), grpc::StatusCode::UNIMPLEMENTED) << path;
      ++count;
    }
  }
  EXPECT_GT(count, 50);
}

// The table of who may do what, a second time and in other words.
TEST_F(CallGateTest, EveryMethodAnswersEveryRoleAsItShould) {
  const std::map<v1::Permission, std::string> allowed = {
      {v1::READ, "admin write run read"},
      {v1::WRITE, "admin write run"},
      {v1::RUN, "admin run"},
      {v1::ADMINISTER, "admin"},
  };
  const std::map<std::string, std::string> tokens = {
      {"admin", NewToken("admin", "", false)},
      {"write", NewToken("project-write", "p1", false)},
      {"run", NewToken("project-write", "p1", true)},
      {"read", NewToken("project-read", "p1", false)},
      {"wrong", "vernier_0"},
      {"nobody", ""},
  };
  int calls = 0;
  for (const char* name :
       {"vernier.v1.JobService", "vernier.v1.AccessService",
        "vernier.v1.ProjectService", "vernier.v1.BucketService",
        "vernier.v1.StudyService"}) {
    const auto* service =
        google::protobuf::DescriptorPool::generated_pool()->FindServiceByName(
            name);
    ASSERT_NE(service, nullptr);
    for (int i = 0; i < service->method_count(); ++i) {
      const auto* method = service->method(i);
      const std::string path = std::string("/") + name + "/" + method->name();
      const std::string& roles =
          allowed.at(PermissionOfRequest(method->input_type()));
      for (const auto& [role, token] : tokens) {
        const bool is_known = role != "wrong" && role != "nobody";
        const bool may = is_known && roles.find(role) != std::string::npos;
        // It would go on for ever.
        if (may && method->name() == "WatchEvents") continue;
        const grpc::StatusCode code = Call(path, token);
        ++calls;
        EXPECT_EQ(code == grpc::StatusCode::UNAUTHENTICATED, !is_known)
            << path << " as " << role;
        EXPECT_EQ(code == grpc::StatusCode::PERMISSION_DENIED, is_known && !may)
            << path << " as " << role;
      }
    }
  }
  EXPECT_GT(calls, 120);
}

// Whoever may not see a project finds nothing of it by any method, and cannot
// tell what is there from what is not.
TEST_F(CallGateTest, EveryMethodKeepsAProjectsTokenToItsProject) {
  Complete(Launch(Create("mine", "p1"), 1, 0.5), 1);
  Create("theirs", "p2");
  const std::string token = NewToken("project-write", "p1", true);
  int calls = 0;
  for (const char* name :
       {"vernier.v1.JobService", "vernier.v1.ProjectService",
        "vernier.v1.BucketService", "vernier.v1.StudyService"}) {
    const auto* service =
        google::protobuf::DescriptorPool::generated_pool()->FindServiceByName(
            name);
    for (int i = 0; i < service->method_count(); ++i) {
      const auto* method = service->method(i);
      const std::string path = std::string("/") + name + "/" + method->name();
      if (PermissionOfRequest(method->input_type()) == v1::ADMINISTER) continue;
      for (const char* job : {"theirs@p2", "absent@p2"}) {
        EXPECT_EQ(Call(path, token, Naming(method->input_type(), job, "p2")),
                  grpc::StatusCode::NOT_FOUND)
            << path << " of " << job;
        ++calls;
      }
      // It would go on for ever.
      if (method->server_streaming()) continue;
      EXPECT_NE(Call(path, token, Naming(method->input_type(), "mine", "p1")),
                grpc::StatusCode::NOT_FOUND)
          << path;
    }
  }
  EXPECT_GT(calls, 40);
  EXPECT_NE(FindJob(*store_.Snapshot(), "theirs@p2"), nullptr);
}

TEST_F(CallGateTest, ListsAreTheProjectsOwn) {
  Create("same", "p1");
  Create("same", "p2");
  Create("same");
  const auto names = [&](const std::string& token, const std::string& project) {
    ServiceClient client(tcp_, {token, "", "", "", project});
    const auto list = client.Ask(&Jobs::ListJobs);
    EXPECT_TRUE(list.ok()) << list.status();
    const auto json = ParseJson(list.value_or("{}"));
    std::vector<std::string> ids;
    for (const Json& job : json->value("jobs", Json::array())) {
      ids.push_back(job.value("jobId", ""));
    }
    return ids;
  };
  using Ids = std::vector<std::string>;
  EXPECT_EQ(names(NewToken("project-read", "p1", false), ""), Ids{"same@p1"});
  const std::string admin = NewToken("admin", "", false);
  EXPECT_EQ(names(admin, ""), (Ids{"same", "same@p2", "same@p1"}));
  EXPECT_EQ(names(admin, "p2"), Ids{"same@p2"});
  EXPECT_EQ(names(admin, "default"), Ids{"same"});
}

TEST_F(CallGateTest, BucketsAreSharedByAdministratorsAndSeenByProjects) {
  const ClientCredentials own{NewToken("project-write", "p1", false), "", "",
                              "", ""};
  const ClientCredentials other{NewToken("project-read", "p2", false), "", "",
                                "", ""};
  ServiceClient owner(tcp_, own);
  ServiceClient other_client(tcp_, other);
  ServiceClient administrator(tcp_,
                              {NewToken("admin", "", false), "", "", "", ""});
  const std::string models = R"({"bucket":"models"})";
  const std::string lending =
      R"({"bucket":"models","with":"p2","right":"READ"})";
  const std::string moving = R"({"bucket":"models","toProject":"p2"})";
  const auto json = [](const absl::StatusOr<std::string>& text) {
    EXPECT_TRUE(text.ok()) << text.status();
    return ParseJson(text.value_or("{}")).value();
  };
  EXPECT_EQ(json(owner.Ask(&Buckets::CreateBucket, models))["project"], "p1");
  EXPECT_TRUE(
      absl::IsNotFound(other_client.Ask(&Buckets::GetBucket, models).status()));
  EXPECT_EQ(json(other_client.Ask(&Buckets::ListBuckets)), Json::object());
  EXPECT_TRUE(absl::IsAlreadyExists(
                  other_client.Ask(&Buckets::CreateBucket, models).status()) ||
              absl::IsPermissionDenied(
                  other_client.Ask(&Buckets::CreateBucket, models).status()));
  EXPECT_TRUE(absl::IsPermissionDenied(
      owner.Ask(&Buckets::ShareBucket, lending).status()));
  EXPECT_TRUE(absl::IsPermissionDenied(
      other_client.Ask(&Buckets::MoveBucket, moving).status()));
  EXPECT_EQ(json(administrator.Ask(&Buckets::ShareBucket, lending))["shares"],
            (Json{{"p2", "READ"}}));
  EXPECT_EQ(json(owner.Ask(&Buckets::GetBucket, models))["shares"],
            (Json{{"p2", "READ"}}));
  const Json lent = json(other_client.Ask(&Buckets::GetBucket, models));
  EXPECT_EQ(lent["project"], "p1");
  EXPECT_FALSE(lent.contains("shares"));
  EXPECT_EQ(json(administrator.Ask(&Buckets::MoveBucket, moving))["project"],
            "p2");
  EXPECT_TRUE(
      absl::IsNotFound(owner.Ask(&Buckets::GetBucket, models).status()));
}

TEST_F(CallGateTest, TheSocketNeedsNoToken) {
  EXPECT_TRUE(client_->Ask(&Jobs::GetServiceInfo).ok());
  ServiceClient anonymous(tcp_, {});
  EXPECT_TRUE(
      absl::IsUnauthenticated(anonymous.Ask(&Jobs::GetServiceInfo).status()));
  ServiceClient known(tcp_, {NewToken("admin", "", false), "", "", ""});
  EXPECT_TRUE(known.Ask(&Jobs::GetServiceInfo).ok());
  EXPECT_TRUE(known.Ask(&v1::AccessService::Stub::ListTokens).ok());
}

TEST_F(CallGateTest, TooManyCallsOfATokenAreRefusedButNotThoseOfTheSocket) {
  ManualClock still;
  RateLimiter two_calls({1, 2}, still);
  const CallGate gate(authenticator_, attempts_, two_calls);
  GrpcMethods methods;
  AddJobMethods(handlers_, store_, {gate, pool_, pump_, activity_, load_},
                &methods);
  Endpoint tcp;
  tcp.host = "127.0.0.1";
  Endpoint socket;
  socket.socket_path = folder_ / "limited.sock";
  auto listener = GrpcListener::Listen({&tcp, &socket}, std::move(methods));
  ASSERT_TRUE(listener.ok()) << listener.status();
  ServiceClient remote(tcp, {NewToken("admin", "", false), "", "", ""});
  EXPECT_TRUE(remote.Ask(&Jobs::GetServiceInfo).ok());
  EXPECT_TRUE(remote.Ask(&Jobs::GetServiceInfo).ok());
  const absl::Status refused = remote.Ask(&Jobs::GetServiceInfo).status();
  EXPECT_TRUE(absl::IsResourceExhausted(refused)) << refused;
  EXPECT_NE(refused.message().find("try again in 1 s"), std::string::npos);
  ServiceClient local(socket);
  for (int i = 0; i < 9; ++i)
    EXPECT_TRUE(local.Ask(&Jobs::GetServiceInfo).ok());
  still.Advance(std::chrono::seconds(1));
  EXPECT_TRUE(remote.Ask(&Jobs::GetServiceInfo).ok());
  (*listener)->Shutdown();
}

TEST_F(CallGateTest, EachCallEndsWithTheIdOfItsRequest) {
  const std::string token = NewToken("admin", "", false);
  for (const char* method : {"/vernier.v1.JobService/GetServiceInfo",
                             "/vernier.v1.JobService/WatchEvents"}) {
    for (const std::string& shown : {token, std::string("wrong")}) {
      grpc::ClientContext context;
      context.AddMetadata("authorization", "Bearer " + shown);
      context.AddMetadata("x-request-id", "mine:1");
      CallGeneric(channel_, context, method, std::string("\x20\x01", 2));
      const auto& trailers = context.GetServerTrailingMetadata();
      const auto found = trailers.find("x-request-id");
      ASSERT_NE(found, trailers.end()) << method;
      EXPECT_EQ(std::string(found->second.data(), found->second.size()),
                "mine:1");
    }
  }
}

TEST_F(CallGateTest, AStreamIsRefusedAsWell) {
  ServiceClient anonymous(tcp_, {});
  v1::WatchEventsRequest events;
  events.set_until_now(true);
  const absl::Status status = anonymous.StreamForJson(
      &Jobs::WatchEvents, events, [](const std::string&) { return true; });
  EXPECT_TRUE(absl::IsUnauthenticated(status)) << status;
}

TEST_F(CallGateTest, AStreamEndsWithItsToken) {
  Create("a", "p1");
  const std::string token = NewToken("project-read", "p1", false);
  ServiceClient reader(tcp_, {token, "", "", "", ""});
  // It would go on for ever.
  const absl::Status status =
      reader.StreamForJson(&Jobs::WatchEvents, {}, [&](const std::string&) {
        EXPECT_TRUE(
            tokens_->Revoke(HashToken(token).substr(0, 8), clock_.Now()).ok());
        return true;
      });
  EXPECT_TRUE(absl::IsUnauthenticated(status)) << status;
}

}  // namespace
}  // namespace vernier

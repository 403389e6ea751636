#include "faces/vizier/vizier_methods.h"

#include <memory>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "edge/grpc/call_head.h"
#include "edge/grpc/transfer_limits.h"

namespace vernier {
namespace {

using Context = GrpcMethods::Context;
using Reactor = GrpcMethods::Reactor;

constexpr MessageLimits kLimits{kMaxReceivedBytes};

std::string RequestIdOf(const Context& context) {
  const auto& metadata = context.client_metadata();
  const auto found = metadata.find("x-request-id");
  if (found == metadata.end()) return "";
  return {found->second.data(), found->second.size()};
}

// Callers by TCP have no names, so those with the same address share its memory
// and threads. Their requests are not limited: a thousand may wait for points.
absl::Status AddShare(const Context& context, LoadLimiter& load,
                      BegunCall* call) {
  const std::string peer = context.peer();
  if (peer.rfind("unix:", 0) == 0) return absl::OkStatus();
  const std::string address = peer.substr(0, peer.rfind(':'));
  VERNIER_ASSIGN_OR_RETURN(
      call->share, load.Admit(absl::StrCat("of Vizier's clients at ", address),
                              LoadLimiter::Counts::kNo));
  return absl::OkStatus();
}

class VizierTable {
 public:
  VizierTable(VizierHandlers& handlers, const VizierCalls& calls,
              VizierOverTcp over_tcp, GrpcMethods* methods)
      : handlers_(handlers),
        calls_(calls.parts),
        load_(calls.load),
        over_tcp_(over_tcp),
        methods_(*methods) {}

  template <typename Request, typename Response>
  VizierTable& Add(const std::string& method,
                   absl::Status (VizierHandlers::*handler)(const Request&,
                                                           Response*)) {
    return AddAny(
        method,
        [calls = calls_, &handlers = handlers_, handler](
            const Context&, BegunCall&& call) -> Reactor* {
          return StartUnaryCall<Request, Response>(
              calls, std::move(call), kLimits,
              [&handlers, handler](Request* request, Response* response) {
                return (handlers.*handler)(*request, response);
              });
        });
  }

  /// Adds a method whose calls may be repeated with the same id.
  template <typename Request, typename Response>
  VizierTable& Add(const std::string& method,
                   absl::Status (VizierHandlers::*handler)(const Request&,
                                                           const std::string&,
                                                           Response*)) {
    return AddAny(method,
                  [calls = calls_, &handlers = handlers_, handler](
                      const Context& context, BegunCall&& call) -> Reactor* {
                    return StartUnaryCall<Request, Response>(
                        calls, std::move(call), kLimits,
                        [&handlers, handler, id = RequestIdOf(context)](
                            Request* request, Response* response) {
                          return (handlers.*handler)(*request, id, response);
                        });
                  });
  }

  /// Adds a method that calls back when it is done.
  template <typename Request, typename Response>
  VizierTable& Add(
      const std::string& method,
      void (VizierHandlers::*handler)(const Request&, Response*,
                                      std::function<void(absl::Status)>)) {
    return AddAny(
        method,
        [calls = calls_, &handlers = handlers_, handler](
            const Context&, BegunCall&& call) -> Reactor* {
          return UnaryCall::Start(
              calls, std::move(call), kLimits, std::make_unique<Request>(),
              std::make_unique<Response>(),
              [&handlers, handler](google::protobuf::Message* request,
                                   google::protobuf::Message* response,
                                   UnaryCall::Done done) {
                (handlers.*handler)(*static_cast<Request*>(request),
                                    static_cast<Response*>(response),
                                    std::move(done));
              });
        });
  }

 private:
  template <typename Begin>
  VizierTable& AddAny(const std::string& method, Begin begin) {
    methods_.Add(
        absl::StrCat("/vizier.VizierService/", method),
        [over_tcp = over_tcp_, &activity = calls_.activity, &load = load_,
         begin](Context* context) -> Reactor* {
          BegunCall call{BeginRecord(context, activity)};
          absl::Status allowed = CheckVizierCaller(context->peer(), over_tcp);
          if (allowed.ok()) allowed = AddShare(*context, load, &call);
          return allowed.ok()
                     ? begin(*context, std::move(call))
                     : Refuse(activity, std::move(call.record), allowed);
        });
    return *this;
  }

  VizierHandlers& handlers_;
  const UnaryCall::Parts calls_;
  LoadLimiter& load_;
  const VizierOverTcp over_tcp_;
  GrpcMethods& methods_;
};

}  // namespace

void AddVizierMethods(VizierHandlers& handlers, const VizierCalls& calls,
                      VizierOverTcp over_tcp, GrpcMethods* methods) {
  using H = VizierHandlers;
  VizierTable(handlers, calls, over_tcp, methods)
      .Add("CreateStudy", &H::CreateStudy)
      .Add("GetStudy", &H::GetStudy)
      .Add("ListStudies", &H::ListStudies)
      .Add("DeleteStudy", &H::DeleteStudy)
      .Add("SetStudyState", &H::SetStudyState)
      .Add("SuggestTrials", &H::SuggestTrials)
      .Add("GetOperation", &H::GetOperation)
      .Add("CreateTrial", &H::CreateTrial)
      .Add("GetTrial", &H::GetTrial)
      .Add("ListTrials", &H::ListTrials)
      .Add("AddTrialMeasurement", &H::AddTrialMeasurement)
      .Add("CompleteTrial", &H::CompleteTrial)
      .Add("DeleteTrial", &H::DeleteTrial)
      .Add("CheckTrialEarlyStoppingState", &H::CheckTrialEarlyStoppingState)
      .Add("StopTrial", &H::StopTrial)
      .Add("ListOptimalTrials", &H::ListOptimalTrials)
      .Add("UpdateMetadata", &H::UpdateMetadata);
}

}  // namespace vernier

#include "faces/storage/storage_api.h"

#include <utility>

#include "faces/storage/storage_call.h"
#include "faces/storage/storage_json.h"
#include "faces/storage/storage_route.h"
#include "faces/storage/storage_upload.h"
#include "faces/storage/upload_exchange.h"

namespace vernier {
namespace {

using Handler = HttpResponse (*)(const StorageCall& call,
                                 const std::string& body);

std::unique_ptr<HttpExchange> Buffered(StorageCall call, Handler answer) {
  return std::make_unique<BufferedExchange>(
      kMaxStorageJson,
      [call = std::move(call), answer](const std::string& body) {
        return answer(call, body);
      });
}

HttpResponse AnswerCancel(const StorageCall& call, const std::string&) {
  return CancelResumableUpload(call);
}

}  // namespace

std::unique_ptr<HttpExchange> StorageApi::Begin(const HttpRequest& request,
                                                const BucketUser& user,
                                                const std::string& base_url) {
  auto route = ParseStorageRoute(request.method, request.path);
  if (!route.ok()) {
    return std::make_unique<UploadExchange>(
        std::make_unique<RefusedUpload>(route.status()));
  }
  StorageCall call{&buckets_, user, *std::move(route), request, base_url};
  switch (call.route.method) {
    case StorageMethod::kBatch:
      return std::make_unique<BufferedExchange>(
          kMaxBatchBytes, [call = std::move(call)](const std::string& body) {
            return AnswerBatch(call, body);
          });
    case StorageMethod::kUploadObject:
      // Some clients continue an upload by POST.
      if (request.Query("upload_id")) return ResumeUpload(std::move(call));
      if (request.Query("uploadType") == "resumable") {
        return Buffered(std::move(call), &StartResumableUpload);
      }
      return BeginUpload(std::move(call));
    case StorageMethod::kResumeUpload:
      return ResumeUpload(std::move(call));
    case StorageMethod::kCancelUpload:
      return Buffered(std::move(call), &AnswerCancel);
    default:
      return Buffered(std::move(call), &AnswerStorageCall);
  }
}

}  // namespace vernier

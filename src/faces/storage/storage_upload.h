#ifndef VERNIER_FACES_STORAGE_STORAGE_UPLOAD_H_
#define VERNIER_FACES_STORAGE_STORAGE_UPLOAD_H_

#include <memory>

#include "faces/storage/storage_call.h"
#include "http/http_handler.h"

namespace vernier {

/// An upload in one request, by its uploadType: the bytes alone ("media"), or
/// after a JSON part ("multipart"). An exchange that is cut off leaves nothing.
std::unique_ptr<HttpExchange> BeginUpload(StorageCall call);

/// Begins a resumable upload; the answer's Location is the URL to continue it.
HttpResponse StartResumableUpload(const StorageCall& call,
                                  const std::string& body);

/// Receives a piece of a resumable upload, or, without bytes, answers how much
/// has arrived. A piece that is cut off counts for nothing.
std::unique_ptr<HttpExchange> ResumeUpload(StorageCall call);

HttpResponse CancelResumableUpload(const StorageCall& call);

}  // namespace vernier

#endif  // VERNIER_FACES_STORAGE_STORAGE_UPLOAD_H_

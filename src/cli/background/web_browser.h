#ifndef VERNIER_CLI_BACKGROUND_WEB_BROWSER_H_
#define VERNIER_CLI_BACKGROUND_WEB_BROWSER_H_

#include <string>

#include "absl/status/status.h"

namespace vernier {

/// Whether this user's session can show a browser: there is a display, or
/// $BROWSER names one.
bool HasWebBrowser();

/// Opens an address in the user's browser, and returns once that has been asked
/// for. Every user of the machine can read the command lines of processes, and
/// the address may hold a key; so the browser is given a page of the user's
/// own that leads there. UNAVAILABLE if there is nothing to open it with.
absl::Status OpenInBrowser(const std::string& url);

}  // namespace vernier

#endif  // VERNIER_CLI_BACKGROUND_WEB_BROWSER_H_

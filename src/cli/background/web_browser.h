#ifndef VERNIER_CLI_BACKGROUND_WEB_BROWSER_H_
#define VERNIER_CLI_BACKGROUND_WEB_BROWSER_H_

#include <string>

#include "absl/status/status.h"

namespace vernier {

/// Returns whether this user's session can show a browser: there is a display,
/// or $BROWSER names one.
bool HasWebBrowser();

/// Opens an address in the user's browser, and returns once the browser was
/// started. Every user of the machine can read the command lines of processes,
/// and the address may contain a key. So the browser opens a page that only the
/// user can read, which leads to the address. UNAVAILABLE if there is no
/// program to open it.
absl::Status OpenInBrowser(const std::string& url);

}  // namespace vernier

#endif  // VERNIER_CLI_BACKGROUND_WEB_BROWSER_H_

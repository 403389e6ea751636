"""An HTTP server that keeps what is posted to it, for tests of what the service sends."""

import http.server
import threading


class Receiver:
    """A server on the loopback: `requests` are (path, headers, body), in order."""

    def __init__(self, port=0):
        self.requests = []
        self.statuses = []  # Of the next answers; then 200.
        receiver = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                receiver.requests.append((self.path, dict(self.headers.items()), body))
                status, headers = 200, {}
                if receiver.statuses:
                    status, headers = receiver.statuses.pop(0)
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_):
                pass

        class Server(http.server.ThreadingHTTPServer):
            def handle_error(self, *_):
                pass  # A client that is killed resets its connection.

        self.server = Server(("127.0.0.1", port), Handler)
        self.server.daemon_threads = True
        self.port = self.server.server_address[1]
        self.url = f"http://127.0.0.1:{self.port}"

    def __enter__(self):
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()

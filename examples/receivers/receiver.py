"""Verifies and receives events of Gapura. Standard library only; Python 3.9 or newer."""

import base64
import hashlib
import hmac
import json
import os
import re
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


def verify_event(body: bytes, headers, secrets, now=None):
    """Returns the event, or None: reply 400 and process nothing."""
    event_id = headers.get("webhook-id") or ""
    sent_at = headers.get("webhook-timestamp") or ""
    now = time.time() if now is None else now
    if not event_id or not re.fullmatch(r"[0-9]{1,12}", sent_at) or abs(now - int(sent_at)) > 300:
        return None
    signed = f"{event_id}.{sent_at}.".encode() + body
    for secret in secrets:
        key = base64.b64decode(secret.removeprefix("whsec_"), validate=True)
        if len(key) < 24:
            raise ValueError("a secret is whsec_ and 24 or more bytes in base64")
        expected = b"v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest())
        for signature in (headers.get("webhook-signature") or "").split(" "):
            if hmac.compare_digest(expected, signature.encode()):
                return {"id": event_id, **json.loads(body)}
    return None


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        length = int(self.headers.get("content-length") or 0)
        body = self.rfile.read(min(length, 1_000_000))
        event = verify_event(body, self.headers, os.environ["WEBHOOK_SECRETS"].split(","))
        # Store the event under its id, unless that id is stored already, and process it later.
        self.send_response(400 if event is None else 204)
        self.end_headers()


if __name__ == "__main__":
    ThreadingHTTPServer(("127.0.0.1", 8080), Receiver).serve_forever()

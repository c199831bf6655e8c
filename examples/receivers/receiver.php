<?php
// Verifies and receives an event of Gapura. Standard library only; PHP 8.1 or newer.

/** Returns the event, or null: reply 400 and process nothing. */
function verifyEvent(string $body, array $headers, array $secrets, int $now): ?array
{
    $id = $headers['webhook-id'] ?? '';
    $sentAt = $headers['webhook-timestamp'] ?? '';
    if ($id === '' || !preg_match('/\A\d{1,12}\z/', $sentAt) || abs($now - (int) $sentAt) > 300) {
        return null;
    }
    foreach ($secrets as $secret) {
        $key = base64_decode(preg_replace('/\Awhsec_/', '', $secret), true);
        if ($key === false || strlen($key) < 24) {
            throw new InvalidArgumentException('a secret is whsec_ and 24 or more bytes in base64');
        }
        $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$sentAt.$body", $key, true));
        foreach (explode(' ', $headers['webhook-signature'] ?? '') as $signature) {
            if (hash_equals($expected, $signature)) {
                return ['id' => $id] + json_decode($body, true, 512, JSON_THROW_ON_ERROR);
            }
        }
    }
    return null;
}

// Behind a web server: the headers are in $_SERVER, the body must be read as it came.
if (PHP_SAPI !== 'cli') {
    $event = verifyEvent(
        file_get_contents('php://input'),
        [
            'webhook-id' => $_SERVER['HTTP_WEBHOOK_ID'] ?? '',
            'webhook-timestamp' => $_SERVER['HTTP_WEBHOOK_TIMESTAMP'] ?? '',
            'webhook-signature' => $_SERVER['HTTP_WEBHOOK_SIGNATURE'] ?? '',
        ],
        explode(',', getenv('WEBHOOK_SECRETS') ?: ''),
        time(),
    );
    if ($event === null) {
        http_response_code(400);
        exit;
    }
    // Store $event under $event['id'], unless that id is stored already, and process it later.
    http_response_code(204);
}

<?php
// Prints, for each vector, the id of the event or "refused".
require __DIR__ . '/../../examples/receivers/receiver.php';
foreach (json_decode(file_get_contents(__DIR__ . '/vectors.json'), true)['vectors'] as $one) {
    $event = verifyEvent($one['body'], $one['headers'], $one['secrets'], $one['now']);
    echo $one['name'], "\t", $event['id'] ?? 'refused', "\n";
}

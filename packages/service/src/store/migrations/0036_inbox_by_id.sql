-- The inbox is listed by its primary key, whose ids begin with the time of receipt; what waits for
-- staff has partial indexes by time.
drop index gapura.gateway_notification_received;

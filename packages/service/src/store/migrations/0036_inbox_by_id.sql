-- The inbox is listed by its primary key, whose ids begin with the time of receipt; what waits for
-- staff has partial indexes by time. The index of a partitioned table cannot be dropped concurrently:
-- the runner gives the lock a second and tries again.
-- squawk-ignore require-concurrent-index-deletion
drop index gapura.gateway_notification_received;

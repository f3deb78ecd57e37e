-- Empty the quarantine.
-- KEYS quarantine episode
redis.call('DEL', KEYS[1])
return redis.call('HSET', KEYS[2], 'quarantined', '0')

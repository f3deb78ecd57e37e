-- Empty the quarantine.
-- KEYS quarantine kitchen
redis.call('DEL', KEYS[1])
return redis.call('HSET', KEYS[2], 'quarantined', '0')

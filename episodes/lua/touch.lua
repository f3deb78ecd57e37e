-- Whoever plays the kitchen is alive, for so many milliseconds.
-- KEYS lease kitchen; ARGV fence holder milliseconds
return redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])

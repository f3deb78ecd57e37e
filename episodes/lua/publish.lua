-- Let everybody see how the kitchen stands.
-- KEYS status kitchen; ARGV fence status
return redis.call('SET', KEYS[1], ARGV[2])

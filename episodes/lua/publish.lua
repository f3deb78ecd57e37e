-- Let everybody see how the kitchen stands; the name of one that is over can be used again.
-- KEYS status kitchen; ARGV fence status over
redis.call('HSET', KEYS[2], 'over', ARGV[3])
return redis.call('SET', KEYS[1], ARGV[2])

-- Publish the status of the episode.
-- KEYS status episode; ARGV fence status
return redis.call('SET', KEYS[1], ARGV[2])

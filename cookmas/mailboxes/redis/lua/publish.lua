-- Publish the status of the episode; the name of an episode that is over can be used again.
-- KEYS status guests episode; ARGV fence status over
redis.call('HSET', KEYS[3], 'over', ARGV[3])
if ARGV[3] == '1' then
    for _, name in ipairs(redis.call('HKEYS', KEYS[2])) do
        redis.call('HSET', string.sub(KEYS[3], 1, -8) .. 'out:' .. name, '', 'over')
    end
end
return redis.call('SET', KEYS[1], ARGV[2])

-- End an episode: delete the messages that were not taken, and let their senders know that they are
-- refused. The name of an episode that is over can be used again.
-- KEYS guests episode; ARGV fence. Returns the number of deleted messages.
if redis.call('HGET', KEYS[2], 'closed') == '0' then
    redis.call('HSET', KEYS[2], 'closed', '2')
end
redis.call('HSET', KEYS[2], 'over', '1')
local how = redis.call('HGET', KEYS[2], 'closed') == '2' and 'ended' or 'over'
local prefix, refused = string.sub(KEYS[2], 1, -8), 0
for _, name in ipairs(redis.call('HKEYS', KEYS[1])) do
    local key = prefix .. 'in:' .. name
    if redis.call('TYPE', key).ok == 'stream' then
        refused = refused + redis.call('XLEN', key)
    end
    redis.call('DEL', key)
    redis.call('HSET', prefix .. 'out:' .. name, '', how)
end
return refused

-- Take no more messages: entries that senders append after their present last entry are refused.
-- KEYS guests ends bell episode
local closed = redis.call('HGET', KEYS[4], 'closed')
if closed == '0' then
    redis.call('HSET', KEYS[4], 'closed', '1')
    local prefix = string.sub(KEYS[4], 1, -8)
    for _, name in ipairs(redis.call('HKEYS', KEYS[1])) do
        local last = redis.pcall('XREVRANGE', prefix .. 'in:' .. name, '+', '-', 'COUNT', '1')
        redis.call('HSET', KEYS[2], name, last[1] and last[1][1] or '0-0')
    end
    redis.call('XADD', KEYS[3], 'MAXLEN', '1', '*', 'closed', '1')
end
return closed

-- Quarantine unreadable items, each once; the last `most` are kept, all are counted.
-- KEYS quarantine letters known episode; ARGV fence most, then kind name entry text of each: an
-- `entry` of a sender's stream, the `letter` of a number, or an event that is `known`.
local prefix = string.sub(KEYS[4], 1, -8)
for place = 3, #ARGV, 4 do
    local kind, name, entry = ARGV[place], ARGV[place + 1], ARGV[place + 2]
    local gone
    if kind == 'entry' then
        gone = redis.call('XDEL', prefix .. 'in:' .. name, entry)
    elseif kind == 'letter' then
        gone = redis.call('HDEL', KEYS[2], name)
    else
        gone = redis.call('LREM', KEYS[3], '1', entry)
    end
    if gone == 1 then
        redis.call('LPUSH', KEYS[1], ARGV[place + 3])
        redis.call('LTRIM', KEYS[1], '0', tonumber(ARGV[2]) - 1)
        redis.call('HINCRBY', KEYS[4], 'quarantined', '1')
    end
end
return redis.status_reply('OK')

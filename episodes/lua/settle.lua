-- Tell senders and take their messages off their streams; done again it changes nothing.
-- KEYS letters kitchen
-- ARGV fence again remembered, then number sender entry field record of each. So many letters that
-- are settled are kept, should the kitchen have to go on from an earlier checkpoint, and so many
-- records of each sender. A record of a message that was not kept gives way to any other.
local prefix = string.sub(KEYS[2], 1, -8)
for place = 4, #ARGV, 5 do
    local number, sender, entry = ARGV[place], ARGV[place + 1], ARGV[place + 2]
    local field, record = ARGV[place + 3], ARGV[place + 4]
    local out, done = prefix .. 'out:' .. sender, prefix .. 'done:' .. sender
    if entry ~= '' then
        redis.call('XDEL', prefix .. 'in:' .. sender, entry)
    end
    if number ~= '' then
        redis.call('HDEL', KEYS[1], tonumber(number) - tonumber(ARGV[2]))
    end
    local before = field == '' or redis.call('HEXISTS', out, field) == 1
    if field ~= '' and (not before or string.sub(field, 1, 1) == '\n') then
        redis.call('HSET', out, field, record)
    end
    if not before then
        redis.call('RPUSH', done, field)
        while redis.call('LLEN', done) > tonumber(ARGV[3]) do
            redis.call('HDEL', out, redis.call('LPOP', done))
        end
    end
end
return redis.status_reply('OK')

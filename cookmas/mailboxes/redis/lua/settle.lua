-- Answer messages and delete them from their streams; repeating the call changes nothing.
-- KEYS letters episode
-- ARGV fence again remembered, then number sender entry field record of each. `again` settled letters
-- are kept, in case the episode continues from an earlier checkpoint, and `remembered` records of
-- each sender. The record of a message that was not kept (its field begins with \n) or that waits
-- (\r) is replaced by its answer. An empty record stands for an answer that the server has lost. The
-- episode has the number of the last letter that was settled.
local prefix = string.sub(KEYS[2], 1, -8)
local settled = tonumber(redis.call('HGET', KEYS[2], 'settled') or '0')
for place = 4, #ARGV, 5 do
    local number, sender, entry = ARGV[place], ARGV[place + 1], ARGV[place + 2]
    local field, record = ARGV[place + 3], ARGV[place + 4]
    local out, done = prefix .. 'out:' .. sender, prefix .. 'done:' .. sender
    if entry ~= '' then
        redis.call('XDEL', prefix .. 'in:' .. sender, entry)
    end
    if number ~= '' then
        redis.call('HDEL', KEYS[1], tonumber(number) - tonumber(ARGV[2]))
        settled = math.max(settled, tonumber(number))
    end
    local kind = string.sub(field, 1, 1)
    local final = kind ~= '\n' and kind ~= '\r'
    local there = redis.call('HGET', out, field)
    local before = field == '' or (there and there ~= '')
    if kind == '\r' and redis.call('HEXISTS', out, string.sub(field, 2)) == 1 then
        before = true
    elseif field ~= '' and not (final and before) then
        redis.call('HSET', out, field, record)
    end
    if final and not before then
        redis.call('HDEL', out, '\n' .. field, '\r' .. field)
    end
    if kind ~= '\r' and not there and field ~= '' then
        redis.call('RPUSH', done, field)
        while redis.call('LLEN', done) > tonumber(ARGV[3]) do
            redis.call('HDEL', out, redis.call('LPOP', done))
        end
    end
end
redis.call('HSET', KEYS[2], 'settled', settled)
return redis.status_reply('OK')

-- Precedes each script that makes the hash of answers of a sender.
-- Makes it again if the server has lost it. An answer that was lost leaves an empty field, so that its
-- message is not taken for a new one.
local function remake_answers(prefix, name, state)
    local out = prefix .. 'out:' .. name
    if redis.call('TYPE', out).ok == 'hash' then
        return
    end
    redis.call('DEL', out)
    redis.call('HSET', out, '', state)
    for _, field in ipairs(redis.call('LRANGE', prefix .. 'done:' .. name, 0, -1)) do
        if string.sub(field, 1, 1) ~= '\n' then
            redis.call('HSET', out, field, '')
        end
    end
end

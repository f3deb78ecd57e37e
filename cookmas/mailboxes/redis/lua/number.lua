-- Give letters their permanent numbers; repeating the call changes nothing. If messages were
-- withdrawn since they were read, number none and return STALE.
-- KEYS letters turns meanings known episode
-- ARGV fence known withdrawn, then number sender letter meaning of each; `known` events remain.
if (redis.call('HGET', KEYS[5], 'withdrawn') or '0') ~= ARGV[3] then
    return 'STALE'
end
local most = tonumber(redis.call('HGET', KEYS[5], 'number'))
while redis.call('LLEN', KEYS[4]) > tonumber(ARGV[2]) do
    redis.call('LPOP', KEYS[4])
end
for place = 4, #ARGV, 4 do
    local number, sender, letter, meaning =
        tonumber(ARGV[place]), ARGV[place + 1], ARGV[place + 2], ARGV[place + 3]
    if number > most then
        redis.call('HSET', KEYS[1], number, letter)
        if sender ~= '' then
            redis.call('HSET', KEYS[2], sender, number)
        end
        if meaning ~= '' then
            redis.call('HSET', KEYS[3], number, meaning)
        end
        redis.call('HSET', KEYS[5], 'number', number)
    end
end
return redis.status_reply('OK')

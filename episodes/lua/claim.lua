-- Take a kitchen over under a number above all before; the same claim again changes nothing.
-- KEYS kitchen; ARGV number claim. Answers the number under which it is held.
local fence = tonumber(redis.call('HGET', KEYS[1], 'fence') or '0')
local number = tonumber(ARGV[1])
if number > fence or (number == fence and redis.call('HGET', KEYS[1], 'claim') == ARGV[2]) then
    redis.call('HSET', KEYS[1], 'fence', ARGV[1], 'claim', ARGV[2])
    return ARGV[2]
end
return ''

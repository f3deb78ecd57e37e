-- Take an episode over under a number above all before; the same claim again changes nothing.
-- The status does not say any more when it was published: what it says is of the time before.
-- KEYS kitchen status; ARGV number claim. Answers the claim under which it is held.
local fence = tonumber(redis.call('HGET', KEYS[1], 'fence') or '0')
local number = tonumber(ARGV[1])
if number > fence or (number == fence and redis.call('HGET', KEYS[1], 'claim') == ARGV[2]) then
    redis.call('HSET', KEYS[1], 'fence', ARGV[1], 'claim', ARGV[2])
    local status = redis.call('GET', KEYS[2]) or 'null'
    redis.call('SET', KEYS[2], (string.gsub(status, '"published":[^,}]*', '"before":true', 1)))
    return ARGV[2]
end
return ''

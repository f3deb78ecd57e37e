-- Take over an episode under a number above all earlier ones; repeating a claim changes nothing.
-- The time of publication is removed from the status, which is that of the earlier orchestrator.
-- KEYS episode status; ARGV number claim. Returns the claim that holds the episode.
local fence = tonumber(redis.call('HGET', KEYS[1], 'fence') or '0')
local number = tonumber(ARGV[1])
if number > fence or (number == fence and redis.call('HGET', KEYS[1], 'claim') == ARGV[2]) then
    redis.call('HSET', KEYS[1], 'fence', ARGV[1], 'claim', ARGV[2])
    local status = redis.call('GET', KEYS[2]) or 'null'
    redis.call('SET', KEYS[2], (string.gsub(status, '"published":[^,}]*', '"before":true', 1)))
    return ARGV[2]
end
return ''

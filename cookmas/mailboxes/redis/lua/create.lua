-- Create an episode for a run; replace one that is over. Repeating the call changes nothing.
-- KEYS guests registered status setup house known lease episode, others of a run
-- ARGV run setup token proof, each known event. Returns the run that owns the episode, or nothing if
-- another version of CookMAS left its keys. Lease, status and setup exist from the beginning, so that
-- no other client creates them.
local episode = KEYS[8]
local run = redis.call('HGET', episode, 'run')
if run and (run == ARGV[1] or redis.call('HGET', episode, 'over') ~= '1') then
    return run
end
for place = 3, 4 do
    if not run and redis.call('TYPE', KEYS[place])['ok'] == 'string' then
        return false
    end
end
local prefix = string.sub(episode, 1, -8)
for _, name in ipairs(redis.call('HKEYS', KEYS[1])) do
    redis.call('DEL', prefix .. 'in:' .. name, prefix .. 'out:' .. name, prefix .. 'done:' .. name)
end
for place = 1, #KEYS do
    if place ~= 2 then
        redis.call('DEL', KEYS[place])
    end
end
redis.call('HSET', episode, 'run', ARGV[1], 'closed', '0', 'fence', '0', 'number', '0')
redis.call('SET', KEYS[3], 'null')
redis.call('SET', KEYS[4], ARGV[2])
redis.call('SET', KEYS[5], ARGV[3])
redis.call('SET', KEYS[7], '{}')
redis.call('HSET', KEYS[1], 'house', ARGV[4])
for _, name in ipairs(redis.call('SMEMBERS', KEYS[2])) do
    redis.call('HSET', KEYS[1], name, '*')
end
for _, name in ipairs(redis.call('HKEYS', KEYS[1])) do
    redis.call('DEL', prefix .. 'out:' .. name)
    redis.call('HSET', prefix .. 'out:' .. name, '', 'open')
end
for place = 5, #ARGV do
    redis.call('RPUSH', KEYS[6], ARGV[place])
end
return ARGV[1]

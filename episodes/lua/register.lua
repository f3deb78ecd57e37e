-- Let a sender have a stream of its own and a hash of answers; `lasting` keeps it for later runs.
-- KEYS out guests registered bell kitchen; ARGV name proof lasting
-- Answers the proof to which the name is bound; ABSENT if no kitchen is open and none is to come.
if ARGV[3] == '1' then
    redis.call('HSET', KEYS[3], ARGV[1], ARGV[2])
    redis.call('HSET', KEYS[2], ARGV[1], ARGV[2])
end
local run = redis.call('HGET', KEYS[5], 'run')
if not run then
    return ARGV[3] == '1' and ARGV[2] or redis.error_reply('ABSENT')
end
redis.call('HSETNX', KEYS[2], ARGV[1], ARGV[2])
if redis.call('TYPE', KEYS[1]).ok ~= 'hash' then
    redis.call('DEL', KEYS[1])
end
local over = redis.call('HGET', KEYS[5], 'over') == '1'
redis.call('HSET', KEYS[1], '', over and 'over' or 'open')
redis.call('XADD', KEYS[4], 'MAXLEN', '1', '*', 'registered', '1')
return redis.call('HGET', KEYS[2], ARGV[1])

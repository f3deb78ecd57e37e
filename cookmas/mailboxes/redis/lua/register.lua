-- Give a sender its stream and its hash of answers; `lasting` registers it for later runs too,
-- and binds its name to the first proof.
-- KEYS out guests registered bell episode; ARGV name proof lasting
-- Returns the proof to which the name is bound.
local lasting = ARGV[3] == '1'
local run = redis.call('HGET', KEYS[5], 'run')
if lasting then
    redis.call('SADD', KEYS[3], ARGV[1])
    redis.call('HDEL', KEYS[2], ARGV[1])
end
if not run then
    return lasting and ARGV[2] or redis.error_reply('ABSENT')
end
redis.call('HSETNX', KEYS[2], ARGV[1], ARGV[2])
local ended = redis.call('HGET', KEYS[5], 'closed') == '2' and 'ended' or 'over'
local state = redis.call('HGET', KEYS[5], 'over') == '1' and ended or 'open'
remake_answers(string.sub(KEYS[5], 1, -8), ARGV[1], state)
redis.call('HSET', KEYS[1], '', state)
redis.call('XADD', KEYS[4], 'MAXLEN', '1', '*', 'registered', '1')
return redis.call('HGET', KEYS[2], ARGV[1])

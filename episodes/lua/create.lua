-- Open a kitchen under its name for one run, in place of one that is over; again it changes nothing.
-- KEYS orders kitchen known lease, others of a run; ARGV run setup, each known event.
-- Answers whose it is. The lease is there from the beginning, so that nobody else makes it.
local run = redis.call('HGET', KEYS[2], 'run')
if run and (run == ARGV[1] or redis.call('HGET', KEYS[2], 'over') ~= '1') then
    return run
end
redis.call('DEL', unpack(KEYS))
redis.call('HSET', KEYS[2], 'run', ARGV[1], 'setup', ARGV[2], 'closed', '0', 'fence', '0', 'number', '0')
redis.call('SET', KEYS[4], '{}')
redis.call('XGROUP', 'CREATE', KEYS[1], 'kitchen', '0', 'MKSTREAM')
for place = 3, #ARGV do
    redis.call('RPUSH', KEYS[3], ARGV[place])
end
return ARGV[1]

-- Open a kitchen under its name, for one run; the same run may do it again.
-- KEYS orders kitchen known; ARGV run, then each known event. Answers the run that has it.
local run = redis.call('HGET', KEYS[2], 'run')
if run then
    return run
end
redis.call('HSET', KEYS[2], 'run', ARGV[1], 'closed', '0', 'fence', '0', 'number', '0')
redis.call('XGROUP', 'CREATE', KEYS[1], 'kitchen', '0', 'MKSTREAM')
for place = 2, #ARGV do
    redis.call('RPUSH', KEYS[3], ARGV[place])
end
return ARGV[1]

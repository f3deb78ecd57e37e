-- Make the keys again that senders need and that the server has lost. Answers that were lost leave
-- empty fields.
-- KEYS guests house registered episode; ARGV fence token proof, then the names of known senders
local prefix = string.sub(KEYS[4], 1, -8)
redis.call('SET', KEYS[2], ARGV[2])
redis.call('HSET', KEYS[1], 'house', ARGV[3])
for place = 4, #ARGV do
    redis.call('HSETNX', KEYS[1], ARGV[place], '*')
end
for _, name in ipairs(redis.call('SMEMBERS', KEYS[3])) do
    redis.call('HSETNX', KEYS[1], name, '*')
end
for _, name in ipairs(redis.call('HKEYS', KEYS[1])) do
    remake_answers(prefix, name, 'open')
    redis.call('HSETNX', prefix .. 'out:' .. name, '', 'open')
end
return redis.status_reply('OK')

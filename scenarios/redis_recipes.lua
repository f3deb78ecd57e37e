-- Put texts and the menu in place of those there, all at once; with `only`, these texts beside them.
-- KEYS recipes menu; ARGV only menu, then key and text in turn
if ARGV[1] ~= '1' then
    redis.call('DEL', KEYS[1], KEYS[2])
end
if ARGV[2] ~= '' then
    redis.call('SET', KEYS[2], ARGV[2])
end
for place = 3, #ARGV, 2 do
    redis.call('HSET', KEYS[1], ARGV[place], ARGV[place + 1])
end
return redis.status_reply('OK')

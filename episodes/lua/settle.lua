-- Tell senders and take their messages off the orders; done again it changes nothing.
-- KEYS orders messages letters results kitchen
-- ARGV fence again, then number entry key digest sender answer of each. So many letters that are
-- settled are kept, should the kitchen have to go on from an earlier checkpoint.
for place = 3, #ARGV, 6 do
    local number, entry, key = ARGV[place], ARGV[place + 1], ARGV[place + 2]
    local digest, sender, answer = ARGV[place + 3], ARGV[place + 4], ARGV[place + 5]
    redis.call('XACK', KEYS[1], 'kitchen', entry)
    redis.call('XDEL', KEYS[1], entry)
    redis.call('HDEL', KEYS[3], tonumber(number) - tonumber(ARGV[2]))
    local before = redis.call('HGET', KEYS[2], key)
    if not (before and cjson.decode(before).answer) then
        redis.call('HSET', KEYS[2], key, cjson.encode({digest = digest, answer = answer, number = number}))
        redis.call('XADD', KEYS[4], 'MAXLEN', '~', '10000', '*', 'sender', sender, 'answer', answer)
    end
end
return redis.status_reply('OK')

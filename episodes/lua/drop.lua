-- Take entries off that are no messages.
-- KEYS orders kitchen; ARGV fence, then the entries.
for place = 2, #ARGV do
    redis.call('XACK', KEYS[1], 'kitchen', ARGV[place])
    redis.call('XDEL', KEYS[1], ARGV[place])
end
return redis.status_reply('OK')

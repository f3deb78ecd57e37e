-- Bind the name of a sender that the operator registered to the proof of its first message.
-- KEYS guests episode; ARGV fence name proof. Returns the proof to which the name is bound.
if redis.call('HGET', KEYS[1], ARGV[2]) == '*' then
    redis.call('HSET', KEYS[1], ARGV[2], ARGV[3])
end
return redis.call('HGET', KEYS[1], ARGV[2])

-- Take no more messages; the entry without a sender wakes whoever waits for orders.
-- KEYS orders kitchen
local closed = redis.call('HGET', KEYS[2], 'closed')
if closed == '0' then
    redis.call('HSET', KEYS[2], 'closed', '1')
    redis.call('XADD', KEYS[1], '*', 'closed', '1')
end
return closed

-- Let one process at a time represent a worker.
-- KEYS seat; ARGV holder milliseconds; without milliseconds: leave the seat. Returns the holder.
local holder = redis.call('GET', KEYS[1])
if holder and holder ~= ARGV[1] then
    return holder
elseif ARGV[2] == '0' then
    redis.call('DEL', KEYS[1])
else
    redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
end
return ARGV[1]

-- Precedes each script of an orchestrator: one with a lower fence writes nothing.
-- The last key is the episode, the first argument the fence.
local fence = redis.call('HGET', KEYS[#KEYS], 'fence')
if not fence then
    return redis.error_reply('ABSENT')
elseif tonumber(fence) > tonumber(ARGV[1]) then
    return redis.error_reply('FENCED')
end
-- Scripts that delete messages must work when the memory is full, since they free it: Redis refuses
-- a script only at its first writing command, and only if that command can use more memory.
redis.call('DEL', KEYS[#KEYS] .. ':none')
if fence ~= ARGV[1] then
    redis.call('HSET', KEYS[#KEYS], 'fence', ARGV[1])
end

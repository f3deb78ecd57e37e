-- Before each script of whoever plays the episode: one with a lower fence writes nothing.
-- The last key is the episode, the first argument the fence.
local fence = redis.call('HGET', KEYS[#KEYS], 'fence')
if not fence then
    return redis.error_reply('ABSENT')
elseif tonumber(fence) > tonumber(ARGV[1]) then
    return redis.error_reply('FENCED')
end
-- What takes orders off must go on where the memory is full, for that is what frees it: a script
-- is refused only at its first writing command, and only if that one can take up memory.
redis.call('DEL', KEYS[#KEYS] .. ':none')
if fence ~= ARGV[1] then
    redis.call('HSET', KEYS[#KEYS], 'fence', ARGV[1])
end

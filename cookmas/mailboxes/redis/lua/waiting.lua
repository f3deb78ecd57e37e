-- Return the next entries of a sender; of too large ones the beginning.
-- A call reads at most `most` entries, and no more after `bytes` bytes.
-- KEYS stream; ARGV after most bytes
if redis.call('TYPE', KEYS[1]).ok ~= 'stream' then
    return {}
end
local bytes = tonumber(ARGV[3])
return (read_entries(KEYS[1], ARGV[1], tonumber(ARGV[2]), bytes, bytes))

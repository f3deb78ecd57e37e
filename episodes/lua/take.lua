-- What has come since the last entry seen, read by the group: what is pending, then what is new.
-- KEYS orders kitchen; ARGV fence last most. Answers {closed, number, entries}.
local function read(from)
    local found = redis.call('XREADGROUP', 'GROUP', 'kitchen', 'kitchen', 'COUNT', ARGV[3],
        'STREAMS', KEYS[1], from)
    return found and found[1] and found[1][2] or {}
end
local entries = read(ARGV[2])
if #entries == 0 then
    entries = read('>')
end
return {redis.call('HGET', KEYS[2], 'closed'), redis.call('HGET', KEYS[2], 'number'), entries}

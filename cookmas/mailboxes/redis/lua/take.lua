-- Return the entries that senders have sent since the last one seen; of too large ones the beginning.
-- A call reads at most `most` times `bytes` bytes and one entry; senders with new entries share that
-- equally.
-- KEYS guests ends episode; ARGV fence most bytes, then name and last entry seen of senders
-- Returns {closed, number, withdrawn, names, sent}, each sent {name, proof, last entry before closing, entries}
-- and each entry {id, bytes, fields}.
local prefix = string.sub(KEYS[3], 1, -8)
local seen, sent, left = {}, {}, tonumber(ARGV[2])
local bytes = tonumber(ARGV[3])
local room = left * bytes
for place = 4, #ARGV, 2 do
    seen[ARGV[place]] = ARGV[place + 1]
end
local names = redis.call('HKEYS', KEYS[1])
local active = {}
for _, name in ipairs(names) do
    local key = prefix .. 'in:' .. name
    local kind = redis.call('TYPE', key).ok
    if kind ~= 'stream' and kind ~= 'none' then
        redis.call('DEL', key)
    elseif kind == 'stream' and #redis.pcall('XRANGE', key, '(' .. (seen[name] or '0-0'), '+', 'COUNT', '1') > 0 then
        table.insert(active, name)
    end
end
local share = math.ceil(left / math.max(1, #active))
for _, name in ipairs(active) do
    local entries
    entries, room = read_entries(prefix .. 'in:' .. name, seen[name] or '0-0', math.min(share, left), room, bytes)
    left = left - #entries
    if #entries > 0 then
        local proof, last = redis.call('HGET', KEYS[1], name), redis.call('HGET', KEYS[2], name)
        table.insert(sent, {name, proof, last or '', entries})
    end
end
local closed, number, withdrawn = unpack(redis.call('HMGET', KEYS[3], 'closed', 'number', 'withdrawn'))
return {closed, number, withdrawn or '0', names, sent}

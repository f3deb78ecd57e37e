-- Return the entries that senders have sent since the last one seen; of too large ones the beginning.
-- A call reads at most `most` times `bytes` bytes and one entry; senders with new entries share that
-- equally.
-- KEYS guests ends house episode; ARGV fence most bytes, then name and last entry seen of senders
-- Returns {closed, number, withdrawn, names, sent, lost}, each sent {name, proof, last entry before closing, entries}
-- and each entry {id, bytes, fields}. `lost` has the keys that an open episode has and that are missing.
local prefix = string.sub(KEYS[4], 1, -8)
local seen, sent, left = {}, {}, tonumber(ARGV[2])
local bytes = tonumber(ARGV[3])
local room = left * bytes
for place = 4, #ARGV, 2 do
    seen[ARGV[place]] = ARGV[place + 1]
end
local names = redis.call('HKEYS', KEYS[1])
local active, lost = {}, {}
if redis.call('HEXISTS', KEYS[1], 'house') == 0 then
    table.insert(lost, KEYS[1])
end
if redis.call('EXISTS', KEYS[3]) == 0 then
    table.insert(lost, KEYS[3])
end
for _, name in ipairs(names) do
    if redis.call('EXISTS', prefix .. 'out:' .. name) == 0 then
        table.insert(lost, prefix .. 'out:' .. name)
    end
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
local closed, number, withdrawn = unpack(redis.call('HMGET', KEYS[4], 'closed', 'number', 'withdrawn'))
return {closed, number, withdrawn or '0', names, sent, lost}

-- Return the entries that senders have sent since the last one seen; of too large ones the beginning.
-- A call reads at most `most` times `bytes` bytes and one entry; senders with new entries share that
-- equally.
-- KEYS guests ends episode; ARGV fence most bytes, then name and last entry seen of senders
-- Returns {closed, number, withdrawn, names, sent}, each sent {name, proof, last entry before closing, entries}
-- and each entry {id, bytes, fields}.
local prefix = string.sub(KEYS[3], 1, -8)
local seen, sent, left = {}, {}, tonumber(ARGV[2])
local room = left * tonumber(ARGV[3])
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
    local from = '(' .. (seen[name] or '0-0')
    local key = prefix .. 'in:' .. name
    local entries = {}
    while #entries < share and left > 0 and room > 0 do
        local entry = redis.pcall('XRANGE', key, from, '+', 'COUNT', '1')[1]
        if not entry then
            break
        end
        from = '(' .. entry[1]
        local bytes, fields = 0, {}
        for _, text in ipairs(entry[2]) do
            bytes = bytes + #text
        end
        for place = 1, math.min(#entry[2], 20) do
            local text = entry[2][place]
            fields[place] = bytes > tonumber(ARGV[3]) and string.sub(text, 1, 200) or text
        end
        table.insert(entries, {entry[1], bytes, fields})
        left, room = left - 1, room - bytes
    end
    if #entries > 0 then
        local proof, last = redis.call('HGET', KEYS[1], name), redis.call('HGET', KEYS[2], name)
        table.insert(sent, {name, proof, last or '', entries})
    end
end
local closed, number, withdrawn = unpack(redis.call('HMGET', KEYS[3], 'closed', 'number', 'withdrawn'))
return {closed, number, withdrawn or '0', names, sent}

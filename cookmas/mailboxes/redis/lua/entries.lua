-- Precedes each script that reads the entries of senders.
-- Returns the entries of a stream after the id `after`, at most `most` of them and at most `room` bytes and
-- one entry, and the bytes of room that are left. Each entry is {id, bytes, fields}; of one that has more
-- than `bytes` bytes the fields are shortened.
local function read_entries(key, after, most, room, bytes)
    local entries = {}
    while #entries < most and room > 0 do
        local entry = redis.pcall('XRANGE', key, '(' .. after, '+', 'COUNT', '1')[1]
        if not entry then
            break
        end
        after = entry[1]
        local size, fields = 0, {}
        for _, text in ipairs(entry[2]) do
            size = size + #text
        end
        for place = 1, math.min(#entry[2], 20) do
            local text = entry[2][place]
            fields[place] = size > bytes and string.sub(text, 1, 200) or text
        end
        table.insert(entries, {entry[1], size, fields})
        room = room - size
    end
    return entries, room
end

-- Count what senders have sent and nobody has taken.
-- KEYS guests kitchen; ARGV name entry of each letter. Answers {waiting, seconds of the oldest or ''}.
local prefix = string.sub(KEYS[2], 1, -8)
local taken = {}
for place = 1, #ARGV, 2 do
    local name, entry = ARGV[place], ARGV[place + 1]
    taken[name] = taken[name] or {}
    taken[name][entry] = true
end
local time = redis.call('TIME')
local now = time[1] + time[2] / 1000000
local waiting, oldest = 0, ''
for _, name in ipairs(redis.call('HKEYS', KEYS[1])) do
    local found = redis.pcall('XRANGE', prefix .. 'in:' .. name, '-', '+')
    for _, entry in ipairs(found.err and {} or found) do
        if not (taken[name] and taken[name][entry[1]]) then
            waiting = waiting + 1
            local age = math.max(0, now - string.match(entry[1], '^%d+') / 1000)
            oldest = oldest == '' and age or math.max(oldest, age)
        end
    end
end
return {waiting, tostring(oldest)}

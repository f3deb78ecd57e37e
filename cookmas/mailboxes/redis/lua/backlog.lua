-- Count the messages that were not taken, without reading them: there may be very many.
-- KEYS guests episode; ARGV name entry of each letter. Returns {waiting, age of the oldest in seconds or ''}.
-- Nothing waits once the episode is over.
if redis.call('HGET', KEYS[2], 'over') == '1' then
    return {0, ''}
end
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
    local key, settling = prefix .. 'in:' .. name, taken[name] or {}
    if redis.call('TYPE', key).ok == 'stream' then
        waiting = waiting + redis.call('XLEN', key)
        for entry in pairs(settling) do
            waiting = waiting - #redis.pcall('XRANGE', key, entry, entry)
        end
        local first = redis.call('XRANGE', key, '-', '+', 'COUNT', '1')[1]
        while first and settling[first[1]] do
            first = redis.pcall('XRANGE', key, '(' .. first[1], '+', 'COUNT', '1')[1]
        end
        if first then
            local age = math.max(0, now - string.match(first[1], '^%d+') / 1000)
            oldest = oldest == '' and age or math.max(oldest, age)
        end
    end
end
return {waiting, tostring(oldest)}

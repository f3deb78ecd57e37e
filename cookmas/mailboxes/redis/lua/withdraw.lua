-- Delete messages that were not taken from the stream of their sender, and answer them.
-- An entry that cannot be read has no id, and gets no answer.
-- KEYS letters bell episode; ARGV sender name, then entry id record of each. Returns their number.
-- What came after the end of the episode is refused already.
if redis.call('HGET', KEYS[3], 'over') == '1' then
    return 0
end
local prefix = string.sub(KEYS[3], 1, -8)
local taken = {}
for _, text in ipairs(redis.call('HVALS', KEYS[1])) do
    local readable, letter = pcall(cjson.decode, text)
    if readable and letter.sender == ARGV[1] then
        taken[letter.entry] = true
    end
end
local withdrawn = 0
for place = 3, #ARGV, 3 do
    local entry, id, record = ARGV[place], ARGV[place + 1], ARGV[place + 2]
    if not taken[entry] and redis.call('XDEL', prefix .. 'in:' .. ARGV[2], entry) == 1 then
        local out = prefix .. 'out:' .. ARGV[2]
        if id ~= '' and redis.call('HSETNX', out, id, record) == 1 then
            redis.call('RPUSH', prefix .. 'done:' .. ARGV[2], id)
            redis.call('HDEL', out, '\n' .. id, '\r' .. id)
        end
        withdrawn = withdrawn + 1
    end
end
redis.call('HINCRBY', KEYS[3], 'withdrawn', withdrawn)
redis.call('XADD', KEYS[2], 'MAXLEN', '1', '*', 'withdrawn', withdrawn)
return withdrawn

-- Keep a message once: note its id and append it to the orders, both or neither.
-- KEYS orders messages senders kitchen; ARGV key sender id event digest meaning quota
-- Answers {what, detail}: kept; waits; answered, the answer; reused; closed; flooded; absent.
local before = redis.call('HGET', KEYS[2], ARGV[1])
if before then
    local message = cjson.decode(before)
    if message.digest ~= ARGV[5] then
        return {'reused', ''}
    elseif message.answer then
        return {'answered', message.answer}
    end
    return {'waits', ''}
end
local closed = redis.call('HGET', KEYS[4], 'closed')
if not closed then
    return {'absent', ''}
elseif closed == '1' then
    return {'closed', ''}
elseif tonumber(redis.call('HGET', KEYS[3], ARGV[2]) or '0') >= tonumber(ARGV[7]) then
    return {'flooded', ''}
end
local entry = redis.call('XADD', KEYS[1], '*',
    'sender', ARGV[2], 'id', ARGV[3], 'event', ARGV[4], 'meaning', ARGV[6])
redis.call('HSETNX', KEYS[2], ARGV[1], cjson.encode({entry = entry, digest = ARGV[5]}))
redis.call('HINCRBY', KEYS[3], ARGV[2], 1)
return {'kept', entry}

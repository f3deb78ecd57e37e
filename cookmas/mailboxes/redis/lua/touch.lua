-- Renew the lease of an episode. A waiting process watches the beat; the server's time is for display.
-- KEYS lease episode; ARGV fence holder beat
local now = redis.call('TIME')
local time = tonumber(now[1]) + tonumber(now[2]) / 1000000
return redis.call('SET', KEYS[1], cjson.encode({holder = ARGV[2], beat = ARGV[3], time = time}))

-- Give a worker an assignment in place of the one before; without a timestep, ask whether it is there.
-- KEYS work kitchen; ARGV fence timestep assignment. Answers the entry.
return redis.call('XADD', KEYS[1], 'MAXLEN', '1', '*', 'timestep', ARGV[2], 'assignment', ARGV[3])

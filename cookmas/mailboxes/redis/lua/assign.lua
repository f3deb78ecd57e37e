-- Replace the assignment of a worker; without a timestep, ask whether the worker is connected.
-- KEYS work episode; ARGV fence timestep assignment facts. Returns the entry id.
return redis.call('XADD', KEYS[1], 'MAXLEN', '1', '*', 'timestep', ARGV[2], 'assignment', ARGV[3],
  'facts', ARGV[4] or '')

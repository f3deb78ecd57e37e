-- Store a worker's report on an assignment; without one, that the worker is connected.
-- Works when the memory is full.
-- KEYS reports; ARGV assignment action report
redis.call('DEL', KEYS[1] .. ':none')
return redis.call('XADD', KEYS[1], 'MAXLEN', '100', '*', 'assignment', ARGV[1], 'action', ARGV[2],
  'report', ARGV[3] or '')

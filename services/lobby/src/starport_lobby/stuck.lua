-- Starts that nobody has finished, each told to one asker until it is due again.
-- KEYS: starting
-- ARGV: before, now, count
local labels = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', ARGV[1], 'LIMIT', 0, ARGV[3])
for _, label in ipairs(labels) do
  redis.call('ZADD', KEYS[1], ARGV[2], label)
end
return labels

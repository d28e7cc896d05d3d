-- Gives a table that has not changed a later expiry.
-- KEYS: table, ends, then what each of its players has (open or started, as the table is)
-- ARGV: revision, expires, label
if redis.call('HGET', KEYS[1], 'revision') ~= ARGV[1] then
  return 0
end
redis.call('HSET', KEYS[1], 'expires', ARGV[2])
redis.call('PEXPIREAT', KEYS[1], ARGV[2])
redis.call('ZADD', KEYS[2], 'XX', ARGV[2], ARGV[3])
for index = 3, #KEYS do
  redis.call('ZADD', KEYS[index], ARGV[2], ARGV[3])
  redis.call('PEXPIREAT', KEYS[index], redis.call('ZRANGE', KEYS[index], -1, -1, 'WITHSCORES')[2])
end
return 1

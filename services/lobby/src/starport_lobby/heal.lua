-- Takes an entry out of the indexes if its table is gone, or expired by the clock of the lobby that asks.
-- KEYS: table, then the indexes
-- ARGV: label, now
if tonumber(redis.call('HGET', KEYS[1], 'expires') or '0') > tonumber(ARGV[2]) then
  return 0
end
for index = 2, #KEYS do
  redis.call('ZREM', KEYS[index], ARGV[1])
end
return 1

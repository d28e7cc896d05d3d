-- Removes consumers of a group that own nothing and were not heard of for a while: a removed consumer's pending entries are
-- lost, so looking and removing must be one step.
-- KEYS: bus
-- ARGV: group, idle time in ms, name of the only consumer to look at or ''
local removed = 0
for _, row in ipairs(redis.call('XINFO', 'CONSUMERS', KEYS[1], ARGV[1])) do
  local consumer = {}
  for i = 1, #row, 2 do
    consumer[row[i]] = row[i + 1]
  end
  if (ARGV[3] == '' or ARGV[3] == consumer.name) and consumer.pending == 0 and consumer.idle >= tonumber(ARGV[2]) then
    redis.call('XGROUP', 'DELCONSUMER', KEYS[1], ARGV[1], consumer.name)
    removed = removed + 1
  end
end
return removed

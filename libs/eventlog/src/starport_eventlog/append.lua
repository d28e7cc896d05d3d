-- Appends one record to a match's log if nobody was first, and tells the bus, the clocks and the expiry in the same step.
-- KEYS: log, bus, clocks
-- ARGV: version, record, match, bus body, is there a bus body (1/0), deadline in ms or '', expiry in s or '', most bus entries
-- A log has no gaps and is never trimmed, so its length is its last version. Nothing after this check can fail.
if redis.call('XLEN', KEYS[1]) ~= tonumber(ARGV[1]) - 1 then
  return 0
end
redis.call('XADD', KEYS[1], ARGV[1] .. '-0', 'r', ARGV[2])
if ARGV[5] == '1' then
  redis.call('XADD', KEYS[2], 'MAXLEN', '~', ARGV[8], '*', 'm', ARGV[3], 'v', ARGV[1], 'b', ARGV[4])
end
if ARGV[6] == '' then
  redis.call('ZREM', KEYS[3], ARGV[3])
else
  redis.call('ZADD', KEYS[3], ARGV[6], ARGV[3])
end
if ARGV[7] == '' then
  redis.call('PERSIST', KEYS[1])
else
  redis.call('EXPIRE', KEYS[1], ARGV[7])
end
return 1

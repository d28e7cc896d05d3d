-- Moves an entry from a group's pending ones to its dead letters, once.
-- KEYS: bus, dead letters
-- ARGV: group, entry id, error, most dead letters
local entry = redis.call('XRANGE', KEYS[1], ARGV[2], ARGV[2])[1]
if redis.call('XACK', KEYS[1], ARGV[1], ARGV[2]) == 0 then
  return 0
end
local fields = entry and entry[2] or {}
redis.call('XADD', KEYS[2], 'MAXLEN', '~', ARGV[4], '*', 'error', ARGV[3], unpack(fields))
return 1

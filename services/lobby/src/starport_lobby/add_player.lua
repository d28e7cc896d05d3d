-- Gives a name away for good. Asked again by the same owner, whose reply got lost, it says yes again.
-- KEYS: name, how many players there are
-- ARGV: owner, name, salt, hash, most players
local owner = redis.call('HGET', KEYS[1], 'owner')
if owner == ARGV[1] then
  return 'DONE'
end
if owner then
  return 'TAKEN'
end
if tonumber(redis.call('GET', KEYS[2]) or '0') >= tonumber(ARGV[5]) then
  return 'FULL'
end
redis.call('HSET', KEYS[1], 'owner', ARGV[1], 'name', ARGV[2], 'salt', ARGV[3], 'hash', ARGV[4])
redis.call('INCR', KEYS[2])
return 'DONE'

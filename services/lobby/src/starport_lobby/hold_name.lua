-- Keeps a name for a guest for a time, unless somebody else has it.
-- KEYS: name
-- ARGV: owner, until
local owner = redis.call('HGET', KEYS[1], 'owner')
if owner and owner ~= ARGV[1] then
  return 0
end
redis.call('HSET', KEYS[1], 'owner', ARGV[1])
redis.call('PEXPIREAT', KEYS[1], ARGV[2])
return 1

-- Whether a new table of a player would find room.
-- KEYS: ends, the player's open tables
-- ARGV: now, most tables, most per player
if redis.call('ZCOUNT', KEYS[1], '(' .. ARGV[1], '+inf') >= tonumber(ARGV[2]) then
  return 'TABLES_FULL'
end
if redis.call('ZCOUNT', KEYS[2], '(' .. ARGV[1], '+inf') >= tonumber(ARGV[3]) then
  return 'PLAYER_FULL'
end
return 'DONE'

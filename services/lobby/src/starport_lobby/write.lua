-- Changes one table if nobody was first, together with every index that names it.
-- KEYS: table, open, started, ends, waiting, starting; then two for each player: their open and their started tables.
-- The players who sit come first, after them who left.
-- ARGV: revision judged, now, label, place (open, starting, started, ended, gone), waits for players (1/0), created, expires,
--       body, options ('' unless new), most tables, most per player, which player joined (0: nobody),
--       kind that must not wait elsewhere (''), how many sit, most to sweep, most started, most started of one player
local revision, now, label, place = tonumber(ARGV[1]), ARGV[2], ARGV[3], ARGV[4]
local open, started, ends, waiting, starting = KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6]

if tonumber(redis.call('HGET', KEYS[1], 'revision') or '0') ~= revision then
  return 'RACE'
end
if revision == 0 then
  for _, dead in ipairs(redis.call('ZRANGEBYSCORE', ends, '-inf', now, 'LIMIT', 0, ARGV[15])) do
    for index = 2, 6 do
      redis.call('ZREM', KEYS[index], dead)
    end
  end
  if redis.call('ZCARD', ends) >= tonumber(ARGV[10]) then
    return 'TABLES_FULL'
  end
end
local joined = tonumber(ARGV[12])
if joined > 0 then
  local mine = KEYS[5 + 2 * joined]
  redis.call('ZREMRANGEBYSCORE', mine, '-inf', now)
  if redis.call('ZCARD', mine) >= tonumber(ARGV[11]) then
    return 'PLAYER_FULL'
  end
end
if ARGV[13] ~= '' then
  if #redis.call('ZRANGEBYLEX', waiting, '[' .. ARGV[13], '(' .. ARGV[13] .. '~', 'LIMIT', 0, 1) > 0 then
    return 'OTHERS_WAIT'
  end
end

-- Nothing after this line can fail.

local function put(index, score, on_it)
  if on_it then
    redis.call('ZADD', index, score, label)
  else
    redis.call('ZREM', index, label)
  end
end

local before_start = place == 'open' or place == 'starting'
put(open, ARGV[6], before_start)
put(started, ARGV[6], place == 'started')
put(ends, ARGV[7], before_start)
put(waiting, 0, ARGV[5] == '1')
put(starting, now, place == 'starting')
redis.call('ZREMRANGEBYRANK', started, 0, -1 - tonumber(ARGV[16]))

-- What a player has goes away with the last table in it.
local function put_mine(index, on_it)
  put(index, ARGV[7], on_it)
  local last = redis.call('ZRANGE', index, -1, -1, 'WITHSCORES')
  if #last > 0 then
    redis.call('PEXPIREAT', index, last[2])
  end
end

local sitting = tonumber(ARGV[14])
for player = 1, (#KEYS - 6) / 2 do
  local sits = player <= sitting
  put_mine(KEYS[5 + 2 * player], sits and before_start)
  put_mine(KEYS[6 + 2 * player], sits and place == 'started')
  redis.call('ZREMRANGEBYRANK', KEYS[6 + 2 * player], 0, -1 - tonumber(ARGV[17]))
end

if place == 'gone' then
  redis.call('DEL', KEYS[1])
  return 'DONE'
end
redis.call('HSET', KEYS[1], 'revision', revision + 1, 'expires', ARGV[7], 'body', ARGV[8])
if ARGV[9] ~= '' then
  redis.call('HSET', KEYS[1], 'options', ARGV[9])
end
redis.call('PEXPIREAT', KEYS[1], ARGV[7])
return 'DONE'

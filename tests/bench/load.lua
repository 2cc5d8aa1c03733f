-- For wrk: sends so many requests and no more, waits for every answer, and counts those without the expected
-- status. A script that loads this defines make_request(), and prepare(arguments) where it needs to.
--
-- Behind the URL: REQUESTS CONNECTIONS STATUS [MORE]. Prints: RESULT requests failed seconds p50 p99 (in ms)

local ffi = require("ffi")
ffi.cdef([[
	struct load_time { long seconds; long nanoseconds; };
	int clock_gettime(int clock, struct load_time *time);
	int getpid(void);
	int kill(int pid, int signal);
]])

local CLOCK_MONOTONIC = 1
local SIGINT = 2

-- Global, so that the script's own functions and thread:get() find them.
answered = 0
wrong = 0
started = 0
ended = 0

local wanted, connections, expected
local sent = 0
local parked = 0
local threads = {}

local function now()
	local time = ffi.new("struct load_time")
	ffi.C.clock_gettime(CLOCK_MONOTONIC, time)
	return tonumber(time.seconds) + tonumber(time.nanoseconds) / 1e9
end

-- Numbers that no other run has had.
function seed_random()
	local random = io.open("/dev/urandom", "rb")
	local seed = 0
	for byte in random:read(6):gmatch(".") do
		seed = seed * 256 + byte:byte()
	end
	random:close()
	math.randomseed(seed)
end

function setup(thread)
	table.insert(threads, thread)
end

function init(arguments)
	wanted, connections, expected = tonumber(arguments[1]), tonumber(arguments[2]), tonumber(arguments[3])
	seed_random()
	if prepare then
		prepare(arguments)
	end
	-- wrk asks for one request beforehand, to look at it only.
	sent = -1
end

-- A connection asks when its last answer is in. One that gets nothing to send stays silent; when all are,
-- this is the end. wrk would go on sleeping until its time is over: it takes SIGINT for the end.
local function park()
	parked = parked + 1
	if parked == connections then
		ended = now()
		ffi.C.kill(ffi.C.getpid(), SIGINT)
	end
	return ""
end

function request()
	if sent == wanted then
		return park()
	end
	if sent == 0 then
		started = now()
	end
	sent = sent + 1
	return make_request()
end

function response(status)
	answered = answered + 1
	if status ~= expected then
		wrong = wrong + 1
	end
end

function done(summary, latency)
	local errors = summary.errors
	local thread = threads[1]
	local failed = thread:get("wrong") + errors.connect + errors.read + errors.write + errors.timeout
	local seconds = thread:get("ended") - thread:get("started")
	io.write(string.format("RESULT %d %d %.4f %.3f %.3f\n", thread:get("answered"), failed, seconds,
		latency:percentile(50) / 1000, latency:percentile(99) / 1000))
end

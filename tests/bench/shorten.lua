-- wrk: POST /shorten with a new random URL in every request; prints what the shell script reads.
local random = io.open("/dev/urandom", "rb")
local seed = 0
for byte in random:read(6):gmatch(".") do
	seed = seed * 256 + byte:byte()
end
random:close()
math.randomseed(seed)

wrk.method = "POST"
wrk.headers["Content-Type"] = "application/json"

function request()
	local path = string.format("%08x%08x%08x", math.random(0, 2 ^ 31), math.random(0, 2 ^ 31), math.random(0, 2 ^ 31))
	return wrk.format(nil, nil, nil, '{"srcUrl":"https://example.com/articles/' .. path .. '"}')
end

function done(summary, latency)
	local errors = summary.errors
	local failed = errors.connect + errors.read + errors.write + errors.status + errors.timeout
	io.write(string.format("RESULT %d %.0f %d %.2f %.2f\n", summary.requests,
		summary.requests / (summary.duration / 1e6), failed, latency:percentile(50) / 1000, latency:percentile(99) / 1000))
end

-- wrk: GET of one link; every answer must be a 302. Prints what the shell script reads.
wrong = 0 -- global, for thread:get

function response(status)
	if status ~= 302 then
		wrong = wrong + 1
	end
end

local threads = {}

function setup(thread)
	table.insert(threads, thread)
	thread:set("wrong", 0)
end

function done(summary, latency)
	local errors = summary.errors
	local failed = errors.connect + errors.read + errors.write + errors.status + errors.timeout
	for _, thread in ipairs(threads) do
		failed = failed + thread:get("wrong")
	end
	io.write(string.format("RESULT %d %.0f %d %.2f %.2f\n", summary.requests,
		summary.requests / (summary.duration / 1e6), failed, latency:percentile(50) / 1000, latency:percentile(99) / 1000))
end

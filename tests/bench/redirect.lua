-- For wrk: GET of links at random. The fourth argument is the name of a file with their ids, one a line.
dofile("tests/bench/load.lua")

local requests = {}

function prepare(arguments)
	for id in io.lines(arguments[4]) do
		table.insert(requests, "GET /" .. id .. " HTTP/1.1\r\nHost: test.short\r\n\r\n")
	end
end

function make_request()
	return requests[math.random(#requests)]
end

-- For wrk: POST /shorten with a new random URL in every request. The fourth argument is the size of the URLs.
dofile("tests/bench/load.lua")

local PREFIX = "https://example.com/a/"
local format, random = string.format, math.random
local head

-- The request is put together here, as wrk.format() takes longer than all the rest.
function prepare(arguments)
	local url_size = tonumber(arguments[4]) or 50
	local filling = string.rep("a", url_size - #PREFIX - 24)
	local body_size = #'{"srcUrl":""}' + url_size

	head = format("POST /shorten HTTP/1.1\r\nHost: test.short\r\nContent-Type: application/json\r\n" ..
		'Content-Length: %d\r\n\r\n{"srcUrl":"%s%s', body_size, PREFIX, filling)
end

function make_request()
	return head .. format('%08x%08x%08x"}', random(0, 2 ^ 31), random(0, 2 ^ 31), random(0, 2 ^ 31))
end

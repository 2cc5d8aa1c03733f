-- For wrk: GET /hello.
dofile("tests/bench/load.lua")

function make_request()
	return "GET /hello HTTP/1.1\r\nHost: test.short\r\n\r\n"
end

-- Requests the paths of a file one after the other, each from a different address.
local folder = debug.getinfo(1).source:match("@(.*/)")
dofile(folder .. "result.lua")
local requests, index = {}, 0
function init(arguments)
  local paths = {}
  for line in io.lines(arguments[1]) do paths[#paths + 1] = line end
  for i = 1, 20000 do
    local headers = { ["Accept-Encoding"] = "br", ["X-Forwarded-For"] = address(i) }
    requests[i] = wrk.format("GET", paths[(i - 1) % #paths + 1], headers)
  end
end
function request()
  index = index % #requests + 1
  return requests[index]
end

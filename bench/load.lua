-- Requests the paths of a file one after the other, each from a different address.
local requests, index = {}, 0
function init(arguments)
  local paths = {}
  for line in io.lines(arguments[1]) do paths[#paths + 1] = line end
  for i = 1, 20000 do
    local headers = {
      ["Accept-Encoding"] = "br",
      ["X-Forwarded-For"] = string.format("10.%d.%d.%d", i / 65536, (i / 256) % 256, i % 256),
    }
    requests[i] = wrk.format("GET", paths[(i - 1) % #paths + 1], headers)
  end
end
function request()
  index = index % #requests + 1
  return requests[index]
end
function done(summary, latency)
  local errors = summary.errors
  io.write(string.format("RESULT %f %f %f %d\n", summary.requests / summary.duration * 1e6,
    latency:percentile(50) / 1000, latency:percentile(99) / 1000,
    errors.status + errors.connect + errors.read + errors.write + errors.timeout))
end

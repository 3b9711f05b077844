-- What the scripts for wrk share: the addresses of visitors and the line with the result.
function address(i)
  return string.format("10.%d.%d.%d", i / 65536, (i / 256) % 256, i % 256)
end
function done(summary, latency)
  local errors = summary.errors
  io.write(string.format("RESULT %d %f %f %f %d\n", summary.requests,
    summary.requests / summary.duration * 1e6,
    latency:percentile(50) / 1000, latency:percentile(99) / 1000,
    errors.status + errors.connect + errors.read + errors.write + errors.timeout))
end

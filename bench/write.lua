-- Sends the POST requests of a file (path, token and body, separated by tabs) one after the other,
-- each from a different address. @@ in a body becomes the number of the request.
local folder = debug.getinfo(1).source:match("@(.*/)")
dofile(folder .. "result.lua")
local templates, count = {}, 0
local run = os.time() % 100000
function init(arguments)
  for line in io.lines(arguments[1]) do
    local path, token, body = line:match("([^\t]*)\t([^\t]*)\t(.*)")
    templates[#templates + 1] = { path = path, token = token, body = body }
  end
end
function request()
  count = count + 1
  local template = templates[(count - 1) % #templates + 1]
  local headers = { ["Content-Type"] = "application/json", ["X-Forwarded-For"] = address(count) }
  if template.token ~= "" then headers["Authorization"] = template.token end
  local body = template.body:gsub("@@", run .. "-" .. count)
  return wrk.format("POST", template.path, headers, body)
end

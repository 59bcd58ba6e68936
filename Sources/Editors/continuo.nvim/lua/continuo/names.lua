-- SPDX-License-Identifier: MIT
-- File names and `file:` URIs; a name may hold any bytes but NUL.

local names = {}

function names.uri(path)
  local escaped = path:gsub("[^A-Za-z0-9%-%._~/]", function(byte) return string.format("%%%02X", byte:byte()) end)
  return "file://" .. escaped
end

-- Nil for anything but a file of this machine.
function names.path(uri)
  local escaped = type(uri) == "string" and uri:match("^file://[^/]*(/.*)$")
  return escaped and (escaped:gsub("%%(%x%x)", function(hex) return string.char(tonumber(hex, 16)) end))
end

-- The last part, for people.
function names.short(path) return path and (path:match("([^/]+)/*$") or path) or "a document" end

return names

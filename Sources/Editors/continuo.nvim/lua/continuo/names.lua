-- SPDX-License-Identifier: MIT
-- File names and `file:` URIs; a name may hold any bytes but NUL.

local shown = require("continuo.shown")

local names = {}

function names.uri(path)
  local escaped = path:gsub("[^A-Za-z0-9%-%._~/]", function(byte) return string.format("%%%02X", byte:byte()) end)
  return "file://" .. escaped
end

-- Nil for anything but a file of this machine.
function names.path(uri)
  local escaped = type(uri) == "string" and uri:match("^file://[^/]*(/.*)$")
  if not escaped then return nil end
  local path = escaped:gsub("%%(%x%x)", function(hex) return string.char(tonumber(hex, 16)) end)
  if not path:find("%z") then return path end
end

-- The whole, for people.
function names.shown(path) return shown.text(path) end

-- The last part, for people.
function names.short(path) return path and shown.text(path:match("([^/]+)/*$") or path) or "a document" end

return names

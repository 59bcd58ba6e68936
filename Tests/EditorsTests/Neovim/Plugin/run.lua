-- SPDX-License-Identifier: MIT
-- `nvim --headless -u NONE --cmd "let g:plugin = '…'" -S run.lua` runs all tests of the plugin.

local here = vim.fn.fnamemodify(debug.getinfo(1, "S").source:sub(2), ":p:h")
package.path = here .. "/?.lua;" .. package.path
local harness = require("harness")
harness.plugin = vim.g.plugin
local scripts = { "saving-tests", "drafts-tests", "continuing-tests", "hostile-tests", "versions-tests", "recent-tests" }
for _, name in ipairs(scripts) do
  dofile(here .. "/" .. name .. ".lua")
end
harness.finish()

-- SPDX-License-Identifier: MIT
-- Choosing between a file and its conflict copies.

local t = require("harness")

-- The server lists these; the person takes the choice whose text begins so.
local function listing(name, copy, choice)
  t.lua([[
    local name, copy, choice = ...
    _G.answers["document/versions"] = { versions = {
      { uri = name, document = true, changedAt = 1000, size = 5, readable = true },
      { uri = copy, document = false, device = "D\27[1m", putAside = "2026-11-22", changedAt = 2000, size = 7,
        readable = true },
    } }
    _G.answers["document/resolve"] = { aside = { { from = name, uri = copy } } }
    _G.asked = {}
    vim.ui.select = function(items, options, done)
      _G.asked = vim.tbl_map(options.format_item, items)
      for _, each in ipairs(items) do
        if options.format_item(each):find(choice, 1, true) == 1 then return done(each) end
      end
      done(nil)
    end
  ]], name, copy, choice)
end

local copy = "plan.sync-conflict-20261122-040000-ABCDEFG.md"

t.test("A document that is read again in another tab does not come to the front", function()
  t.write("plan.md", "one\n")
  t.write("other.md", "one\n")
  t.edit("other.md")
  t.command("tabnew")
  t.edit("plan.md")
  local fronts = #t.told("document/becomeCurrent")
  t.write("other.md", "two and more\n")
  t.say("document/changedOnDisk", { uri = t.uri("other.md"), change = "changed" })
  t.eventually("the new text", function() return t.value("getbufline('other.md', 1)[0]") == "two and more" end)
  t.equal({ t.value("expand('%:t')"), #t.told("document/becomeCurrent") }, { "plan.md", fronts })
end)

t.test("A version is kept, and its text is shown", function()
  t.write("plan.md", "mine\n")
  t.edit("plan.md")
  listing(t.uri("plan.md"), t.uri(copy), "Keep plan.sync")
  t.write("plan.md", "theirs\n")
  t.command("ContinuoResolve")
  t.eventually("the text", function() return t.value("getline(1)") == "theirs" end)
  t.equal(t.told("document/resolve"), { { uri = t.uri("plan.md"), keep = t.uri(copy) } })
  t.equal(#t.lua("return _G.asked"), 3)
end)

t.test("Unsaved text is not resolved away", function()
  t.write("plan.md", "mine\n")
  t.edit("plan.md")
  t.press("ix<Esc>")
  listing(t.uri("plan.md"), t.uri(copy), "Keep plan.sync")
  t.command("ContinuoResolve")
  t.eventually("a sentence", function()
    return table.concat(t.lua("return require('continuo').state().messages")):find("unsaved changes", 1, true) ~= nil
  end)
  t.equal(t.told("document/resolve"), {})
  t.equal(t.value("getline(1)"), "xmine")
end)

t.test("Two versions are shown side by side, whatever they are called", function()
  for index, name in ipairs({ copy, "| silent! write ran", "`touch ran`.md", "a\nb.md", "%", "+q" }) do
    t.write("plan.md", "mine\n")
    t.write(name, "theirs\n")
    if index == 1 then t.edit("plan.md") else t.command("buffer plan.md") end
    local uri = t.uri((name:gsub("[^A-Za-z0-9%-%._~]", function(byte) return string.format("%%%02X", byte:byte()) end)))
    listing(t.uri("plan.md"), uri, "Compare with")
    t.command("ContinuoResolve")
    t.eventually("two windows", function() return t.value("winnr('$') == 2 && getwinvar(1, '&diff') && &diff") == 1 end)
    t.equal(t.value("getline(1)"), "theirs")
    t.equal(t.read("ran"), nil)
    for _, each in ipairs(t.lua("return _G.asked")) do t.equal(each:find("%c"), nil) end
    t.command("tabclose")
  end
end)

t.test("A file without a copy has nothing to resolve", function()
  t.write("plan.md", "mine\n")
  t.edit("plan.md")
  t.lua([[_G.answers["document/versions"] = { versions = {} }]])
  t.command("ContinuoResolve")
  t.eventually("a sentence", function()
    return table.concat(t.lua("return require('continuo').state().messages")):find("nothing to resolve", 1, true) ~= nil
  end)
end)

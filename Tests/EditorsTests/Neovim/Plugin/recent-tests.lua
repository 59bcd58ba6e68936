-- SPDX-License-Identifier: MIT
-- Choosing among what apps kept for search. A program of the test's stands for `continuo`: it keeps its arguments.

local t = require("harness")

local entries = {
  { title = "Soup", app = "org.example.reader", type = "t", identifier = "1", id = "6f72.31",
    changedAt = "2026-11-29T05:00:00Z", webpageURL = "https://example.org/soup" },
  { title = "Plan", app = "org.example.writer", type = "t", identifier = "2", id = "6f72.32",
    changedAt = "2026-11-28T05:00:00Z", path = "/home/x/plan.md" },
}

-- What the program answers to `recent` and `search`, and to `--open`: what it prints, says as an error, and ends with.
local function program(list, open, how)
  t.write("list", list)
  t.write("open", open or "")
  how = how or {}
  t.write("errors", how.errors or "")
  t.write("program", "#!/bin/sh\ncd " .. t.path("") .. "\nprintf '%s\\0' \"$@\" >>said\nprintf '\\n' >>said\n" .. [[
case " $* " in
  *" --open --json "*) cat open; cat errors >&2; exit ]] .. (how.open or 0) .. [[;;
  *) ]] .. (how.wait or "") .. [[ cat list; cat errors >&2; exit ]] .. (how.list or 0) .. [[;;
esac
]])
  vim.fn.setfperm(t.path("program"), "rwx------")
  t.lua([[
    require("continuo").options().cmd = { (...), "serve", "--stdio" }
    _G.asked, _G.count = nil, 0
    vim.ui.select = function(items, options, done)
      _G.asked, _G.prompt = vim.tbl_map(options.format_item, items), options.prompt
      _G.count = _G.count + 1
      done(items[_G.number or 1])
    end
  ]], t.path("program"))
end

-- The arguments of each time that it ran.
local function said()
  local runs = {}
  for line in (t.read("said") or ""):gmatch("([^\n]*)%z\n") do
    table.insert(runs, vim.split(line, "\0", { plain = true }))
  end
  return runs
end

local function until_told(words)
  t.eventually(words, function()
    return table.concat(t.lua("return require('continuo').state().messages"), " "):find(words, 1, true) ~= nil
  end)
end

t.test("What is chosen is opened by its id, and not by its place in the list", function()
  program(vim.json.encode(entries), '{"app":"Writer","message":"Handed over to Writer."}')
  t.lua("_G.number = 2")
  t.command("ContinuoRecent")
  until_told("Handed over to Writer.")
  t.equal(said(), { { "recent", "--json", "--count", "100" }, { "recent", "--open", "--json", "--id=6f72.32" } })
  local lines = t.lua("return _G.asked")
  t.equal(lines[1]:match("^Soup  org%.example%.reader  2026%-11%-%d%d %d%d:%d%d  https://.*/soup$") ~= nil, true)
  t.equal(lines[2]:match("^Plan  org%.example%.writer  .*  /home/x/plan%.md$") ~= nil, true)
end)

t.test("A moment is told by the clock here", function()
  program(vim.json.encode(entries))
  local clocks = { ["UTC"] = "2026-11-29 05:00", ["XYZ-3:30"] = "2026-11-29 08:30", ["XYZ8"] = "2026-11-28 21:00" }
  for zone, clock in pairs(clocks) do
    t.lua("vim.env.TZ = ...; _G.asked = nil", zone)
    t.command("ContinuoRecent")
    t.eventually("the list", function() return t.lua("return _G.asked ~= nil") end)
    t.equal(t.lua("return _G.asked[1]:find(..., 1, true) ~= nil", clock), true)
  end
end)

t.test("Words are one argument behind --, whatever they say", function()
  local all = { "soup", "-x", "--open", "--help", "$(touch pwned)", "`touch pwned`", "; touch pwned",
    "| silent! write pwned", "%", "#", "\"lentil soup\"", "a  b", "é漢", "\27[31m" }
  program("[]")
  for number, words in ipairs(all) do
    t.lua("require('continuo').recent(...)", words)
    t.eventually("the program", function() return #said() == number end)
    t.equal(said()[number], { "search", "--json", "--count", "100", "--", words })
    until_told("nothing kept for search has: ")
    -- As a person types them.
    if not words:find("%c") then
      os.remove(t.path("said"))
      t.lua("vim.cmd('ContinuoRecent ' .. ...)", words)
      t.eventually("the program", function() return #said() == 1 end)
      t.equal(said()[1], { "search", "--json", "--count", "100", "--", words })
    end
    t.write("said", ("x\0\n"):rep(number))
  end
  t.equal(t.read("pwned"), nil)
  t.equal(table.concat(t.lua("return require('continuo').state().messages")):find("%c"), nil)
end)

t.test("A title and a path are one line of text", function()
  local nasty = "A\27[31m\nB | silent! write pwned\r$(touch pwned)`touch pwned`\226\128\174%"
  program(vim.json.encode({ { title = nasty, app = nasty, type = "t", identifier = nasty, id = "61.62",
    changedAt = nasty, path = nasty } }), vim.json.encode({ message = nasty }))
  t.command("ContinuoRecent")
  until_told("A�[31m B | silent! write pwned $(touch pwned)")
  t.equal(t.lua("return _G.asked[1]"):find("%c"), nil)
  t.equal(t.lua("return _G.asked[1]"):find("\226\128\174", 1, true), nil)
  t.equal(t.read("pwned"), nil)
end)

t.test("An id that is none is not given to a program", function()
  for _, id in ipairs({ "--open", "61", "61.62\n", "61.62 --x", "x.y", "" }) do
    program(vim.json.encode({ { title = "A", app = "b", changedAt = "c", id = id } }))
    t.lua("require('continuo').recent()")
    until_told("this needs a newer Continuo")
    t.equal(t.lua("return _G.asked"), vim.NIL)
  end
  program('[{"title":"A","app":"b","changedAt":"c"},7,null]')
  t.command("ContinuoRecent")
  until_told("it tells no id of what it lists")
  t.equal(#vim.tbl_filter(function(run) return vim.tbl_contains(run, "--open") end, said()), 0)
end)

t.test("What is in the way is said in a sentence", function()
  program("", nil, { list = 1, errors = "Error: No agent runs.\n" })
  t.command("ContinuoRecent")
  until_told(" No agent runs.")
  program("", nil, { list = 64, errors = "Error: Unexpected argument 'recent'\n" })
  t.command("ContinuoRecent")
  until_told("this needs a newer Continuo: Error: Unexpected argument")
  program("[]")
  t.command("ContinuoRecent")
  until_told("no app has kept anything for search")
  program("no JSON")
  t.command("ContinuoRecent")
  until_told("what continuo listed is no list")
  program(vim.json.encode(entries), '{"message":"No app here continues t."}', { open = 3 })
  t.command("ContinuoRecent")
  until_told("No app here continues t.")
  program(vim.json.encode(entries), "", { open = 1, errors = "Error: It is gone.\n" })
  t.command("ContinuoRecent")
  until_told(" It is gone.")
  t.lua("require('continuo').options().cmd = { '/no/such/program', 'serve', '--stdio' }")
  t.command("ContinuoRecent")
  until_told("/no/such/program does not start")
  t.lua("require('continuo').options().cmd = { 'true' }")
  t.command("ContinuoRecent")
  until_told("starts no `continuo serve`")
end)

t.test("The editor goes on meanwhile, and a list does not take the keys of who types", function()
  program(vim.json.encode(entries), nil, { wait = "while ! [ -e go ]; do :; done;" })
  t.write("plan.md", "one\n")
  t.edit("plan.md")
  t.command("ContinuoRecent")
  t.press("ix")
  t.equal({ t.mode(), t.value("getline(1)") }, { "i", "xone" })
  t.write("go", "")
  until_told("the list is there: :ContinuoRecent shows it")
  t.equal({ t.lua("return _G.asked"), t.mode() }, { vim.NIL, "i" })
end)

t.test("The list that was asked for last is the one that is shown", function()
  program(vim.json.encode(entries), nil, { wait = "case \"$*\" in recent*) while ! [ -e go ]; do :; done;; esac;" })
  t.command("ContinuoRecent")
  t.eventually("the first", function() return #said() == 1 end)
  t.command("ContinuoRecent soup")
  t.eventually("the second", function() return t.lua("return _G.prompt") == "Recently: soup" end)
  t.equal(said()[2], { "search", "--json", "--count", "100", "--", "soup" })
  t.lua("_G.prompt = nil")
  t.write("go", "")
  t.command("ContinuoRecent")
  t.eventually("the third", function() return t.lua("return _G.prompt") == "Recently, anywhere" end)
  t.equal(t.lua("return _G.count"), 2)
  t.equal(table.concat(t.lua("return require('continuo').state().messages")):find("ended with", 1, true), nil)
end)

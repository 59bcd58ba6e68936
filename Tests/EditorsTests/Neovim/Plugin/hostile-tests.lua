-- SPDX-License-Identifier: MIT
-- Names of files, titles and devices are data: nothing in them is a command, whatever bytes they hold.

local t = require("harness")

-- The names of Fixtures/hostile-names.txt, as bytes.
local function fixture()
  local here = vim.fn.fnamemodify(debug.getinfo(1, "S").source:sub(2), ":p:h")
  local found = {}
  for line in io.lines(here .. "/../../../../Fixtures/hostile-names.txt") do
    if line ~= "" and line:sub(1, 1) ~= "#" then
      table.insert(found, (line:gsub("\\x(%x%x)", function(hex) return string.char(tonumber(hex, 16)) end)))
    end
  end
  assert(#found > 50)
  return found
end

-- Those, and every byte that a name may have by itself.
local function names()
  local found = fixture()
  for byte = 1, 255 do
    local name = string.char(byte)
    if name ~= "/" and name ~= "." then
      if not vim.tbl_contains(found, name) then table.insert(found, name) end
      table.insert(found, "a" .. name .. "b.md")
    end
  end
  return found
end

local function uri(name)
  return t.uri((name:gsub("[^A-Za-z0-9%-%._~]", function(byte) return string.format("%%%02X", byte:byte()) end)))
end

local function write(name, text)
  if #name > 255 then error("no name: " .. name) end
  t.write(name, text)
end

local function offer(name, id)
  return {
    id = id or "o1", device = name, type = "public.text-editing", app = name, title = name, path = name, uri = uri(name),
    folder = name, remark = name, changedAt = 1, unsavedChanges = false, status = { arrival = "current", reason = name },
  }
end

local function restore(name)
  t.say("offers/didChange", { offers = { offer(name) } })
  t.lua("require('continuo').resume()")
  t.say("continuation/willContinue", { request = "r1", offer = offer(name) })
  return t.ask("document/restore", {
    request = "r1", uri = uri(name), offer = offer(name), readOnly = false,
    place = { position = { line = 0, character = 0 } },
  })
end

-- Nothing ran: no command of a name's made a file or a variable.
local function unhurt(name)
  t.lua("vim.wait(0)")
  local made = vim.fn.glob(t.path("*pwned*"), true, true)
  for _, each in ipairs(made) do
    if vim.fn.fnamemodify(each, ":t"):match("^pwned%d*$") then error("a command ran: " .. vim.inspect(name)) end
  end
  if t.lua("return (vim.g.continuo_pwned or _G.continuo_pwned) ~= nil") then error("a command ran: " .. vim.inspect(name)) end
end

-- Calls `body` with every name, and tells what was wrong of the first.
local function each(list, body)
  local wrong = {}
  for number, name in ipairs(list) do
    local isRight, failure = pcall(body, name, number)
    if not isRight then table.insert(wrong, vim.inspect(name) .. ": " .. tostring(failure)) end
    if #wrong == 3 then break end
    os.remove(t.path("pwned"))
    t.lua("vim.g.continuo_pwned, _G.continuo_pwned = nil, nil")
  end
  if #wrong > 0 then error("the first wrong names:\n" .. table.concat(wrong, "\n")) end
end

-- The person types an x before the text, and the round saves it.
local function type_and_save(name, text)
  t.press("ggix<Esc>")
  local answer = t.ask("activity/update", { uri = uri(name) })
  t.equal({ name, t.read(name), answer.edited }, { name, "x" .. text, false })
end

local function is_shown(name, text)
  t.equal({ t.lua("return vim.api.nvim_buf_get_name(0)"), t.value("getline(1, '$')") }, { t.path(name), { text } })
end

-- With what most people have on: file types, plugins of Neovim's own, swap files, undo files.
local function dress()
  t.lua([[
    vim.fn.mkdir(vim.fn.getcwd() .. "/.state", "p")
    vim.o.directory, vim.o.undodir = vim.fn.getcwd() .. "/.state//", vim.fn.getcwd() .. "/.state"
    vim.o.updatecount, vim.o.undofile, vim.o.swapfile = 200, true, true
    vim.cmd("filetype plugin indent on")
    vim.cmd("syntax on")
    vim.cmd("runtime! plugin/*.vim")
  ]])
end

for _, dressed in ipairs({ false, true }) do
  local how = dressed and ", with plugins and file types" or ""

  t.test("A name is data when its offer is continued" .. how, function()
    t.write("plan.md", "one\n")
    t.edit("plan.md")
    if dressed then dress() end
    each(names(), function(name, number)
      -- Neovim's own plugin shows what is packed in it.
      if dressed and name:match("%.docx$") then return end
      local text = "text " .. number
      write(name, text .. "\n")
      local answer = restore(name)
      unhurt(name)
      t.equal({ name, answer.opened, answer.message }, { name, true, nil })
      is_shown(name, text)
      type_and_save(name, text .. "\n")
      unhurt(name)
    end)
  end)

  t.test("A name is data when an open file is moved to it" .. how, function()
    if dressed then dress() end
    write("plan.md", "one\n")
    t.edit("plan.md")
    local old, text = "plan.md", "one\n"
    each(names(), function(name)
      assert(os.rename(t.path(old), t.path(name)))
      t.say("document/changedOnDisk", { uri = uri(old), change = "moved", newUri = uri(name) })
      local before = old
      old = name
      unhurt(name)
      is_shown(name, text:sub(1, -2))
      type_and_save(name, text)
      unhurt(name)
      text = "x" .. text
      t.equal({ before, t.read(before) }, { before, nil })
    end)
    t.equal(t.value("len(nvim_list_bufs())"), 1)
  end)
end

t.test("A title in the status line is data", function()
  t.write("plan.md", "one\n")
  t.edit("plan.md")
  t.lua("vim.o.statusline = \"%{%v:lua.require'continuo'.statusline()%}\"")
  each(names(), function(name, number)
    t.say("offers/didChange", { offers = { offer(name, "o" .. number) } })
    local line = t.lua("return require('continuo').statusline()")
    local shown = t.lua("return vim.api.nvim_eval_statusline(..., { maxwidth = 2000 }).str", line)
    local again = t.lua("return vim.api.nvim_eval_statusline(vim.o.statusline, { maxwidth = 2000 }).str")
    unhurt(name)
    t.equal({ name, shown }, { name, again })
    t.equal({ name, shown:match("[%c]") }, { name, nil })
    if name:match("^[%g ]+$") and name:match("%S") then t.equal(shown, "⇄ " .. name) end
    t.press("<C-l>")
  end)
end)

-- One line of well-formed text, in which nothing directs a terminal or hides.
local function is_clean(name, text)
  local hidden = { "\226\128[\139-\143\168-\174]", "\226\129[\160-\175]", "\239\187\191", "\243\160", "\194[\128-\159]", "\216\156" }
  if text:find("%c") then error(vim.inspect(name) .. " is shown as " .. vim.inspect(text)) end
  for _, each in ipairs(hidden) do
    if text:find(each) then error(vim.inspect(name) .. " is shown as " .. vim.inspect(text)) end
  end
  -- What is no UTF-8 is no JSON.
  t.equal({ name, t.lua("return pcall(vim.fn.json_decode, vim.json.encode(...))", text) }, { name, true })
end

t.test("Messages show names, titles, devices and reasons in one line", function()
  t.write("plan.md", "one\n")
  t.edit("plan.md")
  local messages = {
    function(name)
      t.say("document/changedOnDisk", { uri = t.uri("plan.md"), change = "conflict", copies = { uri(name) } })
    end,
    function(name) t.say("activity/wasContinued", { uri = uri(name), device = name }) end,
    function(name) t.say("activity/withheld", { uri = uri(name), reason = "no: " .. name .. uri(name) }) end,
    function(name) t.say("continuation/didFail", { request = "r9", code = "x", message = "no: " .. name, shown = true }) end,
    function(name) t.say("connection/didChange", { connected = false, message = "gone: " .. name .. uri(name) }) end,
    function(name) t.lua("require('continuo').resume(...)", "nobody's " .. name) end,
  }
  t.say("offers/didChange", { offers = {} })
  each(names(), function(name)
    t.forget()
    for _, message in ipairs(messages) do message(name) end
    t.eventually("the messages", function() return #t.told("notify") >= #messages end)
    unhurt(name)
    for _, text in ipairs(t.told("notify")) do is_clean(name, text) end
    for _, text in ipairs(t.lua("return require('continuo').report()")) do is_clean(name, text) end
  end)
end)

t.test("What becomes of a document's file is told in one line, and its text stays", function()
  t.write("plan.md", "one\n")
  t.edit("plan.md")
  each(names(), function(name)
    t.forget()
    -- Names that are shown alike make sentences that are alike, and each is told once.
    t.lua("require('continuo.messages').again()")
    write(name, "one\n")
    restore(name)
    t.eventually("the document", function() return #t.told("document/open") > 0 end)
    t.press("ix<Esc>")
    write(name, "two\n")
    t.say("document/changedOnDisk", { uri = uri(name), change = "changed" })
    os.remove(t.path(name))
    t.say("document/changedOnDisk", { uri = uri(name), change = "deleted" })
    local answer = t.ask("activity/update", { uri = uri(name) })
    t.equal({ answer.edited, t.read(name) }, { true, nil })
    is_clean(name, answer.title)
    t.eventually("three messages", function() return #t.told("notify") == 3 end)
    for _, text in ipairs(t.told("notify")) do is_clean(name, text) end
    t.equal(t.value("getline(1)"), "xone")
    unhurt(name)
    t.command("bwipeout!")
  end)
end)

t.test("An offer's title is shown, completed, chosen and accepted as data", function()
  t.write("plan.md", "one\n")
  t.edit("plan.md")
  t.lua([[
    -- A long command line wants no Enter afterwards.
    vim.o.cmdheight = 12
    vim.ui.select = function(items, options, chosen)
      _G.choice = vim.tbl_map(options.format_item, items)
      table.insert(_G.choice, options.prompt)
      chosen(items[1])
    end
  ]])
  each(names(), function(name, number)
    t.forget()
    local id = "o" .. number
    t.say("offers/didChange", { offers = { offer(name, id), offer("other.md", "other") } })
    local prompt = t.lua("return require('continuo').state().prompt")
    is_clean(name, prompt)
    local titles = t.lua("return vim.fn.getcompletion('ContinuoResume ', 'cmdline')")
    for _, title in ipairs(titles) do is_clean(name, title) end
    -- The person takes what completion offers.
    t.press(":ContinuoResume <C-i><CR>")
    t.eventually("the acceptance", function() return #t.told("continuation/accept") > 0 end)
    t.command("ContinuoOffers")
    for _, line in ipairs(t.lua("return _G.choice")) do is_clean(name, line) end
    t.say("continuation/willContinue", { request = "r1", offer = offer(name, id) })
    t.say("continuation/progress", {
      request = "r1", offer = offer(name, id), status = { arrival = "behind", reason = name, received = 1, expected = 2 },
    })
    is_clean(name, t.lua("return require('continuo').state().prompt"))
    t.command("ContinuoChoose")
    for _, line in ipairs(t.lua("return _G.choice")) do is_clean(name, line) end
    t.lua("return vim.api.nvim_exec('ContinuoStatus', true)")
    for _, text in ipairs(t.lua("return require('continuo').report()")) do is_clean(name, text) end
    t.say("continuation/didFail", { request = "r1", code = "userCancelled", message = name, shown = false })
    unhurt(name)
  end)
end)

t.test("Health tells of files with any names", function()
  t.write("plan.md", "one\n")
  t.edit("plan.md")
  for number, name in ipairs(fixture()) do
    write(name, "one\n")
    restore(name)
    if number % 12 == 0 then
      t.command("silent checkhealth continuo")
      local lines = t.lua("return vim.api.nvim_buf_get_lines(0, 0, -1, false)")
      t.equal(table.concat(lines, "\n"):match("Failed to run healthcheck"), nil)
      for _, line in ipairs(lines) do is_clean(name, line) end
      t.command("bwipeout!")
    end
    unhurt(name)
  end
end)

t.test("A URI that is no file's name opens nothing", function()
  t.write("plan.md", "one\n")
  t.edit("plan.md")
  for _, each in ipairs({ t.uri("plan.md%00.md"), "file:plan.md", "plan.md", "http://x/plan.md", t.path("plan.md"), "" }) do
    t.equal(t.ask("document/restore", { request = "r1", uri = each }).opened, false)
    t.say("document/changedOnDisk", { uri = each, change = "deleted" })
    t.say("document/changedOnDisk", { uri = t.uri("plan.md"), change = "moved", newUri = each })
  end
  is_shown("plan.md", "one")
end)

t.test("A copy's move in another folder leads no buffer away", function()
  t.write("plan.md", "one\n")
  t.write("second.md", "one\n")
  t.edit("plan.md")
  t.say("document/changedOnDisk", { uri = t.uri("plan.md"), change = "moved", newUri = t.uri("second.md") })
  t.press("ix<Esc>")
  t.ask("activity/update", { uri = t.uri("plan.md") })
  t.equal({ t.read("plan.md"), t.read("second.md") }, { "xone\n", "one\n" })
end)

t.test("What is shown is cleaned once and for all, and ordinary text stays as it is", function()
  t.lua([[
    local shown = require("continuo.shown").text
    for given, expected in pairs({
      ["é漢😀 100%.md"] = "é漢😀 100%.md", ["a\nb\t\r\226\128\168c"] = "a b   c", ["\27[2J"] = "�[2J", ["\194\155"] = "�",
      ["a\226\128\139b\239\187\191\243\160\129\161"] = "ab", ["\226\128\174dm.exe"] = "dm.exe", ["\255\192\175"] = "���",
      ["\127"] = "�", [""] = "",
    }) do
      assert(shown(given) == expected, vim.inspect({ given, shown(given) }))
      assert(shown(expected) == expected)
    end
    assert(#shown(("a\204\129"):rep(9999)) <= 4096)
  ]])
end)

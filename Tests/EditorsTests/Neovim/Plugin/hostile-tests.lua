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
    if name ~= "/" and name ~= "." then vim.list_extend(found, { name, "a" .. name .. "b.md" }) end
  end
  return found
end

local function uri(name)
  return t.uri((name:gsub(".", function(byte) return string.format("%%%02X", byte:byte()) end)))
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

-- Calls `body` with every name, and tells what was wrong of all.
local function each(list, body)
  local wrong = {}
  for number, name in ipairs(list) do
    local isRight, failure = pcall(body, name, number)
    if not isRight then table.insert(wrong, vim.inspect(name) .. ": " .. tostring(failure)) end
    os.remove(t.path("pwned"))
    t.lua("vim.g.continuo_pwned, _G.continuo_pwned = nil, nil")
  end
  if #wrong > 0 then error(#wrong .. " of " .. #list .. " names\n" .. table.concat(wrong, "\n")) end
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

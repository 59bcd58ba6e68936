-- SPDX-License-Identifier: MIT
-- Text in buffers without a file: offered, handed over, and taken.

local t = require("harness")

-- A buffer without a file, with that text, which the server calls "d1".
local function begin(text)
  t.lua("_G.answers['activity/create'] = { activity = 'd1' }")
  t.press("i" .. text .. "<Esc>")
  t.eventually("the draft to be current", function() return #t.told("activity/becomeCurrent") == 1 end)
end

local function round(device) return t.ask("activity/update", { activity = "d1", requestedBy = device }) end

local function restore(text, more)
  t.lua("require('continuo.connection').start()")
  local params = {
    request = "r1", draft = text, readOnly = false, activity = { type = "public.text-editing", title = "Untitled" },
    offer = { id = "o1", device = "laptop", title = "Untitled", type = "public.text-editing" },
  }
  return t.ask("document/restore", vim.tbl_extend("force", params, more or {}))
end

local function lines() return t.lua("return vim.api.nvim_buf_get_lines(0, 0, -1, false)") end

t.test("Text in a buffer without a file is offered, and handed over only where a device asks", function()
  begin("one<CR>two")
  t.equal(t.told("activity/create")[1], { type = "public.text-editing", title = "Untitled", draft = true })
  t.equal(t.told("initialize")[1].capabilities.drafts, true)
  t.equal(round(nil), { edited = true, title = "Untitled" })
  local answer = round("laptop")
  t.equal({ answer.draft, answer.place.position }, { "one\ntwo\n", { line = 1, character = 2 } })
  t.equal(t.told("document/open"), {})
end)

t.test("What is typed on is another state", function()
  begin("one")
  t.press("A!<Esc>")
  t.eventually("the change", function() return #t.told("activity/set") == 1 end)
  t.press("hl")
  t.equal(#t.told("activity/set"), 1)
end)

t.test("An empty buffer, and one that is no text, is nobody's business", function()
  t.command("enew")
  t.press("ix<BS><Esc>")
  t.command("new")
  t.lua("vim.bo.buftype = 'nofile'")
  t.press("ix<Esc>")
  t.command("help")
  t.equal(t.told("activity/create"), {})
end)

t.test("A draft that is saved is a document, and one that is closed is gone", function()
  begin("one")
  t.command("write " .. t.path("kept.md"))
  t.eventually("the end of the draft", function() return #t.told("activity/invalidate") == 1 end)
  t.eventually("the document", function() return #t.told("document/open") == 1 end)
  t.forget()
  t.command("enew")
  begin("two")
  t.command("bwipeout!")
  t.eventually("the end of the draft", function() return #t.told("activity/invalidate") == 1 end)
end)

t.test("The draft in front is the current one", function()
  t.write("plan.md", "one\n")
  begin("one")
  t.command("set hidden")
  t.edit("plan.md")
  t.equal(t.told("activity/resignCurrent")[1], { activity = "d1" })
  t.command("buffer 1")
  t.equal(#t.told("activity/becomeCurrent"), 2)
end)

t.test("A text that is too large, or no UTF-8, is refused in a sentence", function()
  begin("one")
  t.lua("vim.api.nvim_buf_set_lines(0, 0, -1, false, { ('x'):rep(4194304) })")
  t.equal(round("laptop").refusal, "Its text is too large to be handed over without a file.")
  t.lua("vim.api.nvim_buf_set_lines(0, 0, -1, false, { 'a\\255b' })")
  t.equal(round("laptop").refusal, "Its text is not UTF-8, and not handed over without a file.")
  t.equal(round("laptop").draft, nil)
end)

t.test("A text from another device comes into a new buffer without a file, and nothing is lost by it", function()
  t.press("imine<Esc>")
  local former = t.value("bufnr()")
  local answer = restore("one\ntwo\n", { place = { position = { line = 1, character = 1 } } })
  t.equal(answer, { opened = true })
  t.equal(lines(), { "one", "two" })
  t.equal(t.lua("return vim.api.nvim_win_get_cursor(0)"), { 2, 1 })
  t.equal({ t.value("bufname()"), t.value("&modified"), t.value("&buftype") }, { "", 1, "" })
  t.equal(t.lua("return vim.api.nvim_buf_get_lines(" .. former .. ", 0, -1, false)"), { "mine" })
  t.eventually("a message", function() return #t.told("notify") == 1 end)
  t.equal(t.told("notify")[1], "continuo: Untitled from laptop is here; it is in no file yet")
  t.eventually("both to be drafts", function() return #t.told("activity/create") == 2 end)
end)

t.test("Whoever types is not disturbed by a text that comes", function()
  t.press("imine")
  t.equal(restore("one\n").opened, true)
  t.equal({ t.mode(), lines() }, { "i", { "mine" } })
  t.press("<Esc>")
  t.eventually("a message", function() return #t.told("notify") == 1 end)
  t.equal(t.told("notify")[1]:match("Untitled from laptop is here, in buffer %d+") ~= nil, true)
end)

t.test("Nothing in a text or its title is carried out", function()
  local text = "vim: set modeline ft=lua tw=13:\n:quit\n<Esc>:qa!\n"
  t.equal(restore(text, { offer = { device = "lap\ntop%#Error#", title = "a\27[2J|quit" } }).opened, true)
  t.equal(#lines(), 3)
  t.equal({ t.value("&textwidth"), t.value("&filetype") }, { 0, "" })
end)

t.test("Line ends come along, and so does the lack of the last one", function()
  t.equal(restore("one\r\ntwo\r\n").opened, true)
  t.equal({ lines(), t.value("&fileformat"), t.value("&endofline") }, { { "one", "two" }, "dos", 1 })
  t.equal(restore("one").opened, true)
  t.equal({ lines(), t.value("&endofline") }, { { "one" }, 0 })
end)

t.test("It is said where the person went on, until they type here again", function()
  begin("one")
  t.say("activity/wasContinued", { activity = "d1", device = "laptop", givenUp = true })
  local function line() return t.lua("return require('continuo.others').statusline()") end
  t.equal(line(), "continued on laptop")
  t.press("A!<Esc>")
  t.eventually("the line to go", function() return line() == "" end)
end)

t.test("A new server hears of it again", function()
  begin("one")
  t.lua("_G.answers['activity/create'] = { activity = 'd2' }")
  t.lua("_G.dispatchers.on_exit(1, 0)")
  t.eventually("the next server", function() return #t.told("activity/create") == 2 end)
  t.eventually("it to be current", function() return #t.told("activity/becomeCurrent") == 2 end)
  t.equal(t.told("activity/becomeCurrent")[2], { activity = "d2" })
end)

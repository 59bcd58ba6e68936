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
    request = "r1", draft = text, readOnly = false,
    activity = { type = "public.text-editing", title = "Untitled" },
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
  t.command("doautocmd TextChanged")
  t.lua("vim.wait(400)")
  t.equal(#t.told("activity/set"), 1)
end)

t.test("What went along when a device asked is not told later as typed after that", function()
  begin("one")
  t.press("A!<Esc>")
  t.equal(round("laptop").draft, "one!\n")
  t.lua("vim.wait(400)")
  t.equal(t.told("activity/set"), {})
  t.press("A?<Esc>")
  t.eventually("the change", function() return #t.told("activity/set") == 1 end)
end)

t.test("An empty buffer, and one that is no text, is nobody's business", function()
  t.write("plan.md", "one\n")
  t.edit("plan.md")
  local function type_in(command)
    t.command("new | " .. command)
    t.press("ix<Esc>")
  end
  type_in("set buftype=acwrite")
  type_in("set nobuflisted")
  type_in("file none.md")
  t.command("new | call setline(1, 'x') | set nomodified | doautocmd TextChanged")
  t.command("help")
  t.command("enew")
  t.press("ix<BS><Esc>")
  t.lua("vim.wait(400)")
  -- The x may be there for a moment, and is gone.
  t.equal(#t.told("activity/create"), #t.told("activity/invalidate"))
  t.equal(#t.told("activity/create") < 2, true)
end)

t.test("A draft that is saved is a document, and one that is closed is gone", function()
  begin("one")
  t.lua("vim.wait(400)")
  t.command("write " .. t.path("kept.md"))
  t.eventually("the end of the draft", function() return #t.told("activity/invalidate") == 1 end)
  t.eventually("the document", function() return #t.told("document/open") == 1 end)
  t.forget()
  t.command("enew")
  begin("two")
  t.lua("vim.wait(400)")
  t.command("bwipeout!")
  t.eventually("the end of the draft", function() return #t.told("activity/invalidate") == 1 end)
end)

t.test("A draft that is emptied, named or not modified is none any more, and may be one again", function()
  local changes = {
    "normal! dd", "undo", "file named.md", "set nomodified", "set nobuflisted", "set buftype=acwrite",
  }
  for _, change in ipairs(changes) do
    begin("one")
    t.lua("vim.wait(400)")
    t.forget()
    t.command(change)
    t.eventually(change, function() return #t.told("activity/invalidate") == 1 end)
    t.forget()
    t.command("enew!")
  end
  t.press("ione<Esc>")
  t.eventually("the next", function() return #t.told("activity/becomeCurrent") == 1 end)
end)

t.test("Text that was there before the person looks at it is a draft once they do", function()
  t.lua("_G.answers['activity/create'] = { activity = 'd1' }")
  t.lua("vim.api.nvim_buf_set_lines(vim.api.nvim_create_buf(true, false), 0, -1, false, { 'one' })")
  t.command("buffer 2")
  t.eventually("the draft to be current", function() return #t.told("activity/becomeCurrent") == 1 end)
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
  t.eventually("two messages", function() return #t.told("notify") == 2 end)
  t.equal(t.lua("return require('continuo').state().messages[2]"):sub(10),
    "Untitled: Its text is not UTF-8, and not handed over without a file.")
end)

t.test("A text whose message would be too long for the server is refused", function()
  begin("one")
  t.lua("vim.api.nvim_buf_set_lines(0, 0, -1, false, { ('\27'):rep(1400000) })")
  t.equal(round("laptop"), {
    edited = true, title = "Untitled", refusal = "Its text is too large to be handed over without a file.",
  })
  t.lua("vim.api.nvim_buf_set_lines(0, 0, -1, false, { ('x'):rep(4194303) })")
  t.equal(#round("laptop").draft, 4194304)
end)

t.test("The text is what a file would have", function()
  begin("one<CR>two")
  local function text(command)
    t.command("set " .. command)
    return round("laptop").draft
  end
  t.equal(text("fileformat=dos"), "one\r\ntwo\r\n")
  t.equal(text("bomb"), "\239\187\191one\r\ntwo\r\n")
  t.equal(text("nobomb fileformat=unix noendofline"), "one\ntwo\n")
  t.equal(text("nofixendofline"), "one\ntwo")
  t.equal(text("fixendofline binary"), "one\ntwo")
end)

t.test("A text from another device comes into a new buffer, and nothing is lost by it", function()
  t.press("imine<Esc>")
  local former = t.value("bufnr()")
  local function waits() return t.lua("return require('continuo').statusline()") end
  local offer = { id = "o1", device = "laptop", title = "Untitled" }
  t.say("continuation/willContinue", { request = "r1", offer = offer })
  t.equal(waits(), "⇄ … Untitled")
  local answer = restore("one\ntwo\n", { place = { position = { line = 1, character = 1 } } })
  t.equal({ answer, waits() }, { { opened = true }, "" })
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
  t.equal(restore("one\ntwo\n", { place = { position = { line = 1, character = 1 } } }).opened, true)
  t.equal({ t.mode(), lines() }, { "i", { "mine" } })
  t.press("<Esc>")
  t.eventually("a message", function() return #t.told("notify") == 1 end)
  t.equal(t.lua("return require('continuo').state().messages[1]"):sub(10),
    "Untitled from laptop is here; it is in no file yet; :ContinuoJump shows it")
  t.equal(lines(), { "mine" })
  t.command("ContinuoJump")
  t.equal({ lines(), t.lua("return vim.api.nvim_win_get_cursor(0)") }, { { "one", "two" }, { 2, 1 } })
  -- It can be handed over from the beginning, as the one that is shown.
  t.eventually("both to be drafts", function() return #t.told("activity/create") == 2 end)
  t.press("i")
  restore("three\n")
  t.press("<Esc>")
  t.command("ContinuoJump")
  t.equal(lines(), { "three" })
end)

t.test("Nothing in a text or its title is carried out", function()
  local text = "vim: set modeline ft=lua tw=13:\n:quit\n<Esc>:qa!\n"
  t.equal(restore(text, { offer = { device = "lap\ntop%#Error#", title = "a\27[2J|quit" } }).opened, true)
  t.equal(#lines(), 3)
  t.equal({ t.value("&textwidth"), t.value("&filetype") }, { 0, "" })
  t.equal(t.lua("return require('continuo').state().messages[1]"):sub(10),
    "a\239\191\189[2J|quit from lap top%#Error# is here; it is in no file yet")
  t.equal(t.lua("return vim.fn.bufnr('$')"), 2)
end)

t.test("A text comes with all that is in it, and goes on as it came", function()
  t.command("set fileencoding=latin1")
  local texts = {
    "one\r\ntwo\n", "one\ntwo\r\n", "one\r\ntwo\r\n", "\239\187\191é\n", "a\0b\n", "one\rtwo\n", "\n\n",
    "😀\n",
  }
  for number, text in ipairs(texts) do
    local id = "d" .. number
    t.lua("_G.answers['activity/create'] = { activity = ... }", id)
    t.equal(restore(text).opened, true)
    t.eventually("the draft", function() return #t.told("activity/becomeCurrent") == number end)
    t.equal(t.ask("activity/update", { activity = id, requestedBy = "phone" }).draft, text)
    t.equal(t.value("&fileencoding"), "utf-8")
  end
end)

t.test("A text that came is not undone away, and what is typed in it is", function()
  restore("one\n")
  t.press("u")
  t.equal(lines(), { "one" })
  t.press("A!<Esc>u")
  t.equal({ lines(), t.value("&modified") }, { { "one" }, 1 })
end)

t.test("A text is selected as it was there, beside a window that shows no file", function()
  t.command("help")
  local place = { position = { line = 1, character = 3 }, selection = { line = 1, character = 0 } }
  restore("one\ntwo\n", { place = place })
  t.equal({ t.mode(), lines() }, { "v", { "one", "two" } })
  t.equal({ t.value("getbufvar(winbufnr(1), '&buftype')"), t.value("getbufvar(winbufnr(2), '&buftype')") },
    { "help", "" })
end)

t.test("An empty title is no title, and a reason is told", function()
  restore("one\n", {
    offer = { device = "laptop", title = "" }, status = { arrival = "current", reason = "as it was at ten" },
  })
  t.equal(t.lua("return require('continuo').state().messages[1]"):sub(10),
    "Untitled from laptop is here; it is in no file yet: as it was at ten")
end)

t.test("Line ends come along, and so does the lack of the last one", function()
  t.equal(restore("one\r\ntwo\r\n").opened, true)
  t.equal({ lines(), t.value("&fileformat"), t.value("&endofline") }, { { "one", "two" }, "dos", 1 })
  t.equal(restore("one").opened, true)
  t.equal({ lines(), t.value("&fileformat"), t.value("&endofline") }, { { "one" }, "unix", 0 })
end)

t.test("It is said where the person went on, until they type here again", function()
  begin("one")
  t.say("activity/wasContinued", { activity = "d1", device = "laptop", givenUp = true })
  local function line() return t.lua("return require('continuo.others').statusline()") end
  t.equal(line(), "continued on laptop")
  local told = "Untitled, buffer 1: in no file; continued on laptop"
  t.equal(t.lua("return table.concat(require('continuo').report())"):match(told), told)
  t.press("A!<Esc>")
  t.eventually("the line to go", function() return line() == "" end)
end)

t.test("Nothing is said of a draft that another device goes on with until something is typed here", function()
  begin("one")
  t.say("activity/wasContinued", { activity = "d1", device = "laptop", givenUp = true })
  t.forget()
  t.command("set hidden")
  t.command("enew")
  t.command("buffer 1")
  t.lua("_G.dispatchers.on_exit(1, 0)")
  t.eventually("the next server", function() return #t.told("initialize") == 1 end)
  t.lua("vim.wait(400)")
  for _, method in ipairs({ "activity/create", "activity/becomeCurrent", "activity/resignCurrent" }) do
    t.equal({ method, t.told(method) }, { method, {} })
  end
  t.lua("_G.answers['activity/create'] = { activity = 'd2' }")
  t.press("A!<Esc>")
  t.eventually("the draft", function() return #t.told("activity/becomeCurrent") == 1 end)
  t.say("activity/wasContinued", { activity = "d2", device = "laptop", givenUp = true })
  t.command("enew")
  t.command("buffer 1")
  t.press("A?<Esc>")
  t.eventually("it to be current", function() return #t.told("activity/becomeCurrent") == 2 end)
  t.equal({ #t.told("activity/set"), #t.told("activity/resignCurrent") }, { 1, 0 })
end)

t.test("A draft that the person went on with here stays theirs", function()
  begin("one")
  t.say("activity/wasContinued", { activity = "d1", device = "laptop", givenUp = false })
  t.equal(t.lua("return require('continuo.others').statusline()"), "")
  t.eventually("a message", function() return #t.told("notify") == 1 end)
  t.equal(t.told("notify")[1], "continuo: Untitled was continued on laptop")
end)

t.test("Why a draft is not offered is told by its name", function()
  begin("one")
  t.say("activity/withheld", { activity = "d1", reason = "no link" })
  t.eventually("a message", function() return #t.told("notify") == 1 end)
  t.equal(t.told("notify")[1], "continuo: Untitled is not offered: no link")
end)

t.test("What is given up by quitting is not offered any more", function()
  begin("one")
  t.command("doautocmd VimLeavePre")
  t.equal(t.told("activity/invalidate"), { { activity = "d1" } })
end)

t.test("A draft that is known only while Neovim quits is not offered", function()
  t.write("plan.md", "one\n")
  t.edit("plan.md")
  t.lua("_G.answers['activity/create'] = { activity = 'd1' }")
  t.lua("_G.late = { ['activity/create'] = 50, shutdown = 200 }")
  t.command("enew | call setline(1, 'one') | doautocmd TextChanged | doautocmd VimLeavePre")
  t.equal(t.told("activity/invalidate"), { { activity = "d1" } })
  t.equal(t.told("activity/becomeCurrent"), {})
end)

t.test("Nothing is given up by a signal", function()
  begin("one")
  t.lua([[vim.api.nvim_create_autocmd("VimLeave", { callback = function()
    vim.fn.writefile(vim.tbl_map(function(each) return each.method end, _G.told), "told")
  end })]])
  vim.loop.kill(t.lua("return vim.loop.os_getpid()"), "sigterm")
  t.eventually("Neovim to end", function() return (t.read("told") or ""):find("exit") ~= nil end)
  t.equal(t.read("told"):find("invalidate"), nil)
end)

t.test("A new server hears of it again", function()
  begin("one")
  t.lua("_G.answers['activity/create'] = { activity = 'd2' }")
  t.lua("_G.dispatchers.on_exit(1, 0)")
  t.eventually("the next server", function() return #t.told("activity/create") == 2 end)
  t.eventually("it to be current", function() return #t.told("activity/becomeCurrent") == 2 end)
  t.equal(t.told("activity/becomeCurrent")[2], { activity = "d2" })
end)

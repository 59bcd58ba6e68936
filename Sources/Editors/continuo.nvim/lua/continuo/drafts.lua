-- SPDX-License-Identifier: MIT
-- Text in buffers without a file: it is offered, handed over when a person goes on with it elsewhere, and
-- opened here in a buffer without a file. Nothing is written to a file by that.

local connection = require("continuo.connection")
local files = require("continuo.files")
local messages = require("continuo.messages")
local place = require("continuo.place")

local drafts = {}

local api = vim.api
local title = "Untitled"
-- As many bytes as the server takes: of a text, and of a message with all that is escaped in it.
local limit, messageLimit = 4194304, 8323072
local pace = 300
local mark = "\239\187\191"
-- By buffer: `id` of the activity, once the server told it; `tick` of the text told last; `line`, what is
-- shown of the device that goes on with it, until the person does so here: nothing is said of the draft
-- meanwhile.
local open = {}
local isTelling, told = false, 0
local tell_all

local function is_draft(buffer)
  if not api.nvim_buf_is_loaded(buffer) or not api.nvim_buf_is_valid(buffer) then return false end
  local of = vim.bo[buffer]
  return of.buftype == "" and of.buflisted and of.modified and api.nvim_buf_get_name(buffer) == ""
    and (api.nvim_buf_line_count(buffer) > 1 or api.nvim_buf_get_lines(buffer, 0, 1, false)[1] ~= "")
end

-- MARK: Offering

-- What UTF-8 has for scalars above 127.
local forms = {
  "[\194-\223][\128-\191]", "\224[\160-\191][\128-\191]", "[\225-\236\238\239][\128-\191][\128-\191]",
  "\237[\128-\159][\128-\191]", "\240[\144-\191][\128-\191][\128-\191]",
  "[\241-\243][\128-\191][\128-\191][\128-\191]", "\244[\128-\143][\128-\191][\128-\191]",
}

local function is_well_formed(text)
  if not text:find("[\128-\255]") then return true end
  for _, form in ipairs(forms) do text = text:gsub(form, " ") end
  return not text:find("[\128-\255]")
end

-- A message that is too long ends the server; no byte takes more than six.
local function is_too_large(text)
  return #text > limit or #text > messageLimit / 6 and #vim.json.encode(text) > messageLimit
end

-- The text as a file would have it; nil, and why, for one that is not handed over.
local function text_of(buffer)
  local of = vim.bo[buffer]
  local break_ = of.fileformat == "dos" and "\r\n" or of.fileformat == "mac" and "\r" or "\n"
  local text = table.concat(api.nvim_buf_get_lines(buffer, 0, -1, false), break_)
  if of.endofline or of.fixendofline and not of.binary then text = text .. break_ end
  if of.bomb then text = mark .. text end
  if #text <= limit and not is_well_formed(text) then
    return nil, "Its text is not UTF-8, and not handed over without a file."
  end
  if is_too_large(text) then return nil, "Its text is too large to be handed over without a file." end
  return text
end

local function become_current(draft) connection.request("activity/becomeCurrent", { activity = draft.id }) end

local function invalidate(id) connection.request("activity/invalidate", { activity = id }) end

local function begin(buffer)
  local draft = { tick = api.nvim_buf_get_changedtick(buffer) }
  open[buffer] = draft
  connection.start()
  local params = { type = "public.text-editing", title = title, draft = true }
  connection.request("activity/create", params, function(_, result)
    if not result then return end
    if open[buffer] ~= draft then return invalidate(result.activity) end
    draft.id = result.activity
    if buffer == api.nvim_get_current_buf() then become_current(draft) end
  end)
end

local function finish(buffer)
  local draft = open[buffer]
  open[buffer] = nil
  if draft.id then invalidate(draft.id) end
end

-- Another text is another state; what it is, nobody is told before a device asks.
local function tell(buffer, draft)
  local tick = api.nvim_buf_get_changedtick(buffer)
  if draft.tick == tick then return end
  local isTakenBack = draft.line ~= nil
  if isTakenBack then
    draft.line = nil
    vim.cmd("redrawstatus")
    -- The server that knew of it is gone.
    if not draft.id then return begin(buffer) end
  end
  if not draft.id then return end
  draft.tick = tick
  told = told + 1
  connection.request("activity/set", { activity = draft.id, userInfo = { changed = told } })
  if isTakenBack and buffer == api.nvim_get_current_buf() then become_current(draft) end
end

function tell_all()
  isTelling = false
  for buffer, draft in pairs(open) do
    if is_draft(buffer) then tell(buffer, draft) else finish(buffer) end
  end
end

-- Something happened in `buffer`: it may be a draft from now on, or none any more.
function drafts.touch(buffer)
  if not open[buffer] then
    if is_draft(buffer) then begin(buffer) end
    return
  end
  if isTelling then return end
  isTelling = true
  vim.defer_fn(tell_all, pace)
end

-- The person looks at another buffer.
function drafts.enter(buffer)
  local draft = open[buffer]
  if draft and draft.id and not draft.line then become_current(draft) end
end

-- The person does not look at `buffer` any more.
function drafts.leave(buffer)
  local draft = open[buffer]
  if draft and draft.id and not draft.line then
    connection.request("activity/resignCurrent", { activity = draft.id })
  end
end

-- It is closed, or has a file by now.
function drafts.unloading(buffer)
  if not open[buffer] or vim.v.exiting ~= vim.NIL then return end
  vim.schedule(function()
    if open[buffer] and not is_draft(buffer) then finish(buffer) end
  end)
end

-- Text that is given up by `:quit!` is not offered any more. A deadly signal gives nothing up.
function drafts.quit()
  if vim.v.dying > 0 then return end
  for buffer in pairs(open) do finish(buffer) end
end

local function buffer_of(id)
  for buffer, draft in pairs(open) do
    if draft.id and draft.id == id then return buffer end
  end
end

-- `activity/update` of a draft; nil for another activity. The text goes only where a device asks for it.
function drafts.round(params)
  local buffer = buffer_of(params.activity)
  if not buffer then return nil end
  if not is_draft(buffer) then return { edited = false } end
  local answer = { edited = true, title = title }
  if params.requestedBy then
    answer.draft, answer.refusal = text_of(buffer)
    answer.place = answer.draft and place.of(buffer)
    -- What was typed until now goes along: told later, it would count as typed after that.
    if answer.draft then open[buffer].tick = api.nvim_buf_get_changedtick(buffer) end
    if answer.refusal then messages.once(title .. ": " .. answer.refusal) end
  end
  return answer
end

-- `activity/wasContinued` of a draft, whose text stays until it is closed here. False for another activity.
function drafts.was_continued(params, sentence)
  local buffer = buffer_of(params.activity)
  if not buffer then return false end
  if params.givenUp then open[buffer].line = sentence end
  messages.tell(title .. " was " .. sentence)
  return true
end

-- What is to be said of `buffer`; nil for nothing.
function drafts.line(buffer) return open[buffer] and open[buffer].line end

-- How a draft is called, by its activity; nil for another activity.
function drafts.name(id) return buffer_of(id) and title end

-- Lines for `:ContinuoStatus`.
function drafts.lines()
  local found = {}
  for buffer, draft in pairs(open) do
    table.insert(found, string.format("  %s, buffer %d: in no file; ", title, buffer)
      .. (draft.line or "its text is handed over when it is continued elsewhere"))
  end
  table.sort(found)
  return found
end

-- A server that was just started hears everything, but for what another device goes on with.
function drafts.say_all()
  for _, buffer in ipairs(api.nvim_list_bufs()) do
    local draft = open[buffer]
    if draft then draft.id = nil end
    if is_draft(buffer) and not (draft and draft.line) then begin(buffer) end
  end
end

-- MARK: Taking

-- Gives a new buffer that text as if it were read from a file: nothing before it could be undone to.
local function fill(buffer, text)
  local of = vim.bo[buffer]
  local isMarked = vim.startswith(text, mark)
  if isMarked then text = text:sub(#mark + 1) end
  local plain, pairedBreaks = text:gsub("\r\n", "\n")
  local _, breaks = plain:gsub("\n", "")
  -- Where some lines end otherwise, the CR belongs to the text, as in a file.
  local isDos = breaks > 0 and pairedBreaks == breaks
  local lines = vim.split(isDos and plain or text, "\n", { plain = true })
  local hasEnd = #lines > 1 and lines[#lines] == ""
  if hasEnd then table.remove(lines) end
  of.modeline, of.undolevels, of.fileencoding = false, -1, "utf-8"
  api.nvim_buf_set_lines(buffer, 0, -1, false, lines)
  -- As many as elsewhere.
  of.undolevels = -123456
  of.fileformat, of.endofline, of.bomb, of.modified = isDos and "dos" or "unix", hasEnd, isMarked, true
end

-- `document/restore` with a text: in a new buffer, which is no file's and is not lost without a question.
function drafts.restore(params)
  local offer, reason = params.offer or {}, params.status and params.status.reason or ""
  local name = offer.title and offer.title ~= "" and offer.title or title
  local buffer = api.nvim_create_buf(true, false)
  fill(buffer, params.draft)
  files.aim(buffer, params.place or { position = { line = 0, character = 0 } })
  if not files.is_busy() then
    local isDone, failure = files.bring(buffer)
    if not isDone then messages.warn(name .. " is here, but: " .. tostring(failure)) end
  end
  local isBehind = buffer ~= api.nvim_get_current_buf()
  if not isBehind and params.place then files.jump() end
  messages.tell(name .. " from " .. (offer.device or "the other device") .. " is here; it is in no file yet"
    .. (isBehind and "; :ContinuoJump shows it" or "") .. (reason ~= "" and ": " .. reason or ""))
  drafts.touch(buffer)
  return { opened = true }
end

return drafts

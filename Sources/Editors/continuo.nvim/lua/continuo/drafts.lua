-- SPDX-License-Identifier: MIT
-- Text in buffers without a file: it is offered, handed over when a person goes on with it elsewhere, and opened here
-- in a buffer without a file. Nothing is written to a file by that.

local connection = require("continuo.connection")
local messages = require("continuo.messages")
local place = require("continuo.place")
local shown = require("continuo.shown")

local drafts = {}

local api = vim.api
local title = "Untitled"
-- As many bytes as the server takes.
local limit = 4194304
local pace = 300
-- By buffer: `id` of the activity, once the server told it; `tick` of the text told last; `line`, what is shown of the
-- device that goes on with it.
local open = {}
local isTelling, told = false, 0
local tell_all

local function is_draft(buffer)
  if not api.nvim_buf_is_loaded(buffer) or not api.nvim_buf_is_valid(buffer) then return false end
  local of = vim.bo[buffer]
  return of.buftype == "" and of.buflisted and of.modified and api.nvim_buf_get_name(buffer) == ""
    and (api.nvim_buf_line_count(buffer) > 1 or api.nvim_buf_get_lines(buffer, 0, 1, false)[1] ~= "")
end

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

-- The text as a file would have it; nil, and why, for one that is not handed over.
local function text_of(buffer)
  local of = vim.bo[buffer]
  local break_ = of.fileformat == "dos" and "\r\n" or of.fileformat == "mac" and "\r" or "\n"
  local text = table.concat(api.nvim_buf_get_lines(buffer, 0, -1, false), break_)
  if of.endofline or of.fixendofline then text = text .. break_ end
  if #text > limit then return nil, "Its text is too large to be handed over without a file." end
  if not is_well_formed(text) then return nil, "Its text is not UTF-8, and not handed over without a file." end
  return text
end

local function current_id()
  local draft = open[api.nvim_get_current_buf()]
  return draft and draft.id
end

local function begin(buffer)
  local draft = { tick = api.nvim_buf_get_changedtick(buffer) }
  open[buffer] = draft
  connection.start()
  connection.request("activity/create", { type = "public.text-editing", title = title, draft = true }, function(_, result)
    if not result or open[buffer] ~= draft then
      if result then connection.request("activity/invalidate", { activity = result.activity }) end
      return
    end
    draft.id = result.activity
    if current_id() == draft.id then connection.request("activity/becomeCurrent", { activity = draft.id }) end
  end)
end

local function finish(buffer)
  local draft = open[buffer]
  open[buffer] = nil
  if draft.id then connection.request("activity/invalidate", { activity = draft.id }) end
end

-- Another text is another state; what it is, nobody is told before a device asks.
local function tell(buffer, draft)
  local tick = api.nvim_buf_get_changedtick(buffer)
  if not draft.id or draft.tick == tick then return end
  draft.tick, draft.line = tick, nil
  told = told + 1
  connection.request("activity/set", { activity = draft.id, userInfo = { changed = told } })
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
  if draft and draft.id then connection.request("activity/becomeCurrent", { activity = draft.id }) end
end

-- The person does not look at `buffer` any more.
function drafts.leave(buffer)
  local draft = open[buffer]
  if draft and draft.id then connection.request("activity/resignCurrent", { activity = draft.id }) end
end

-- It is closed, or has a file by now.
function drafts.unloading(buffer)
  if not open[buffer] or vim.v.exiting ~= vim.NIL then return end
  vim.schedule(function()
    if open[buffer] and not is_draft(buffer) then finish(buffer) end
  end)
end

local function buffer_of(id)
  for buffer, draft in pairs(open) do
    if draft.id == id then return buffer end
  end
end

-- `activity/update` of a draft; nil for another activity. The text goes only where a device asks for it.
function drafts.round(params)
  local buffer = params.activity and buffer_of(params.activity)
  if not buffer then return nil end
  if not is_draft(buffer) then return { edited = false } end
  local answer = { edited = true, title = title }
  if params.requestedBy then
    answer.draft, answer.refusal = text_of(buffer)
    answer.place = answer.draft and place.of(buffer)
    if answer.refusal then messages.once(answer.refusal) end
  end
  return answer
end

-- `activity/wasContinued` of a draft: the text stays here until the person closes it. False for another activity.
function drafts.was_continued(params, sentence)
  local buffer = params.activity and buffer_of(params.activity)
  if not buffer then return false end
  if params.givenUp then open[buffer].line = sentence end
  messages.tell(title .. " was " .. sentence)
  return true
end

-- What is to be said of `buffer`; nil for nothing.
function drafts.line(buffer) return open[buffer] and open[buffer].line end

-- `document/restore` with a text: in a new buffer, which is no file's and is not lost without a question.
function drafts.restore(params)
  local buffer = api.nvim_create_buf(true, false)
  local text = params.draft:gsub("\r\n", "\n")
  local isDos = text ~= params.draft
  local lines = vim.split(text, "\n", { plain = true })
  local hasEnd = #lines > 1 and lines[#lines] == ""
  if hasEnd then table.remove(lines) end
  -- A line of a buffer has NUL as a line feed.
  for index, line in ipairs(lines) do lines[index] = (line:gsub("%z", "\n")) end
  api.nvim_buf_set_lines(buffer, 0, -1, false, lines)
  local of = vim.bo[buffer]
  of.fileformat, of.endofline, of.modified, of.modeline = isDos and "dos" or "unix", hasEnd, true, false
  local isBehind = api.nvim_get_mode().mode ~= "n" or vim.fn.getcmdwintype() ~= ""
  local isStuck = vim.bo.modified and not vim.o.hidden and vim.bo.bufhidden ~= "hide" or vim.bo.buftype ~= ""
  if not isBehind then
    local isDone, failure = pcall(vim.cmd, "silent " .. (isStuck and "sbuffer " or "buffer ") .. buffer)
    if not isDone then messages.warn("the text is in buffer " .. buffer .. ": " .. tostring(failure)) end
    if isDone and params.place then place.go(buffer, 0, params.place) end
  end
  local offer = params.offer or {}
  messages.tell(shown.text(offer.title or title) .. " from " .. shown.text(offer.device or "the other device")
    .. (isBehind and " is here, in buffer " .. buffer or " is here") .. "; it is in no file yet")
  local reason = params.status and params.status.reason
  if reason then messages.tell(reason) end
  drafts.touch(buffer)
  return { opened = true }
end

-- A server that was just started hears everything.
function drafts.say_all()
  open = {}
  for _, buffer in ipairs(api.nvim_list_bufs()) do
    if is_draft(buffer) then begin(buffer) end
  end
end

-- The server is gone, and what it called them.
function drafts.forget()
  for _, draft in pairs(open) do draft.id, draft.line = nil, nil end
end

return drafts

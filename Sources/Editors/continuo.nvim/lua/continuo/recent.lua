-- SPDX-License-Identifier: MIT
-- What apps on this device kept for search: listed and narrowed by the command line, `continuo recent` and
-- `continuo search`, and opened by it. Where this editor takes what was chosen, the agent hands it over to the server.
--
-- Titles, paths and words are data: they are arguments of a program that no shell starts, and shown escaped.

local messages = require("continuo.messages")
local shown = require("continuo.shown")

local recent = {}

local api = vim.api
local options = {}
-- As many as the command line lists.
local most = 100
-- The command of the list that was asked for last; it is of no use once another one is asked for.
local job = nil

function recent.configure(given) options = given end

-- How `continuo` is started: as the server is, without what makes it one. Nil where that is no `continuo serve`.
local function program()
  for index = 2, #options.cmd do
    if options.cmd[index] == "serve" then return vim.list_slice(options.cmd, 1, index - 1) end
  end
end

local function text(lines) return table.concat(lines or {}, "\n") end

-- Runs it without blocking; `done(code, output, errors)` is called once. The job; nil where it does not start.
local function run(arguments, done)
  local command = program()
  if not command then
    return messages.warn("setup{cmd = …} starts no `continuo serve`, so it is not known how to search")
  end
  local out, errors = {}, {}
  local isStarted, started = pcall(vim.fn.jobstart, vim.list_extend(vim.deepcopy(command), arguments), {
    stdin = "null", env = options.env, stdout_buffered = true, stderr_buffered = true,
    on_stdout = function(_, lines) out = lines end,
    on_stderr = function(_, lines) errors = lines end,
    on_exit = function(id, code) done(id, code, text(out), text(errors)) end,
  })
  if isStarted and started > 0 then return started end
  messages.warn(table.concat(command, " ") .. " does not start: install Continuo, or say where it is in setup{cmd = …}")
end

local function decoded(json)
  local isJson, value = pcall(vim.json.decode, json)
  return isJson and type(value) == "table" and value or nil
end

-- The sentence of a command that failed; one that is misspelt to it is of a newer release.
local function complain(code, errors)
  if code == 64 then return messages.warn("this needs a newer Continuo: " .. vim.trim(errors)) end
  local sentence = vim.trim(errors):gsub("^[Ee]rror: ", "")
  messages.warn(sentence ~= "" and sentence or "continuo ended with " .. code)
end

-- MARK: The list

local function word(entry, key) return type(entry[key]) == "string" and entry[key] or nil end

-- An ISO 8601 moment as a clock here shows it.
local function moment(stamp)
  local year, month, day, hour, minute, second = stamp:match("^(%d%d%d%d)-(%d%d)-(%d%d)T(%d%d):(%d%d):(%d%d)")
  if not year then return stamp end
  local parts = { year = year, month = month, day = day, hour = hour, min = minute, sec = second, isdst = false }
  local found = os.time(parts)
  return os.date("%Y-%m-%d %H:%M", found + os.difftime(found, os.time(os.date("!*t", found))))
end

local function label(entry)
  local parts = { word(entry, "title") or "", word(entry, "app"), moment(word(entry, "changedAt") or "") }
  table.insert(parts, word(entry, "path") or word(entry, "webpageURL"))
  return shown.text(table.concat(parts, "  "))
end

-- Entries that can be opened; nil where this release tells no `id`.
local function entries(list)
  local found = {}
  for _, entry in ipairs(list) do
    local id = type(entry) == "table" and word(entry, "id")
    if id and id:match("^%x+%.%x+$") then table.insert(found, entry) end
  end
  return (#found > 0 or #list == 0) and found or nil
end

-- MARK: Opening

local function opened(_, code, output, errors)
  local said = decoded(output)
  -- 3: nothing here takes it, and the sentence says so.
  if code ~= 0 and (code ~= 3 or not said) then return complain(code, errors) end
  messages.tell(said and word(said, "message") or "it was opened")
end

local function open(entry)
  run({ "recent", "--open", "--json", "--id=" .. entry.id }, opened)
end

-- Keys that the person presses meanwhile are not for the list.
local function is_busy(asked)
  local mode = api.nvim_get_mode().mode
  return mode ~= "n" and mode ~= asked
end

local function choose(list, words)
  vim.ui.select(list, {
    prompt = words and "Recently: " .. shown.text(words) or "Recently, anywhere", format_item = label,
  }, function(entry)
    if entry then open(entry) end
  end)
end

local function listed(words, asked, code, output, errors)
  if code ~= 0 then return complain(code, errors) end
  local list = decoded(output)
  local found = list and entries(list)
  if not list then return messages.warn("what continuo listed is no list") end
  if not found then return messages.warn("this needs a newer Continuo: it tells no id of what it lists") end
  if #found == 0 then
    return messages.tell(words and "nothing kept for search has: " .. words or "no app has kept anything for search")
  end
  if is_busy(asked) then return messages.tell("the list is there: :ContinuoRecent shows it") end
  choose(found, words)
end

-- Lists what was done recently, or what has all of `words`, to choose from.
function recent.choose(words)
  if words and vim.trim(words) == "" then words = nil end
  local asked = api.nvim_get_mode().mode
  if job then vim.fn.jobstop(job) end
  local arguments = { words and "search" or "recent", "--json", "--count", tostring(most) }
  -- Words are no options, however they begin.
  if words then vim.list_extend(arguments, { "--", words }) end
  job = run(arguments, function(id, code, output, errors)
    if id ~= job then return end
    job = nil
    listed(words, asked, code, output, errors)
  end)
end

return recent

-- SPDX-License-Identifier: MIT
-- Continuo for Neovim: what is edited here can be continued on another device, and the other way round.
-- `:help continuo` describes it.

local connection = require("continuo.connection")
local documents = require("continuo.documents")
local drafts = require("continuo.drafts")
local files = require("continuo.files")
local fresh = require("continuo.fresh")
local messages = require("continuo.messages")
local names = require("continuo.names")
local offers = require("continuo.offers")
local others = require("continuo.others")
local presence = require("continuo.presence")
local prompt = require("continuo.prompt")
local recent = require("continuo.recent")
local versions = require("continuo.versions")

local continuo = {}

local api = vim.api
local defaults = {
  cmd = { "continuo", "serve", "--stdio" },
  env = nil,
  app = "io.neovim.nvim",
  autosave = true,
  open_documents = false,
  prompt = true,
  keys = { continue = "<leader>ch", dismiss = "<leader>cd" },
}
local options = nil

-- MARK: What the server says

local notifications = {
  ["offers/didChange"] = function(params)
    offers.changed(params.offers)
    others.refresh()
  end,
  ["connection/didChange"] = function(params) if params.connected == true then offers.renew() end end,
  ["continuation/willContinue"] = function(params) offers.will_continue(params.request, params.offer) end,
  ["continuation/progress"] = function(params) offers.progressed(params.request, params.offer, params.status) end,
  ["continuation/didFail"] = function(params) offers.failed(params.request, params.message, params.shown) end,
  ["document/changedOnDisk"] = function(params) files.changed_on_disk(params) end,
  ["document/presenceDidChange"] = presence.changed,
  ["activity/wasContinued"] = others.was_continued,
  ["activity/withheld"] = function(params)
    local name = drafts.name(params.activity) or names.short(names.path(params.uri))
    messages.once(name .. " is not offered: " .. params.reason)
  end,
}

local requests = {
  ["activity/update"] = function(params) return drafts.round(params) or documents.round(params) end,
  ["document/restore"] = function(params)
    local moment, is_beside = offers.finish(params.request)
    if type(params.draft) == "string" then return drafts.restore(params) end
    return files.restore(params, moment, is_beside)
  end,
}

local function notification(method, params)
  local take = notifications[method]
  if take then take(params) end
end

local function request(method, params)
  local answer = requests[method]
  if not answer then return false end
  local isDone, result = pcall(answer, params)
  if isDone then return true, result end
  messages.warn(method .. ": " .. tostring(result))
  if method == "document/restore" then return true, { opened = false, message = tostring(result) } end
  return true, vim.empty_dict()
end

-- MARK: What the person does

local function greet()
  if #api.nvim_list_uis() > 0 then connection.start() end
end

local function listen()
  local group = api.nvim_create_augroup("continuo", { clear = true })
  local function on(events, callback) api.nvim_create_autocmd(events, { group = group, callback = callback }) end
  on("BufReadPost", function(event) documents.read(event.buf) end)
  on("BufNewFile", function(event) fresh.begin(event.buf) end)
  on("BufWritePost", function(event) documents.written(event.buf, event.match) end)
  on("BufFilePost", function(event) documents.renamed(event.buf) end)
  on({ "BufUnload", "BufWipeout" }, function(event)
    documents.unloading(event.buf)
    drafts.unloading(event.buf)
    presence.unloading(event.buf)
  end)
  on({ "BufEnter", "FocusGained" }, function()
    documents.enter(api.nvim_get_current_buf())
    drafts.enter(api.nvim_get_current_buf())
  end)
  on("BufLeave", function(event) drafts.leave(event.buf) end)
  on({
    "TextChanged", "TextChangedI", "TextChangedP", "CursorMoved", "CursorMovedI", "InsertEnter", "InsertLeave",
    "ModeChanged", "WinScrolled",
  }, function() documents.touch(api.nvim_get_current_buf()) end)
  on({ "CursorMoved", "CursorMovedI", "BufEnter" }, presence.moved)
  on({
    "TextChanged", "TextChangedI", "TextChangedP", "BufFilePost", "BufWritePost",
  }, function(event) drafts.touch(event.buf) end)
  api.nvim_create_autocmd("OptionSet", {
    group = group, pattern = { "buflisted", "buftype", "modified" },
    callback = function() drafts.touch(api.nvim_get_current_buf()) end,
  })
  on({ "InsertEnter", "TextChanged" }, offers.refresh)
  on({ "TabEnter", "VimResized" }, prompt.redraw)
  -- Who begins without a file looks for what there is to continue.
  on("VimEnter", greet)
  on("VimLeavePre", function()
    documents.leave()
    drafts.quit()
    connection.stop()
  end)
end

-- Files that were open before `setup`.
local function adopt()
  for _, buffer in ipairs(api.nvim_list_bufs()) do
    if api.nvim_buf_is_loaded(buffer) then documents.adopt_late(buffer) end
  end
end

local function ready()
  offers.renew()
  documents.say_all()
  drafts.say_all()
  fresh.say_all()
end

local function forget()
  offers.forget()
  others.forget()
  presence.forget()
end

-- Begins; `:help continuo-setup` tells the options.
function continuo.setup(given)
  options = vim.tbl_deep_extend("force", defaults, given or {})
  if type(options.cmd) == "string" then options.cmd = { options.cmd, "serve", "--stdio" } end
  documents.configure(options, others.take_back)
  offers.configure(options)
  recent.configure(options)
  connection.configure(options, {
    ready = ready, notification = notification, request = request, ended = forget,
    is_wanted = function() return #documents.list() > 0 end,
  })
  listen()
  adopt()
  if vim.v.vim_did_enter == 1 then greet() end
end

local function is_set_up()
  if options then return true end
  messages.tell('nothing is handed over yet: put require("continuo").setup{} into your configuration')
  return false
end

-- A command that means nothing before `setup`.
local function command(body)
  return function(...)
    if is_set_up() then return body(...) end
  end
end

continuo.resume = command(function(title, isAll) offers.resume(title, isAll) end)
continuo.offers = command(function() offers.choose_offer() end)
continuo.recent = command(function(words) recent.choose(words) end)
continuo.choose = command(function(choice) offers.choose(choice) end)
continuo.cancel = command(function() offers.cancel() end)
continuo.dismiss = command(function() offers.dismiss() end)
continuo.jump = command(function() files.jump() end)
continuo.resolve = command(function() versions.resolve() end)
continuo.start = command(function() connection.restart() end)
continuo.stop = command(function()
  connection.stop()
  forget()
end)

-- Titles of offers that begin with `lead`.
function continuo.titles(lead) return offers.titles(lead) end

-- For a status line: who else has this document, and what is offered or awaited; else an empty text.
function continuo.statusline()
  if not options then return "" end
  local parts = vim.tbl_filter(function(part) return part ~= "" end, { others.statusline(), offers.statusline() })
  return table.concat(parts, "  ")
end

-- What `setup` was given, completed; nil before.
function continuo.options() return options end

-- How all stands, as lines.
function continuo.report()
  local lines = {}
  if connection.obstacle then
    table.insert(lines, "Server: " .. connection.obstacle)
  elseif not connection.is_running() then
    table.insert(lines, "Server: not running; it starts with the first file, or :ContinuoStart")
  else
    local agent = connection.connected and "connected to the agent" or "the agent cannot be reached"
    table.insert(lines, "Server: running, " .. agent)
  end
  table.insert(lines, "Documents:")
  for _, document in ipairs(documents.list()) do
    local standing = document.standing or {}
    local how = standing.synced and "in " .. (standing.folder or "a synced folder") or standing.reason or "not told yet"
    local line = others.line(document.buffer)
    table.insert(lines, "  " .. names.shown(document.path) .. ": " .. how .. (line and "; " .. line or ""))
  end
  vim.list_extend(lines, drafts.lines())
  local new = fresh.line(api.nvim_get_current_buf())
  if new then table.insert(lines, "  " .. new) end
  table.insert(lines, "Offers:")
  vim.list_extend(lines, offers.lines())
  table.insert(lines, "Messages:")
  for _, line in ipairs(messages.log) do table.insert(lines, "  " .. line) end
  return lines
end

function continuo.status()
  if not is_set_up() then return end
  api.nvim_echo(vim.tbl_map(function(line) return { line .. "\n" } end, continuo.report()), false, {})
end

-- For other plugins and for tests: offers, and what the prompt says.
function continuo.state()
  return {
    running = connection.is_running(), connected = connection.connected, obstacle = connection.obstacle,
    offers = offers.list, documents = documents.list(), prompt = prompt.text, messages = messages.log,
  }
end

return continuo

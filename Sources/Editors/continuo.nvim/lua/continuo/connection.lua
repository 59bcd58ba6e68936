-- SPDX-License-Identifier: MIT
-- The server, `continuo serve --stdio`, by Neovim's own client for JSON-RPC. It is started when it is first
-- needed, and started again when it dies.

local messages = require("continuo.messages")
local shown = require("continuo.shown")

local connection = {
  -- What the agent's state is, as the server told; nil before.
  connected = nil,
  -- Why there is no server; nil while there is one, or none was needed yet.
  obstacle = nil,
}

local uv = vim.loop
local client, isReady, isStopped = nil, false, false
-- Whether a start is planned; how many documents the server has been told and has not answered.
local isPlanned, opening = false, 0
-- Which server it is; what earlier ones still say counts for nothing.
local generation = 0
local options, handlers = {}, {}
local starts = {}
local patience = { count = 5, milliseconds = 60000 }

-- `handlers`: `ready()` and `ended()`, `notification(method, params)`, `request(method, params)`, which gives whether
-- it knows the method, and the result; `is_wanted()`, whether there is anything to say to a server.
function connection.configure(given, callbacks)
  options, handlers = given, callbacks
end

function connection.is_running() return client ~= nil end

local function give_up(sentence)
  connection.obstacle = shown.text(sentence)
  messages.once(connection.obstacle)
end

local function forget()
  client, isReady, connection.connected, opening = nil, false, nil, 0
end

-- Too many starts within a minute; older ones are forgotten.
local function is_restless()
  local now = uv.now()
  starts = vim.tbl_filter(function(moment) return now - moment < patience.milliseconds end, starts)
  return #starts >= patience.count
end

local function ended(which, code, signal)
  vim.schedule(function()
    if isStopped or which ~= generation then return end
    forget()
    handlers.ended()
    if is_restless() then
      return give_up(string.format(
        "the server ended %d times in a minute (exit code %d, signal %d); :ContinuoStart tries again, %s",
        patience.count, code, signal, ":lua print(vim.lsp.get_log_path()) tells where its messages are"))
    end
    isPlanned = true
    vim.defer_fn(function()
      isPlanned = false
      if not isStopped then connection.start() end
    end, 100 * 2 ^ #starts)
  end)
end

local function notification(method, given)
  local params = shown.message(given or {})
  if method == "connection/didChange" then
    connection.connected = params.connected == true
    if connection.connected then
      messages.again()
    elseif params.message then
      messages.once(params.message)
    end
  end
  handlers.notification(method, params)
end

-- Runs in the main loop, and has to answer at once.
local function request(method, params)
  local isKnown, result = handlers.request(method, shown.message(params or {}))
  -- What is no UTF-8 is no JSON either.
  if isKnown then return shown.message(result) end
  return nil, { code = -32601, message = method .. " is not known here" }
end

local function spawn()
  local command = options.cmd
  generation = generation + 1
  local mine = generation
  local dispatchers = {
    notification = function(method, params)
      if mine == generation then notification(method, params) end
    end,
    server_request = request, on_error = function() end,
    on_exit = function(code, signal) ended(mine, code, signal) end,
  }
  local extra = { env = options.env }
  if vim.fn.has("nvim-0.10") == 1 then return vim.lsp.rpc.start(command, dispatchers, extra) end
  return vim.lsp.rpc.start(command[1], vim.list_slice(command, 2), dispatchers, extra)
end

local function version()
  local found = vim.version()
  return string.format("%d.%d.%d", found.major, found.minor, found.patch)
end

local function initialize()
  local mine = client
  client.request("initialize", {
    protocolVersion = 2,
    app = { id = options.app or "io.neovim.nvim", name = "Neovim", version = version() },
    positionEncoding = "utf-32",
    capabilities = { continueActivity = false, drafts = true, openDocuments = options.open_documents },
  }, function(failure, result)
    if client ~= mine then return end
    if failure then
      isStopped = true
      mine.notify("exit", vim.empty_dict())
      forget()
      return give_up("the server refuses this editor: " .. tostring(failure.message))
    end
    isReady, connection.connected = true, result and result.connected
    handlers.ready()
  end)
end

-- Starts the server if none runs.
function connection.start()
  if client then return end
  isStopped = false
  if vim.fn.executable(options.cmd[1]) ~= 1 then
    return give_up(options.cmd[1] .. " is not installed, or not on PATH: nothing is handed over. Install "
      .. "Continuo, or say where it is with setup{cmd = …}; then :ContinuoStart")
  end
  table.insert(starts, uv.now())
  local isStarted, started = pcall(spawn)
  if not isStarted or not started then
    return give_up(table.concat(options.cmd, " ") .. " does not start: " .. tostring(started))
  end
  client, connection.obstacle = started, nil
  initialize()
end

-- The person asks for it: earlier failures count no more.
function connection.restart()
  starts = {}
  messages.again()
  connection.start()
end

-- Whether there is somebody to talk to. Nothing is kept for later: `ready` says everything again.
function connection.is_ready() return isReady end

-- `answer(failure, result)` is called later, unless the server dies before.
function connection.request(method, params, answer)
  if not isReady then return false end
  local mine, isOpening = client, method == "document/open"
  if isOpening then opening = opening + 1 end
  return (client.request(method, params, function(failure, result)
    if isOpening and client == mine then opening = opening - 1 end
    if answer then answer(shown.message(failure), shown.message(result)) end
  end))
end

function connection.notify(method, params)
  if isReady then client.notify(method, params) end
end

-- Says the last state; false where the server has died before it answered. What it does not know yet is not offered.
local function say_last(wait)
  local mine, isDone = client, false
  wait(function() return opening == 0 or client ~= mine end)
  if client ~= mine then return false end
  client.request("shutdown", vim.NIL, function() isDone = true end)
  wait(function() return isDone or client ~= mine end)
  return client == mine
end

-- Says the last state and ends the server; waits at most two seconds for it, also for one that is only starting, or will
-- in place of one that died, where there is anything to say.
function connection.stop()
  local limit = uv.hrtime() + 2e9
  local function wait(check) return vim.wait(math.max(0, math.floor((limit - uv.hrtime()) / 1e6)), check, 5) end
  repeat
    if handlers.is_wanted() then wait(function() return isReady or not client and not isPlanned end) end
  until not isReady or say_last(wait)
  isStopped = true
  if not client then return end
  if isReady then
    client.notify("exit", vim.empty_dict())
  elseif client.terminate then
    client.terminate()
  elseif client.handle then
    client.handle:kill("sigterm")
  end
  forget()
end

return connection

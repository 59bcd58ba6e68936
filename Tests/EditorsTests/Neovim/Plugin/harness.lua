-- SPDX-License-Identifier: MIT
-- Runs tests against a second Neovim with the plugin: keys are pressed there as a person presses them. Only the
-- server is not there: what it would hear is kept in `told`, and what it would say is said by the test.

local harness = { count = 0, failed = 0 }

local patience = 30000
local channel, folder

local prelude = [[
  _G.told, _G.servers = {}, 0
  vim.opt.runtimepath:append(select(1, ...))
  vim.cmd("runtime plugin/continuo.lua")
  vim.notify = function(text) table.insert(_G.told, { method = "notify", params = text }) end
  local function keep(method, params) table.insert(_G.told, { method = method, params = params }) end
  _G.answers = {
    initialize = { connected = true }, ["document/open"] = { synced = true, folder = "Notes" },
    ["continuation/accept"] = { request = "r1" }, ["document/otherEditors"] = { editors = {} },
  }
  -- Answers that take a while, by method in milliseconds; what comes before them is kept, too.
  _G.late = {}
  vim.lsp.rpc.start = function(_, second, third)
    local dispatchers = vim.tbl_islist(second) and third or second
    _G.servers = _G.servers + 1
    _G.dispatchers = dispatchers
    return {
      notify = function(method, params) keep(method, params) return true end,
      request = function(method, params, answer)
        keep(method, params)
        vim.defer_fn(function()
          if _G.late[method] then keep("answered", method) end
          answer(nil, _G.answers[method])
        end, _G.late[method] or 0)
        return true, 1
      end,
      handle = { kill = function() end },
    }
  end
  function _G.ask(method, params)
    local result = _G.dispatchers.server_request(method, params)
    return result
  end
]]

-- Runs Lua in the second Neovim.
function harness.lua(code, ...) return vim.rpcrequest(channel, "nvim_exec_lua", code, { ... }) end

function harness.command(text) vim.rpcrequest(channel, "nvim_command", text) end

function harness.value(expression) return vim.rpcrequest(channel, "nvim_eval", expression) end

function harness.mode() return vim.rpcrequest(channel, "nvim_get_mode").mode end

-- Presses keys, and returns when they were taken.
function harness.press(keys)
  vim.rpcrequest(channel, "nvim_input", keys)
  -- Keys that were pressed before are taken before a request is.
  harness.lua("return 1")
end

-- Sets the plugin up as if for the first time.
function harness.begin_again()
  harness.lua("for name in pairs(package.loaded) do if name:match('^continuo') then package.loaded[name] = nil end end")
  harness.lua("require('continuo').setup{ cmd = { 'true' } }")
end

-- Gives the second Neovim a screen.
function harness.attach() vim.rpcrequest(channel, "nvim_ui_attach", 80, 24, vim.empty_dict()) end

function harness.path(name) return folder .. "/" .. name end

function harness.uri(name) return "file://" .. harness.path(name) end

function harness.write(name, text)
  local file = assert(io.open(harness.path(name), "wb"))
  file:write(text)
  file:close()
  return harness.path(name)
end

function harness.read(name)
  local file = io.open(harness.path(name), "rb")
  if not file then return nil end
  local text = file:read("*a")
  file:close()
  return text
end

-- What was told with this method since `forget`, in order.
function harness.told(method)
  return vim.tbl_map(function(each) return each.params end, vim.tbl_filter(function(each)
    return each.method == method
  end, harness.lua("return _G.told")))
end

function harness.forget() harness.lua("_G.told = {}") end

function harness.ask(method, params) return harness.lua("return _G.ask(...)", method, params) end

function harness.say(method, params) harness.lua("_G.dispatchers.notification(...)", method, params) end

function harness.eventually(what, check)
  if not vim.wait(patience, check, 10) then error(what .. " did not come about", 2) end
end

function harness.equal(found, expected)
  if not vim.deep_equal(found, expected) then
    error("found " .. vim.inspect(found) .. ", not " .. vim.inspect(expected), 2)
  end
end

-- Opens a file and waits until the server knows it.
function harness.edit(name)
  harness.command("edit " .. harness.path(name))
  harness.eventually("the file to be told", function() return #harness.told("document/open") > 0 end)
end

local function start(plugin, options)
  folder = vim.fn.tempname()
  vim.fn.mkdir(folder, "p")
  local command = { "nvim", "--embed", "--headless", "-u", "NONE", "-i", "NONE", "-n" }
  -- What a name makes run, runs there.
  channel = vim.fn.jobstart(command, { rpc = true, cwd = folder })
  harness.lua(prelude, plugin)
  harness.lua("require('continuo').setup(...)", vim.tbl_extend("force", { cmd = { "true" } }, options or {}))
end

local function stop()
  vim.fn.jobstop(channel)
  vim.fn.jobwait({ channel }, patience)
  vim.fn.delete(folder, "rf")
end

-- One test: a sentence and what it means. `options` are those of `setup`.
function harness.test(sentence, body, options)
  harness.count = harness.count + 1
  start(harness.plugin, options)
  local isRight, failure = xpcall(body, function(found) return debug.traceback(tostring(found)) end)
  stop()
  if isRight then return end
  harness.failed = harness.failed + 1
  io.stdout:write("FAILED " .. sentence .. ": " .. tostring(failure) .. "\n")
end

function harness.finish()
  io.stdout:write(string.format("%d tests, %d failed\n", harness.count, harness.failed))
  vim.cmd(harness.failed == 0 and "qall!" or "cquit")
end

return harness

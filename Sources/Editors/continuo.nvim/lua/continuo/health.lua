-- SPDX-License-Identifier: MIT
-- `:checkhealth continuo`.

local connection = require("continuo.connection")
local names = require("continuo.names")

local health = {}

-- Newer ones have other names.
local report = {
  start = vim.health and vim.health.start or vim.fn["health#report_start"],
  ok = vim.health and vim.health.ok or vim.fn["health#report_ok"],
  info = vim.health and vim.health.info or vim.fn["health#report_info"],
  warn = vim.health and vim.health.warn or vim.fn["health#report_warn"],
  error = vim.health and vim.health.error or vim.fn["health#report_error"],
}

local function check_program(options)
  local program = options.cmd[1]
  if vim.fn.executable(program) ~= 1 then
    return report.error(program .. " is not on PATH", { "Install Continuo, or say where it is: setup{cmd = …}" })
  end
  report.ok(vim.fn.exepath(program) .. " is installed")
  if options.cmd[2] ~= "serve" then return end
  vim.fn.system({ program, "serve", "--help" })
  if vim.v.shell_error ~= 0 then
    report.error(program .. " knows no `serve`", { "Install a newer Continuo" })
  else
    report.ok("it serves editors")
  end
end

local function check_server()
  if connection.obstacle then
    report.error(connection.obstacle)
  elseif not connection.is_running() then
    report.info("the server is not running; it starts with the first file, or by :ContinuoStart")
  elseif connection.connected then
    report.ok("the server runs and is connected to the agent")
  else
    report.warn("the server runs, but cannot reach the agent", { "Look at `continuo status`" })
  end
end

local function check_documents(documents)
  if #documents == 0 then return report.info("no file is open") end
  for _, document in ipairs(documents) do
    local standing, name = document.standing or {}, names.shown(document.path)
    if standing.synced then
      report.ok(name .. " is in " .. (standing.folder or "a synced folder"))
    else
      report.info(name .. ": " .. (standing.reason or "the server has not told yet"))
    end
  end
end

function health.check()
  report.start("continuo")
  if vim.fn.has("nvim-0.7") ~= 1 then return report.error("Neovim is older than 0.7") end
  report.ok("Neovim is new enough")
  local continuo = require("continuo")
  local options = continuo.options()
  if not options then
    return report.error("setup was not called", { 'Put require("continuo").setup{} into your configuration' })
  end
  check_program(options)
  check_server()
  check_documents(continuo.state().documents)
  if not options.autosave then
    report.info("autosave is off: what is not saved is not handed over, and the other device is told so")
  end
end

return health

-- SPDX-License-Identifier: MIT
-- The commands; nothing else happens before `require("continuo").setup{}`.

if vim.g.loaded_continuo then return end
vim.g.loaded_continuo = 1

local function command(name, method, options)
  vim.api.nvim_create_user_command(name, function(call)
    require("continuo")[method](call.args ~= "" and call.args or nil, call.bang)
  end, options)
end

local function titles(lead) return require("continuo").titles(lead) end

command("ContinuoResume", "resume", {
  nargs = "?", bang = true, complete = titles, desc = "Continue what another device offers, with ! all that is open there",
})
command("ContinuoOffers", "offers", { desc = "Choose among what other devices offer" })
command("ContinuoRecent", "recent", { nargs = "?", desc = "Choose among what was done here before, by words" })
command("ContinuoChoose", "choose", { desc = "Decide what becomes of a continuation that waits" })
command("ContinuoCancel", "cancel", { desc = "End a continuation that waits" })
command("ContinuoDismiss", "dismiss", { desc = "Put the prompt away" })
command("ContinuoJump", "jump", { desc = "Go where the other device was" })
command("ContinuoResolve", "resolve", { desc = "Choose between the file and its conflict copies" })
command("ContinuoStatus", "status", { desc = "Tell how the documents stand, and what happened" })
command("ContinuoStart", "start", { desc = "Start the server (again)" })
command("ContinuoStop", "stop", { desc = "Stop the server" })

-- SPDX-License-Identifier: MIT
-- What other devices offer, what is continued, and what the person decides about it.

local connection = require("continuo.connection")
local documents = require("continuo.documents")
local labels = require("continuo.labels")
local messages = require("continuo.messages")
local prompt = require("continuo.prompt")

local offers = { list = {} }
local title, label, wait_text = labels.title, labels.label, labels.wait

local uv = vim.loop
local options = {}
-- By offer's ID: when it has to have changed again to be shown, after the person put it away or continued it; when
-- it was accepted; whether it was accepted along with another one.
local hidden, accepted, along = {}, {}, {}
-- What is put away stays so for a while, in the other device's milliseconds.
local quiet = 600000
-- By request: `offer`, `status`, `at`, `is_beside`.
local waits = {}
-- What the person asked to continue before the server could tell of it: a function, called once.
local postponed = nil
-- Since when it is this server and this agent, of which no offer was told yet; a new one may tell a moment later
-- what is offered.
local renewedAt = uv.now()
local patience = 5000

function offers.configure(given) options = given end

-- MARK: The prompt

-- The wait that began last; nil.
local function last_wait()
  local found, request
  for each, wait in pairs(waits) do
    if not found or wait.at > found.at then found, request = wait, each end
  end
  return found, request
end

local function offer_text(offer)
  local keys = options.keys
  local how = keys.continue ~= "" and keys.continue .. " continues" or ":ContinuoResume continues"
  local away = keys.dismiss ~= "" and keys.dismiss .. " dismisses" or ":ContinuoDismiss dismisses"
  return "⇄ " .. label(offer) .. " – " .. how .. ", " .. away
end

-- Whether an offer brings anything: not the text that the person works on here anyway.
local function brings(offer)
  local arrival = offer.status.arrival
  return arrival ~= "current" and arrival ~= "ahead" or not documents.is_worked_on(offer.uri)
end

-- The newest offer that the person has neither accepted nor put away; nil.
local function news()
  local found
  for _, offer in ipairs(offers.list) do
    local isShown = not accepted[offer.id] and offer.changedAt > (hidden[offer.id] or -1) and brings(offer)
    if isShown and (not found or offer.changedAt > found.changedAt) then found = offer end
  end
  return found
end

local notified = {}

local function refresh()
  local wait = last_wait()
  local text = wait and wait_text(wait)
  local offer = news()
  if options.prompt == "notify" and offer and not notified[offer.id] then
    notified[offer.id] = true
    messages.tell(label(offer) .. " – :ContinuoResume")
  end
  if options.prompt ~= true then return prompt.hide() end
  if text then return prompt.show(text, {}) end
  if not offer then return prompt.hide() end
  prompt.show(offer_text(offer), {
    [options.keys.continue] = function() offers.accept(offer) end,
    [options.keys.dismiss] = offers.dismiss,
  })
end

-- The person did something: perhaps the offer brings nothing any more.
function offers.refresh()
  if prompt.text then refresh() end
end

-- For a status line: the newest offer, or what is awaited; else nothing. A title's "%" begins no item there.
function offers.statusline()
  local wait, offer = last_wait(), news()
  local text = wait and "⇄ … " .. title(wait.offer) or offer and "⇄ " .. title(offer) or ""
  return (text:gsub("%%", "%%%%"))
end

-- MARK: The server's news

-- The newest offer of each document: an editor that was killed left its own, and began another one.
local function newest(list)
  local found, places = {}, {}
  for _, offer in ipairs(list) do
    local key = offer.path and table.concat({ offer.device, offer.folder or "", offer.path }, "\0") or offer.id
    local place = places[key]
    if not place then
      table.insert(found, offer)
      places[key] = #found
    elseif offer.changedAt > found[place].changedAt then
      found[place] = offer
    end
  end
  return found
end

function offers.changed(list)
  offers.list = newest(list or {})
  local isThere = {}
  for _, offer in ipairs(offers.list) do
    isThere[offer.id] = true
    for _, other in ipairs(offer.openedBeside or {}) do isThere[other.id] = true end
  end
  for _, memory in ipairs({ hidden, accepted, notified }) do
    for id in pairs(memory) do if not isThere[id] then memory[id] = nil end end
  end
  refresh()
  local resume = #offers.list > 0 and postponed
  if #offers.list > 0 then postponed, renewedAt = nil, -math.huge end
  if resume then resume() end
end

function offers.will_continue(request, offer)
  waits[request] = { offer = offer, at = accepted[offer.id] or uv.hrtime(), is_beside = along[offer.id] == true }
  accepted[offer.id] = waits[request].at
  refresh()
end

function offers.progressed(request, offer, status)
  if not waits[request] then offers.will_continue(request, offer) end
  waits[request].status = status
  refresh()
end

-- The continuation is over; when the person asked for it, and whether it came along with another one.
function offers.finish(request)
  local wait = waits[request]
  waits[request] = nil
  if wait then accepted[wait.offer.id] = nil end
  for _, offer in ipairs(wait and offers.list or {}) do
    if offer.id == wait.offer.id then hidden[offer.id] = offer.changedAt end
  end
  refresh()
  return wait and wait.at or uv.hrtime(), wait ~= nil and wait.is_beside
end

function offers.failed(request, message, isShown)
  local wait = waits[request]
  waits[request] = nil
  if wait then accepted[wait.offer.id] = nil end
  if isShown then messages.warn(message) end
  refresh()
end

-- The agent can be reached, after it could not. One that was just started reads its folders first.
function offers.renew() renewedAt = uv.now() end

-- The server is gone, and with it what it did.
function offers.forget()
  offers.list, waits, accepted, along, renewedAt = {}, {}, {}, {}, uv.now()
  refresh()
end

-- MARK: The person

-- With `is_all` what is open beside it there comes along, each document by itself.
function offers.accept(offer, is_all)
  accepted[offer.id], along[offer.id] = uv.hrtime(), nil
  for _, other in ipairs(is_all and offer.openedBeside or {}) do
    accepted[other.id], along[other.id] = accepted[offer.id], true
  end
  refresh()
  local params = { offer = offer.id, openDocuments = is_all or nil }
  connection.request("continuation/accept", params, function(failure)
    if not failure then return end
    accepted[offer.id] = nil
    messages.warn(failure.message)
    refresh()
  end)
end

function offers.titles(lead)
  -- A command's argument has no blanks around it.
  local found = vim.tbl_map(function(offer) return vim.trim(title(offer)) end, offers.list)
  return vim.tbl_filter(function(each) return each ~= "" and vim.startswith(each, lead or "") end, found)
end

local function resume_now(wanted, is_all)
  local found = offers.list
  if wanted then
    local lead = vim.trim(wanted)
    found = vim.tbl_filter(function(each) return vim.trim(title(each)) == lead end, offers.list)
    local function begins(each) return vim.startswith(vim.trim(title(each)), lead) end
    if #found == 0 then found = vim.tbl_filter(begins, offers.list) end
  end
  if #found == 0 then
    return messages.tell(wanted and "nobody offers " .. wanted .. "; :ContinuoOffers lists what there is"
      or "no other device offers anything; :ContinuoStatus tells how this one stands")
  end
  if #found == 1 then return offers.accept(found[1], is_all) end
  vim.ui.select(found, { prompt = "Continue", format_item = label }, function(offer)
    if offer then offers.accept(offer, is_all) end
  end)
end

-- Starts the server, unless it runs, and continues when it tells of an offer.
local function resume_later(wanted, is_all)
  local function resume() resume_now(wanted, is_all) end
  postponed = resume
  if not connection.is_running() then connection.restart() end
  vim.defer_fn(function()
    if postponed ~= resume then return end
    postponed = nil
    if not connection.obstacle then resume() end
  end, patience)
end

-- Continues the offer called `wanted`, the only one, or one that the person chooses; with `is_all` and what is open
-- beside it.
function offers.resume(wanted, is_all)
  local isEarly = #offers.list == 0 and uv.now() - renewedAt < patience
  local resume = (isEarly or not connection.is_running()) and resume_later or resume_now
  resume(wanted, is_all)
end

-- The list, to choose from, however short.
function offers.choose_offer()
  if #offers.list < 2 then return offers.resume() end
  vim.ui.select(offers.list, { prompt = "Continue", format_item = label }, function(offer)
    if offer then offers.accept(offer) end
  end)
end

function offers.dismiss()
  for _, offer in ipairs(offers.list) do hidden[offer.id] = offer.changedAt + quiet end
  refresh()
end

local choices = {
  { "openHere", "Open what is here, for reading" }, { "keepWaiting", "Keep waiting" }, { "giveUp", "Give up" },
}

local function decide_on(request, wait, given)
  local function decide(choice) connection.request("continuation/choose", { request = request, choice = choice }) end
  if given then return decide(given) end
  local question = title(wait.offer) .. (wait.status and wait.status.reason and ": " .. wait.status.reason or "")
  vim.ui.select(choices, { prompt = question, format_item = function(each) return each[2] end }, function(choice)
    if choice then decide(choice[1]) end
  end)
end

-- Decides about what waits, the person having said about which where there is more: `given` is a choice of the
-- protocol, else the person is asked.
function offers.choose(given)
  local waiting = vim.tbl_filter(function(request) return waits[request].status ~= nil end, vim.tbl_keys(waits))
  if #waiting == 0 then
    local wait, request = last_wait()
    if not wait then return messages.tell("nothing waits") end
    return decide_on(request, wait, given)
  end
  if #waiting == 1 then return decide_on(waiting[1], waits[waiting[1]], given) end
  table.sort(waiting, function(one, other) return title(waits[one].offer) < title(waits[other].offer) end)
  local function shown(request) return wait_text(waits[request]) end
  vim.ui.select(waiting, { prompt = "Decide about", format_item = shown }, function(request)
    if request and waits[request] then decide_on(request, waits[request], given) end
  end)
end

function offers.cancel()
  local wait, request = last_wait()
  if not wait then return messages.tell("nothing waits") end
  connection.request("continuation/cancel", { request = request })
end

-- Lines for `:ContinuoStatus`.
function offers.lines()
  local lines = vim.tbl_map(function(offer)
    return "  " .. label(offer) .. (offer.remark and " (" .. offer.remark .. ")" or "")
  end, offers.list)
  local waiting = vim.tbl_map(function(wait)
    return "  " .. (wait_text(wait) or "continuing " .. label(wait.offer))
  end, vim.tbl_values(waits))
  table.sort(waiting)
  return vim.list_extend(lines, waiting)
end

return offers

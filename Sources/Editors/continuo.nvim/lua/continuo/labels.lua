-- SPDX-License-Identifier: MIT
-- What an offer, and a continuation that waits, is called before the person.

local names = require("continuo.names")

local labels = {}

-- How an offer is called.
function labels.title(offer)
  if offer.title and offer.title ~= "" then return offer.title end
  return offer.path and names.short(offer.path) or offer.type
end

function labels.label(offer)
  local remark = offer.unsavedChanges and ", with unsaved changes there" or ""
  local others = offer.openedBeside and #offer.openedBeside or 0
  local beside = others > 0 and string.format(", %d more open there (:ContinuoResume! takes all)", others) or ""
  return labels.title(offer) .. " from " .. offer.device .. remark .. beside
end

local function size(bytes)
  if bytes < 10240 then return bytes .. " B" end
  return bytes < 10485760 and math.floor(bytes / 1024) .. " kB" or math.floor(bytes / 1048576) .. " MB"
end

local function progress(status)
  if not status or not status.expected or status.expected == 0 then return "" end
  return string.format(" (%s of %s)", size(status.received or 0), size(status.expected))
end

function labels.wait(wait)
  local status = wait.status
  if not status then return nil end
  local reason = status.reason and status.reason ~= "" and ": " .. status.reason or ""
  if status.arrival == "diverged" then
    return labels.title(wait.offer) .. " has diverged" .. reason .. " – :ContinuoChoose"
  end
  return "Waiting for " .. labels.label(wait.offer) .. progress(status) .. reason .. " – :ContinuoChoose, :ContinuoCancel"
end

return labels

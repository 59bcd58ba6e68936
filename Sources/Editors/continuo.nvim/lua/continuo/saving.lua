-- SPDX-License-Identifier: MIT
-- Saving without a question: whatever the person is doing, mode, cursor, undo and menus stay as they are.

local stamps = require("continuo.stamps")

local saving = {}

-- Buffers that were renamed here, because the engine moved their file: Neovim asks before it writes those.
local renamed = {}

function saving.note_rename(buffer) renamed[buffer] = true end

-- What of the person's own may act on a text that is written.
local events = { "BufWritePre", "BufWriteCmd", "FileWritePre", "FileWriteCmd", "BufWritePost", "FileWritePost" }

local function matches(pattern, path)
  local name = pattern:find("/", 1, true) and path or path:match("[^/]*$")
  local isRight, expression = pcall(vim.fn.glob2regpat, pattern)
  return not isRight or vim.fn.match(name, "\\C" .. expression) >= 0
end

-- Whether autocommands of others (formatters, encryption) act when this buffer is written.
local function has_hooks(buffer)
  local path = vim.api.nvim_buf_get_name(buffer)
  for _, found in ipairs(vim.api.nvim_get_autocmds({ event = events })) do
    local isOurs = found.group_name == "continuo"
    if not isOurs and (found.buflocal and found.buffer == buffer or not found.buflocal and matches(found.pattern, path))
    then
      return true
    end
  end
  return false
end

-- Whether the file's encoding has all that the buffer holds: Neovim writes what it has not as "¿", and says so behind.
local function is_lossless(buffer)
  local coding = vim.bo[buffer].fileencoding
  if coding == "" or coding:match("^utf") or coding:match("^ucs%-4") then return true end
  local text = table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, false), "\n")
  if coding:match("^ucs") then return not text:find("[\240-\247]") end
  return vim.fn.iconv(vim.fn.iconv(text, "utf-8", coding), coding, "utf-8") == text
end

-- "now", "later" when the person should not be disturbed at this moment, or "no" with the reason.
local function readiness(buffer)
  local of = vim.bo[buffer]
  if of.readonly or not of.modifiable then return "no", "is read-only" end
  if of.buftype ~= "" then return "no", "is no file" end
  local path = vim.api.nvim_buf_get_name(buffer)
  if not stamps.is_unchanged(buffer) then
    return "no", stamps.is_there(buffer) and "was changed on disk" or "was deleted on disk"
  end
  if vim.fn.filewritable(path) ~= 1 then return "no", "cannot be written" end
  if not is_lossless(buffer) then return "no", "has characters that " .. of.fileencoding .. " has not" end
  local found = vim.api.nvim_get_mode()
  local mode = found.mode
  local isTyping = mode:match("^[iR]") ~= nil
  if found.blocking or mode:match("^[cr!]") or mode:match("^no") then return "later" end
  -- A menu of completion would go away.
  if isTyping and buffer == vim.api.nvim_get_current_buf() and mode:match("[xc]$") then return "later" end
  return "now", isTyping and "typing" or nil
end

-- Saves `buffer` if it is modified and that needs no question. True when the file holds the text afterwards; else
-- false, whether it is worth trying again soon, and why it is not. `isPause`: nobody typed for a moment.
function saving.save(buffer, isPause)
  if not vim.bo[buffer].modified then return true end
  local ready, remark = readiness(buffer)
  if ready == "no" then return false, false, remark end
  -- What others hang on a save may change the text; never between two keys.
  if ready == "later" or remark == "typing" and not isPause and has_hooks(buffer) then return false, true end
  local confirm = vim.o.confirm
  vim.o.confirm = false
  local isDone, failure = pcall(vim.api.nvim_buf_call, buffer, function()
    vim.cmd("silent lockmarks keepalt keepjumps write" .. (renamed[buffer] and "!" or ""))
  end)
  vim.o.confirm = confirm
  if not isDone or vim.bo[buffer].modified then
    return false, false, "could not be saved: " .. tostring(isDone and vim.v.errmsg or failure)
  end
  renamed[buffer] = nil
  return true
end

return saving

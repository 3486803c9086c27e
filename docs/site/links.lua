-- SPDX-License-Identifier: BSD-3-Clause
-- A filter of pandoc: links between files of the source become links between pages of the site, and manual pages have sections of
-- their own level. What the site does not have is named, not linked.

local page = ""

-- Return the page that file FILE becomes, nil if it becomes none.
local function page_of(file)
  local name = file:match("([^/]*)%.md$")
  if not name then return nil end
  name = name:lower()
  return (name == "readme" and "index" or name) .. ".html"
end

local function link(element)
  local target = element.target
  if target:match("^[a-z]+:") or target:match("^#") or target:match("%.svg$") then return nil end
  local file, anchor = target:match("^([^#]*)(.*)$")
  local to = page_of(file)
  if to then
    element.target = to .. anchor
    return element
  end
  return element.content
end

local function image(element)
  element.src = element.src:match("([^/]*)$")
  return element
end

-- cellcoll-run(1) in a manual page, a word in bold and the section, becomes a link.
local function inlines(list)
  for i = 1, #list - 1 do
    local word, section = list[i], list[i + 1]
    if word.t == "Strong" and section.t == "Str" then
      local name, number = pandoc.utils.stringify(word), section.text:match("^%(([15])%)")
      if number and name:match("^cellcoll") and name .. "." .. number ~= page then
        list[i] = pandoc.Link({ word }, name .. "." .. number .. ".html")
      end
    end
  end
  return list
end

-- Tables scroll by themselves on narrow screens, and so does what is preformatted, which then must be reachable by keys.
local function code_block(element)
  element.attributes.tabindex = "0"
  return element
end

local function doc(document)
  page = pandoc.utils.stringify(document.meta.page or "")
  if page:match("%.[15]$") then
    document.meta.manual = true
    document = document:walk({
      Header = function(header)
        header.level = header.level + 1
        return header
      end,
    })
  end
  document.meta.index = page == "index"
  return document:walk({
    Link = link,
    Image = image,
    Inlines = inlines,
    CodeBlock = code_block,
    Table = function(table)
      return pandoc.Div({ table }, pandoc.Attr("", { "scroll" }, { { "tabindex", "0" }, { "role", "group" }, { "aria-label", "table" } }))
    end,
  })
end

return { { Pandoc = doc } }

/**
 * Optional script: copy buttons, page parts that refresh, and the result of a popup for the shop. A part is not replaced while the user
 * types or selects text in it; without scripts everything works after a reload.
 */
export const LIVE_SCRIPT = `'use strict'
const PERIOD_MS = 3000
const shown = new Map()

const parts = (root) => [...root.querySelectorAll('[data-live][id]')]

function reveal(root) {
  for (const button of root.querySelectorAll('[data-copy]')) button.hidden = false
}

async function copy(button) {
  const label = button.innerHTML
  try {
    await navigator.clipboard.writeText(button.dataset.copy)
  } catch {
    // Outside a secure context there is only the old way.
    const field = document.createElement('textarea')
    field.value = button.dataset.copy
    document.body.append(field)
    field.select()
    document.execCommand('copy')
    field.remove()
    button.focus()
  }
  button.textContent = button.dataset.done
  setTimeout(() => { button.innerHTML = label }, 1500)
}

function isBusy(part) {
  const active = document.activeElement
  if (part.contains(active) && active.matches('input, select, textarea')) return true
  const marked = getSelection()
  if (marked && !marked.isCollapsed && marked.containsNode(part, true)) return true
  return [...part.querySelectorAll('input, select, textarea')].some((field) =>
    field.tagName === 'SELECT'
      ? [...field.options].some((one) => one.selected !== one.defaultSelected && one.index > 0)
      : field.type !== 'hidden' && field.value !== field.defaultValue)
}

const nameOf = (element) =>
  [element.tagName, element.id, element.getAttribute('href'), element.value,
    element.form?.getAttribute('action'), element.textContent.trim()].join('|')

function replace(part, fresh) {
  const open = [...part.querySelectorAll('details[open][id]')].map(({ id }) => id)
  const active = document.activeElement
  const focused = part.contains(active) && active !== part ? nameOf(active) : undefined
  part.innerHTML = fresh.innerHTML
  for (const id of open) {
    const details = document.getElementById(id)
    if (details) details.open = true
  }
  if (focused) {
    const again = [...part.querySelectorAll('a, button, summary, pre')].find((one) => nameOf(one) === focused)
    if (again) again.focus({ preventScroll: true })
  }
  reveal(part)
}

async function refresh() {
  if (document.hidden) return
  const reply = await fetch(location.href, { headers: { accept: 'text/html' } })
  if (!reply.ok || reply.redirected) return
  const page = new DOMParser().parseFromString(await reply.text(), 'text/html')
  for (const fresh of parts(page)) {
    const part = document.getElementById(fresh.id)
    if (!part) return location.reload()
    if (shown.get(fresh.id) === fresh.innerHTML || isBusy(part)) continue
    shown.set(fresh.id, fresh.innerHTML)
    replace(part, fresh)
  }
}

const result = document.querySelector('[data-result]')
if (result && parent !== window) parent.postMessage(JSON.parse(result.dataset.result), result.dataset.origin)
for (const part of parts(document)) shown.set(part.id, part.innerHTML)
reveal(document)
document.addEventListener('click', (event) => {
  const button = event.target.closest('[data-copy]')
  if (button) copy(button)
})
const again = () => refresh().catch(() => {}).finally(() => setTimeout(again, PERIOD_MS))
if (shown.size > 0) setTimeout(again, PERIOD_MS)
document.addEventListener('visibilitychange', () => { refresh().catch(() => {}) })
`

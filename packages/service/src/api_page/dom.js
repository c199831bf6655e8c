/** @typedef {Node | string | null | undefined | false} Child */

/**
 * An element with its attributes, listeners (`onclick`) and children. Text stays text: nothing on
 * this page is ever read as HTML.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, string | number | boolean | EventListener | undefined>} [attributes]
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function el(tag, attributes = {}, ...children) {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue
    if (typeof value === 'function') element.addEventListener(name.slice(2), value)
    else element.setAttribute(name, value === true ? '' : String(value))
  }
  fill(element, ...children)
  return element
}

/**
 * Puts children in the place of whatever was there.
 * @param {Element} element
 * @param {...Child} children
 */
export function fill(element, ...children) {
  element.replaceChildren(
    ...children.filter((child) => child !== null && child !== undefined && child !== false),
  )
}

/**
 * An element that page.html promises.
 * @param {string} id
 */
export function byId(id) {
  const element = document.getElementById(id)
  if (element === null) throw new Error(`page.html has no #${id}`)
  return element
}

/**
 * Text with `words` in backticks set as code.
 * @param {string} text
 * @returns {Child[]}
 */
export const prose = (text) =>
  text.split('`').map((part, index) => (index % 2 === 1 ? el('code', {}, part) : part))

/**
 * Copies on a click. Where the browser lends no clipboard (plain http), it marks the text instead.
 * @param {() => string} textOf
 * @param {Element} shown
 */
export function copyButton(textOf, shown) {
  const button = el('button', { type: 'button', class: 'quiet small' }, 'Copy')
  /** @param {string} word */
  const say = (word) => {
    button.textContent = word
    setTimeout(() => (button.textContent = 'Copy'), 1_500)
  }
  const mark = () => {
    getSelection()?.selectAllChildren(shown)
    say('Marked: press Ctrl+C')
  }
  button.addEventListener('click', () => {
    if (!isSecureContext) return mark()
    navigator.clipboard.writeText(textOf()).then(() => say('Copied'), mark)
  })
  return button
}

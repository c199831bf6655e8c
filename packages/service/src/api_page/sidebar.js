import { el, fill } from './dom.js'
import { methodBadge } from './operation.js'

/**
 * @typedef {import('./schema.js').Operation} Operation
 */

/**
 * The routes by group, with a filter. Returns what marks the one that is open.
 * @param {Element} place
 * @param {Operation[]} operations
 */
export function sidebar(place, operations) {
  const groups = [...new Set(operations.map(({ group }) => group))]
  const links = new Map(operations.map((operation) => [operation, linkTo(operation)]))
  const sections = groups.map((group) => {
    const members = operations.filter((one) => one.group === group)
    return el('section', {}, el('h2', {}, group), ...members.map((one) => links.get(one)))
  })
  const filter = el('input', {
    type: 'search',
    placeholder: 'Filter routes',
    'aria-label': 'Filter routes',
    oninput: () => {
      const wanted = filter.value.toLowerCase()
      for (const [{ id, path, summary, method }, link] of links) {
        link.hidden = !`${method} ${path} ${id} ${summary}`.toLowerCase().includes(wanted)
      }
      for (const section of sections) section.hidden = !section.querySelector('a:not([hidden])')
    },
  })
  fill(place, filter, ...sections)
  return (/** @type {Operation | undefined} */ open) => {
    for (const [operation, link] of links) {
      if (operation === open) link.setAttribute('aria-current', 'page')
      else link.removeAttribute('aria-current')
    }
  }
}

/** @param {Operation} operation */
const linkTo = ({ id, method, path, summary }) =>
  el(
    'a',
    { href: `#/${id}`, title: summary },
    methodBadge(method),
    el('span', {}, ...breakable(path)),
  )

/**
 * A path that may be broken after its slashes, and nowhere else.
 * @param {string} path
 */
const breakable = (path) => path.split(/(?<=.\/)/).flatMap((part) => [part, el('wbr')])

// A link opened in a new tab must not ask for the key again. The key is in `sessionStorage`, which the
// browser copies into a window that this page opens itself and into no other: no other page of the
// origin can ask for it, as it could over a channel or `localStorage` (ADR 0024).
import { keptKey } from './client.ts'

/** Opens Ctrl-, Shift- and middle-clicked links of the dashboard with the key of this tab. */
export function openTabsSignedIn(): void {
  // The new tab needs no way back into the first one.
  if (window.opener !== null) window.opener = null
  addEventListener('click', open, true)
  addEventListener('auxclick', open, true)
}

function open(event: MouseEvent): void {
  const { type, button, ctrlKey, metaKey, shiftKey, target } = event
  const wanted = type === 'auxclick' ? button === 1 : ctrlKey || metaKey || shiftKey
  const link = target instanceof Element ? target.closest('a') : null
  if (!wanted || link === null || keptKey() === undefined) return
  const here = link.origin === location.origin && link.pathname === location.pathname
  if (!here || link.hasAttribute('download')) return
  event.preventDefault()
  event.stopPropagation()
  window.open(link.href, '_blank')
}

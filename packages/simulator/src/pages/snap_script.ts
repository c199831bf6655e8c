import { fileRoute } from './assets.ts'

/**
 * The popup script that a shop loads: `snap.pay`, `snap.show`, `snap.hide`. It sets styles through
 * the object model only, so it works under a shop's policy without inline styles.
 */
const SNAP_SCRIPT = `(() => {
'use strict'
const script = document.currentScript
const base = new URL('.', script.src).href.replace(/snap\\/$/, '')
const NAMES = { success: 'onSuccess', pending: 'onPending', error: 'onError', close: 'onClose' }
let overlay
let before
let listener

const style = (element, values) => Object.assign(element.style, values)

function show() {
  if (overlay) return
  before = document.activeElement
  overlay = document.createElement('div')
  overlay.id = 'snap-midtrans-overlay'
  overlay.setAttribute('role', 'dialog')
  overlay.setAttribute('aria-modal', 'true')
  overlay.setAttribute('aria-label', 'Payment')
  style(overlay, { position: 'fixed', inset: '0', zIndex: '999999', background: 'rgb(0 0 0 / 0.6)',
    display: 'grid', placeItems: 'center' })
  document.body.append(overlay)
  document.documentElement.style.overflow = 'hidden'
}

function hide() {
  if (!overlay) return
  if (listener) removeEventListener('message', listener)
  overlay.remove()
  document.documentElement.style.overflow = ''
  overlay = listener = undefined
  if (before && before.focus) before.focus()
}

function pay(token, options = {}) {
  if (listener) throw new Error('Invalid state transition from PopupInView to PopupInView')
  if (!token) throw new Error('snapToken is required')
  show()
  const frame = document.createElement('iframe')
  const query = new URLSearchParams({ popup: location.origin, client_key: script.dataset.clientKey || '' })
  if (options.language) query.set('lang', options.language)
  frame.id = 'snap-midtrans'
  frame.name = 'snap'
  frame.title = 'Payment'
  frame.src = base + 'snap/v4/redirection/' + encodeURIComponent(token) + '?' + query
  const wide = innerWidth > 480
  style(frame, { border: '0', width: 'min(100%, 30rem)', height: wide ? 'min(94%, 52rem)' : '100%',
    borderRadius: wide ? '16px' : '0', background: 'Canvas' })
  frame.addEventListener('load', () => frame.focus(), { once: true })
  listener = (event) => {
    if (event.source !== frame.contentWindow || event.origin !== new URL(base).origin) return
    if (!event.data || event.data.source !== 'snap') return
    const { kind, result } = event.data
    hide()
    const callback = options[NAMES[kind]]
    if (callback) kind === 'close' ? callback() : callback(result)
    else if (result.finish_redirect_url) location.assign(result.finish_redirect_url)
  }
  addEventListener('message', listener)
  overlay.append(frame)
}

window.snap = { pay, show, hide }
})()
`

/** What a shop loads from the gateway's host. */
export const SNAP_ROUTES = [fileRoute('/snap/snap.js', 'text/javascript', SNAP_SCRIPT)]

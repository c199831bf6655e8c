// Shows a payment to its payer: account number, QR code or payment code with a countdown, until the
// result is known. For pages of a shop that charges directly; it needs no key and calls only `read`.
import type { PayerView } from './payer_view.ts'

export type { PayerView } from './payer_view.ts'

export interface ShowOptions {
  /** Asks your own server for the `PayerView`. An error is tried again. */
  read: () => Promise<PayerView>
  /** The address of an image of the QR code; without it the code is not shown. */
  qr?: (qr_string: string) => string
  /** Without it, the language of the page (`<html lang="id">`); English if it is neither. */
  language?: 'en' | 'id'
  /** Milliseconds between two reads at first; they become rarer, up to five times that. */
  every_ms?: number
}

export interface ShownPayment {
  /** Resolves once, when the payment is paid or can no longer be paid. */
  result: Promise<PayerView>
  /** Ends the reads and the countdown; `result` then never resolves. */
  stop: () => void
}

const TEXTS = {
  en: {
    waiting: 'Waiting for your payment',
    paid: 'Paid. Thank you.',
    ended: 'This payment can no longer be paid.',
    amount: 'Amount',
    va_number: 'Virtual account',
    biller_code: 'Company code',
    bill_key: 'Bill key',
    payment_code: 'Payment code',
    qr: 'QR code',
    save: 'Save the QR code',
    link: 'Continue to pay',
    copy: 'Copy',
    copied: 'Copied',
    before: 'Pay before',
    left: 'left',
    over: 'Time is up; checking the result',
    locale: 'en-GB',
  },
  id: {
    waiting: 'Menunggu pembayaran Anda',
    paid: 'Lunas. Terima kasih.',
    ended: 'Pembayaran ini tidak dapat dibayar lagi.',
    amount: 'Jumlah',
    va_number: 'Virtual account',
    biller_code: 'Kode perusahaan',
    bill_key: 'Kode bayar',
    payment_code: 'Kode pembayaran',
    qr: 'Kode QR',
    save: 'Simpan kode QR',
    link: 'Lanjutkan pembayaran',
    copy: 'Salin',
    copied: 'Tersalin',
    before: 'Bayar sebelum',
    left: 'lagi',
    over: 'Waktu habis; hasil sedang diperiksa',
    locale: 'id-ID',
  },
} as const
type Texts = (typeof TEXTS)[keyof typeof TEXTS]

const rupiah = new Intl.NumberFormat('id-ID', {
  style: 'currency',
  currency: 'IDR',
  maximumFractionDigits: 0,
})

/** Draws the payment into the element and keeps it up to date. Style it by the `gapura-…` classes. */
export function showPayment(element: HTMLElement, options: ShowOptions): ShownPayment {
  const page = document.documentElement.lang.startsWith('id') ? 'id' : 'en'
  const texts = TEXTS[options.language ?? page]
  const first_ms = options.every_ms ?? 3000
  const status = make('p', 'gapura-status', '')
  status.setAttribute('role', 'status')
  const body = make('div', 'gapura-waiting', '')
  element.replaceChildren(status, body)
  const ending = new AbortController()
  let drawn = new AbortController()
  let shown = ''
  let timer: ReturnType<typeof setTimeout> | undefined

  const result = new Promise<PayerView>((resolve) => {
    const look = async (wait_ms: number): Promise<void> => {
      clearTimeout(timer)
      // An offline browser, or a server that restarts: the next read tries again.
      const view = await options.read().catch(() => undefined)
      if (ending.signal.aborted) return
      if (view !== undefined) draw(view)
      if (view === undefined || view.state === 'waiting') {
        clearTimeout(timer)
        // Most payers pay at once or much later.
        timer = setTimeout(() => void look(Math.min(wait_ms * 1.2, first_ms * 5)), wait_ms)
        return
      }
      stop()
      resolve(view)
    }
    // Reads at once when the payer returns from the bank's app.
    document.addEventListener('visibilitychange', () => void (document.hidden || look(first_ms)), {
      signal: ending.signal,
    })
    void look(first_ms)
  })

  const draw = (view: PayerView): void => {
    element.dataset['state'] = view.state
    // Only a change is announced to screen readers, and what is shown keeps its focus.
    if (status.textContent !== texts[view.state]) status.textContent = texts[view.state]
    const now = JSON.stringify(view)
    if (now === shown) return
    shown = now
    drawn.abort()
    drawn = new AbortController()
    const parts = view.state === 'waiting' ? waitingParts(view, options, texts, drawn.signal) : []
    body.replaceChildren(...parts)
  }

  const stop = (): void => {
    clearTimeout(timer)
    ending.abort()
    drawn.abort()
  }

  return { result, stop }
}

function waitingParts(
  view: PayerView,
  { qr }: ShowOptions,
  texts: Texts,
  signal: AbortSignal,
): HTMLElement[] {
  const amount = Number(view.amount)
  const place = view.place === null ? '' : `${view.place.toUpperCase()} `
  const parts = [row(texts.amount, rupiah.format(amount), String(amount), texts)]
  for (const name of ['va_number', 'biller_code', 'bill_key', 'payment_code'] as const) {
    const value = view[name]
    if (value === null) continue
    const label = name === 'va_number' ? `${place}${texts.va_number.toLowerCase()}` : texts[name]
    parts.push(row(label, value.replaceAll(/(.{4})(?=.)/g, '$1 '), value, texts))
  }
  if (view.qr_string !== null && qr !== undefined) parts.push(code(qr(view.qr_string), texts))
  if (view.link !== null && !/^\s*javascript:/i.test(view.link)) {
    const link = make('a', 'gapura-link', texts.link)
    link.href = view.link
    parts.push(link)
  }
  if (view.expires_at !== null) parts.push(deadline(new Date(view.expires_at), texts, signal))
  return parts
}

function row(label: string, text: string, value: string, texts: Texts): HTMLElement {
  const button = make('button', 'gapura-copy', texts.copy)
  button.type = 'button'
  button.setAttribute('aria-label', `${texts.copy}: ${label}`)
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(value)
    button.textContent = texts.copied
    setTimeout(() => (button.textContent = texts.copy), 2000)
  }
  button.addEventListener('click', () => void copy())
  const part = make('div', 'gapura-row', '')
  part.append(make('span', 'gapura-label', label), make('span', 'gapura-value', text), button)
  return part
}

function code(address: string, texts: Texts): HTMLElement {
  const image = make('img', 'gapura-qr', '')
  image.alt = texts.qr
  const save = make('a', 'gapura-save', texts.save)
  save.download = 'qr.png'
  // As a PNG: image galleries, and the apps that read codes from them, do not support SVG.
  image.addEventListener('load', () => {
    const side = 1024
    const canvas = document.createElement('canvas')
    Object.assign(canvas, { width: side, height: side })
    canvas.getContext('2d')?.drawImage(image, 0, 0, side, side)
    save.href = canvas.toDataURL('image/png')
  })
  image.src = address
  const part = make('figure', 'gapura-code', '')
  part.append(image, save)
  return part
}

function deadline(end: Date, texts: Texts, signal: AbortSignal): HTMLElement {
  const part = make('p', 'gapura-deadline', `${texts.before} `)
  // The zone is part of the time: Indonesia has three.
  const format = new Intl.DateTimeFormat(texts.locale, {
    dateStyle: 'full',
    timeStyle: 'short',
    timeZone: 'Asia/Jakarta',
  })
  const time = make('time', '', `${format.format(end)} WIB`)
  time.dateTime = end.toISOString()
  const left = make('strong', 'gapura-left', '')
  part.append(time, left)
  const tick = (): void => {
    const seconds = Math.max(0, Math.floor((end.getTime() - Date.now()) / 1000))
    const clock = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
    const digits = clock.map((one) => String(one).padStart(2, '0')).join(':')
    // The gateway decides when it expires, not this clock: a payment in the last second counts.
    left.textContent = seconds > 0 ? `${digits} ${texts.left}` : texts.over
  }
  const timer = setInterval(tick, 1000)
  signal.addEventListener('abort', () => {
    clearInterval(timer)
  })
  tick()
  return part
}

function make<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  kind: string,
  text: string,
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name)
  if (kind !== '') element.className = kind
  element.textContent = text
  return element
}

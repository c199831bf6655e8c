const id = new URLSearchParams(location.search).get('payment')
const byId = (name) => document.getElementById(name)

const rupiah = new Intl.NumberFormat('id-ID', {
  style: 'currency',
  currency: 'IDR',
  maximumFractionDigits: 0,
})
// The zone is part of the time: Indonesia has three.
const moment = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'full',
  timeStyle: 'long',
  timeZone: 'Asia/Jakarta',
})
const STEPS = {
  account: (bank) => [
    `In your ${bank} app or at its ATM choose Transfer, then Virtual Account.`,
    'Enter the number above. Your order and the exact amount appear.',
    'Confirm. This page updates automatically.',
  ],
  code: () => [
    'Check the shop and the amount in your app.',
    'Confirm. This page updates automatically.',
  ],
}
const WORDS = {
  waiting: 'Waiting for your payment',
  paid: 'Paid. Thank you, your order is on its way.',
  ended: 'This payment has ended. You were not charged; please order again.',
}

let deadline
const copies = {}

function show(payment) {
  document.querySelector('main').dataset.state = payment.state
  const words = WORDS[payment.state]
  // Only a change is announced to screen readers.
  if (byId('status').textContent !== words) byId('status').textContent = words
  byId('order').textContent = `Order ${payment.order_id}`
  byId('waiting').hidden = payment.state !== 'waiting'
  if (payment.state === 'waiting' && deadline === undefined) showInstructions(payment)
}

function showInstructions({ amount, bank, va_number, has_qr, expires_at }) {
  deadline = new Date(expires_at)
  Object.assign(copies, { amount: String(amount), number: va_number })
  byId('amount').textContent = rupiah.format(amount)
  byId('deadline').textContent = moment.format(deadline).replace('GMT+7', 'WIB')
  byId('deadline').dateTime = expires_at
  byId('account').hidden = va_number === null
  byId('code').hidden = !has_qr
  const name = bank?.toUpperCase()
  if (va_number !== null) {
    byId('bank').textContent = `${name} virtual account`
    byId('number').textContent = va_number.replace(/(.{4})(?=.)/g, '$1 ')
  }
  if (has_qr) {
    const image = byId('code').querySelector('img')
    image.addEventListener('load', () => offerPicture(image, byId('code').querySelector('a')))
    image.src = `/payments/${id}/qr.svg`
  }
  const steps = va_number === null ? STEPS.code() : STEPS.account(name)
  byId('steps').replaceChildren(...steps.map(listItem))
  countDown()
}

/** As a PNG: image galleries, and the apps that read codes from them, do not support SVG. */
function offerPicture(image, link) {
  const side = 1024
  const canvas = Object.assign(document.createElement('canvas'), { width: side, height: side })
  canvas.getContext('2d').drawImage(image, 0, 0, side, side)
  link.href = canvas.toDataURL('image/png')
}

const listItem = (text) => Object.assign(document.createElement('li'), { textContent: text })

function countDown() {
  const left = Math.max(0, Math.floor((deadline - Date.now()) / 1000))
  const parts = [Math.floor(left / 3600), Math.floor(left / 60) % 60, left % 60]
  const text = parts.map((part) => String(part).padStart(2, '0')).join(':')
  // The gateway decides when it expires, not this clock: a payment in the last second counts.
  byId('countdown').textContent = left > 0 ? `${text} left` : 'Time is up; checking the result'
  setTimeout(countDown, 1000)
}

/** Every three seconds at first, then slower: most buyers pay at once or much later. */
async function poll(wait = 3000) {
  try {
    const reply = await fetch(`/payments/${id}/state`)
    if (reply.status === 404) return void (byId('status').textContent = 'There is no such payment.')
    const payment = await reply.json()
    show(payment)
    if (payment.state !== 'waiting') return
  } catch {
    // The browser is offline: the next poll tries again.
  }
  setTimeout(poll, wait, Math.min(wait * 1.2, 15_000))
}

for (const button of document.querySelectorAll('[data-copy]')) {
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(copies[button.dataset.copy])
    button.textContent = 'Copied'
    setTimeout(() => (button.textContent = 'Copy'), 2000)
  })
}
// Checks at once when the buyer returns from the bank's app.
document.addEventListener('visibilitychange', () => {
  if (!document.hidden)
    fetch(`/payments/${id}/state`)
      .then((reply) => reply.json())
      .then(show, () => {})
})
poll()

const WORDS = {
  initiated: 'Your payment page is being prepared',
  open: 'Waiting for your payment',
  completed: 'Paid. Thank you, your order is on its way.',
  expired: 'Nothing was paid in time. Please order again.',
  cancelled: 'This order was cancelled.',
  failure: 'That did not work. Please order again.',
}
const { order, checkout } = Object.fromEntries(new URLSearchParams(location.search))
const query = new URLSearchParams(order ? { order } : { checkout })

async function look(wait = 2000) {
  try {
    const reply = await fetch(`/checkouts/state?${query}`)
    const { order_id, status } = await reply.json()
    document.getElementById('order').textContent = `Order ${order_id}`
    document.getElementById('status').textContent = WORDS[status]
    if (status !== 'open' && status !== 'initiated') return
  } catch {
    // Offline, or the shop restarts: the next read tries again.
  }
  setTimeout(look, wait, Math.min(wait * 1.2, 15_000))
}
void look()

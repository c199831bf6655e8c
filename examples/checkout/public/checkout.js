import { showPayment } from '/gapura.js'

const id = new URLSearchParams(location.search).get('payment')

showPayment(document.getElementById('payment'), {
  read: async () => {
    const reply = await fetch(`/payments/${id}/state`)
    if (!reply.ok) throw new Error(`answered ${reply.status}`)
    const payment = await reply.json()
    document.getElementById('order').textContent = `Order ${payment.order_id}`
    return payment
  },
  qr: () => `/payments/${id}/qr.svg`,
})

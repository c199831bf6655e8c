// The gateway's popup script, with the token of the page. Its callbacks are for display: the result
// is read from our own server.
const [id] = location.pathname.split('/').slice(-1)
const reply = await fetch(`/popup/${id}/page`)
const { token, script, client_key } = await reply.json()

const element = document.createElement('script')
element.src = script
element.dataset.clientKey = client_key
await new Promise((resolve, reject) => {
  element.addEventListener('load', resolve)
  element.addEventListener('error', reject)
  document.head.append(element)
})

const button = document.getElementById('pay')
const done = () => location.assign(`/result.html?checkout=${id}`)
button.disabled = false
button.addEventListener('click', () => {
  // Closed without a choice: the same page opens again.
  snap.pay(token, { onSuccess: done, onPending: done, onError: done, onClose: () => {} })
})

// A shop of another origin than the gateway's, under a policy that allows only the gateway's script
// and frame.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Simulator } from '@gapura/simulator'

/** The shop: its script asks for the popup and writes down what it was called with. */
const SHOP_SCRIPT = `
const { token, lang } = Object.fromEntries(new URLSearchParams(location.search))
const write = (name) => (result) => {
  document.querySelector('output').textContent = name + ' ' + JSON.stringify(result ?? {})
}
document.querySelector('#pay').addEventListener('click', () => {
  snap.pay(token, { language: lang, onSuccess: write('success'), onPending: write('pending'),
    onError: write('error'), onClose: write('close') })
})
document.querySelector('#bare').addEventListener('click', () => snap.pay(token))
`

function shopPage(simulator: Simulator, client_key: string): string {
  return `<!doctype html><html lang="en"><head><title>Shop</title>
    <script src="${simulator.url}/snap/snap.js" data-client-key="${client_key}"></script>
    <script src="/shop.js" defer></script></head>
    <body><main><h1>Shop</h1><button id="pay">Pay</button><button id="bare">Plain</button>
    <output></output></main></body></html>`
}

export interface PopupShop {
  url: string
  close: () => void
}

/** Serves `/?token=…&lang=…&key=…`; every other path is the same page, the finish page too. */
export async function openShopServer(simulator: Simulator): Promise<PopupShop> {
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://shop')
    const script = pathname === '/shop.js'
    const key = searchParams.get('key') ?? simulator.client_key
    response.writeHead(200, {
      'content-type': script ? 'text/javascript' : 'text/html',
      'content-security-policy': `default-src 'none'; script-src 'self' ${simulator.url}; frame-src ${simulator.url}`,
    })
    response.end(script ? SHOP_SCRIPT : shopPage(simulator, key))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

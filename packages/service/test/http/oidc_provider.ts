// A real OpenID provider in a process of its own. An account is its e-mail address, and whether the
// provider verified it: `dewi@shop.example|verified`.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Provider } from 'oidc-provider'

const [, , redirect_uri = ''] = process.argv
const server = createServer()
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
const provider = new Provider(issuer, {
  clients: [
    {
      client_id: 'gapura',
      client_secret: 'a secret of the provider',
      redirect_uris: [redirect_uri],
      response_types: ['code'],
      grant_types: ['authorization_code'],
    },
  ],
  pkce: { required: () => true },
  claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
  cookies: { keys: ['cookies of the provider'] },
  findAccount: async (_ctx, accountId) => {
    const [email = '', state = ''] = accountId.split('|')
    const claims = { sub: accountId, email, email_verified: state === 'verified' }
    return await Promise.resolve({
      accountId,
      claims: async () => await Promise.resolve(claims),
    })
  },
})
const answer = provider.callback()
server.on('request', (request, response) => void answer(request, response))
process.stdout.write(`${issuer}\n`)

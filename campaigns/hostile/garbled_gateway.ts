// A proxy in front of the simulator that garbles its answers.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { forward } from '../bench/key_gateway.ts'
import type { Random } from '../bench/random.ts'
import { garbled, type GatewayAnswer } from './garbled_answers.ts'

export interface GarbledGateway {
  url: string
  /** How many answers of each name were given. */
  counts: ReadonlyMap<string, number>
  /** The last answers, newest last, to find the cause of a finding. */
  recent: readonly { asked: string; answer: GatewayAnswer }[]
  /** Always this answer; undefined for random ones again. */
  only: (answer: GatewayAnswer | undefined) => void
  close: () => Promise<void>
}

const RECENT_MAX = 200

export async function openGarbledGateway(
  simulator_url: string,
  random: Random,
): Promise<GarbledGateway> {
  const counts = new Map<string, number>()
  const recent: { asked: string; answer: GatewayAnswer }[] = []
  let fixed: GatewayAnswer | undefined
  const server = createServer((request, response) => {
    answered(request, response).catch(() => response.destroy())
  })
  async function answered(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { authorization = '' } = request.headers
    const { status: http_status, body } = await forward(simulator_url, request, authorization)
    const honest = { http_status, body }
    const answer = fixed ?? garbled(honest, random)
    const kind = answer.name.startsWith('with ') ? 'honest with something wrong' : answer.name
    counts.set(kind, (counts.get(kind) ?? 0) + 1)
    recent.push({ asked: `${request.method} ${request.url}`, answer })
    if (recent.length > RECENT_MAX) recent.shift()
    give(response, answer)
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    counts,
    recent,
    only: (answer) => {
      fixed = answer
    },
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function give(
  response: ServerResponse,
  { http_status, body, headers = {}, broken }: GatewayAnswer,
): void {
  if (broken === 'before') {
    response.destroy()
    return
  }
  const length = Buffer.byteLength(body)
  response.writeHead(http_status, {
    'content-type': 'application/json',
    ...(http_status !== 204 && {
      'content-length': String(broken === 'within' ? length + 50 : length),
    }),
    ...headers,
  })
  if (broken === 'within') response.write(body, () => response.destroy())
  else response.end(body)
}

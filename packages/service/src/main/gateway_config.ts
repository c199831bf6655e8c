// The settings of the gateway, and of the cell that its notifications come back to.
import { CELL_NAME } from '../domain/order_id.ts'
import { biSnapCredentials } from '../gateway/bi_snap.ts'
import { cellTokens } from '../gateway/cell_token.ts'
import { Secret } from '../gateway/secret.ts'
import type { GapuraOptions } from './create_gapura.ts'
import type { Reader } from './environment_reader.ts'

export function gatewayOf(reader: Reader): GapuraOptions['gateway'] {
  const is_production = reader.flag('GATEWAY_IS_PRODUCTION', false)
  const server_key = reader.required('GATEWAY_SERVER_KEY')
  const previous = reader.text('GATEWAY_SERVER_KEY_PREVIOUS')
  const client_key = reader.text('GATEWAY_CLIENT_KEY')
  const base_url = reader.url('GATEWAY_BASE_URL')
  const page_url = reader.url('GATEWAY_PAGE_URL')
  const notification_urls = reader.urls('GATEWAY_NOTIFICATION_URL', 3)
  if (is_production) {
    const keys = { GATEWAY_SERVER_KEY: server_key, GATEWAY_CLIENT_KEY: client_key }
    for (const [name, key] of Object.entries(keys)) {
      if (key?.startsWith('SB-')) reader.fault(name, 'is a sandbox key, and production is on')
    }
    for (const [name, url] of Object.entries({
      GATEWAY_BASE_URL: base_url,
      GATEWAY_PAGE_URL: page_url,
    })) {
      if (url?.startsWith('http:')) reader.fault(name, 'needs https in production')
    }
  }
  return {
    server_key: new Secret(server_key),
    is_production,
    ...(previous !== undefined && { previous_server_key: new Secret(previous) }),
    ...(client_key !== undefined && { client_key }),
    ...(base_url !== undefined && { base_url }),
    ...(page_url !== undefined && { page_url }),
    notification_urls,
    card_data: reader.flag('GATEWAY_CARD_DATA', false),
  }
}

/** All of them or none: with some the history would fail at its first reading. */
export function biSnapOf(
  reader: Reader,
): Pick<GapuraOptions['gateway'], 'bi_snap' | 'merchant_url'> {
  const names = ['CLIENT_ID', 'CLIENT_SECRET', 'PRIVATE_KEY', 'PARTNER_ID'] as const
  const given = [
    reader.text('GATEWAY_BI_SNAP_CLIENT_ID'),
    reader.text('GATEWAY_BI_SNAP_CLIENT_SECRET'),
    reader.text('GATEWAY_BI_SNAP_PRIVATE_KEY'),
    reader.text('GATEWAY_BI_SNAP_PARTNER_ID'),
  ]
  const channel_id = reader.text('GATEWAY_BI_SNAP_CHANNEL_ID')
  const merchant_url = reader.url('GATEWAY_BI_SNAP_URL')
  if (merchant_url?.startsWith('http:') === true && reader.flag('GATEWAY_IS_PRODUCTION', false))
    reader.fault('GATEWAY_BI_SNAP_URL', 'needs https in production')
  const [client_id = '', client_secret = '', private_key = '', partner_id = ''] = given
  const address = merchant_url === undefined ? {} : { merchant_url }
  if (given.every((value) => value === undefined)) return address
  for (const [index, name] of names.entries()) {
    if (given[index] === undefined) reader.fault(`GATEWAY_BI_SNAP_${name}`, 'is needed too')
  }
  if (given.includes(undefined)) return address
  const bi_snap = {
    client_id,
    client_secret: new Secret(client_secret),
    private_key: new Secret(private_key),
    partner_id,
    ...(channel_id !== undefined && { channel_id }),
  }
  try {
    biSnapCredentials(bi_snap)
  } catch (error) {
    const [name = '', ...words] = (error instanceof Error ? error.message : '').split(' ')
    reader.fault(`GATEWAY_BI_SNAP_${name.toUpperCase()}`, words.join(' '))
  }
  return { ...address, bi_snap }
}

export const statementsOf = (reader: Reader): NonNullable<GapuraOptions['statements']> => ({
  balance: reader.flag('GATEWAY_BALANCE_READS', false),
  days_back: reader.integer('GAPURA_STATEMENT_DAYS_BACK', 7, 180),
})

/** A cell gives the gateway its own address, so that notifications come back to it. */
export function cellOf(reader: Reader): Pick<GapuraOptions, 'cell'> {
  const name = reader.matching('GAPURA_CELL', CELL_NAME)
  const given = {
    peers: reader.checked('GAPURA_CELL_PEERS', peersOf),
    keys: reader.checked('GAPURA_CELL_KEY', cellKeysOf),
    dashboards: reader.checked('GAPURA_CELL_DASHBOARDS', peersOf),
  }
  const { peers, keys, dashboards } = given
  if (name === undefined) {
    for (const [one, value] of Object.entries(given)) {
      const setting = one === 'keys' ? 'KEY' : one.toUpperCase()
      if (value !== undefined) reader.fault('GAPURA_CELL', `is needed with GAPURA_CELL_${setting}`)
    }
    return {}
  }
  if (reader.text('GATEWAY_NOTIFICATION_URL') === undefined) {
    reader.fault('GATEWAY_NOTIFICATION_URL', 'is needed with GAPURA_CELL')
  }
  return {
    cell: {
      name,
      ...(peers && { peers }),
      ...(keys && { keys }),
      ...(dashboards && { dashboards }),
    },
  }
}

function cellKeysOf(text: string): Secret[] {
  const keys = text.split(',').map((key) => new Secret(key.trim()))
  cellTokens(keys)
  return keys
}

/** `b=http://10.0.0.2:3000,c=http://10.0.0.3:3000` */
function peersOf(text: string): Record<string, string> {
  const pairs = text.split(',').map((pair) => {
    const [, name = '', url = ''] = /^\s*([a-z]{1,8})=(https?:\S+?)\s*$/.exec(pair) ?? []
    if (!URL.canParse(url)) throw new Error('is a list of name=address, with commas between them')
    return [name, url] as const
  })
  return Object.fromEntries(pairs)
}

// The configuration of HAProxy for cells, and its maps (ADR 0039).
import { bucketsOf, cellsOf, type CellEntry, type CellsFile } from './cells_file.ts'

/** File name and content. */
export type RenderedFiles = Readonly<Record<string, string>>

const IS_NOTIFICATION = '{ path /notification /notification/ }'
const IS_READ = '{ method GET HEAD }'
const NO_CELL = '!{ var(txn.cell) -m found }'
const HASHED = 'sha2(256),hex,lower'

/** All files of the proxy. `folder` is where they will be. */
export function renderCells(file: CellsFile, folder: string): RenderedFiles {
  const { moved = {} } = file
  const hosts = cellsOf(file).flatMap(([name, { host }]) =>
    host === undefined ? [] : [[host, name]],
  )
  const buckets = [...bucketsOf(file)].map(([bucket, [cell = '']]) => [bucket, cell])
  return {
    'haproxy.cfg': configuration(file, folder),
    'buckets.map': mapOf(buckets),
    'hosts.map': mapOf(hosts),
    'owners.map': mapOf(Object.entries(moved.owners ?? {})),
    'keys.map': mapOf(Object.entries(moved.keys ?? {})),
  }
}

const mapOf = (pairs: readonly (readonly string[])[]): string =>
  pairs.map((pair) => `${pair.join(' ')}\n`).join('')

const configuration = (file: CellsFile, folder: string): string =>
  [
    '# Made by gapura cells render; changes belong into the file of the cells.',
    ...globalLines(file),
    ...frontendLines(file, folder),
    ...cellsOf(file).flatMap(([name, cell]) => backendLines(name, cell)),
    '',
  ].join('\n')

const globalLines = ({ admin_socket }: CellsFile): string[] => [
  'global',
  // Over the socket a new process takes the listeners of the old one: a reload loses no request.
  `  stats socket ${admin_socket} mode 600 level admin expose-fd listeners`,
  '  hard-stop-after 60s',
  // The body of a notification, at most 64 KiB, is read whole to find its cell.
  '  tune.bufsize 98304',
  '',
  'defaults',
  '  mode http',
  '  option forwardfor',
  '  option http-buffer-request',
  // A connection that the service closes while idle must not meet a charge: each request has its own.
  '  option http-server-close',
  '  option redispatch',
  '  timeout connect 2s',
  '  timeout http-request 10s',
  '  timeout client 75s',
  '  timeout server 75s',
  '  timeout queue 5s',
  // A busy process answers late and is not away; the service itself decides within 3 s.
  '  timeout check 4s',
  '  retries 2',
  // Beyond a connection that was not made; see disable-l7-retry below.
  '  retry-on conn-failure empty-response',
  '',
]

const IS_KEY = '{ var(txn.bearer) -m beg gpk_ }'
const HAS_OWNER = '{ var(txn.owner) -m found }'
const MINTED = '{ var(txn.order) -m reg ^(ord|inv)-[0-9A-Z]{16}-[a-z]{1,8}(-[0-9]{6,20})?$ }'
const CELL_PATH = '{ path_reg ^/cells/[a-z]{1,8}/ }'

/** The variable that is set while no cell is known, from what, and under which condition. */
type Step = readonly [name: string, from: string, where: string]

/** The order in which a cell is looked for; a map without the entry leaves it unknown. */
const stepsOf = (map: (name: string) => string): readonly Step[] => [
  ['cell', `hdr(host),field(1,:),lower,${map('hosts')}`, ''],
  // A notification to the common address, by the order id that a cell minted.
  ['order', `req.body,json_query('$.order_id')`, IS_NOTIFICATION],
  ['cell', 'var(txn.order),field(3,-)', MINTED],
  ['bearer', 'http_auth_bearer', ''],
  ['cell', `var(txn.bearer),${HASHED},${map('keys')}`, IS_KEY],
  ['cell', 'var(txn.bearer),field(2,_)', '{ var(txn.bearer) -m reg ^gpk_[a-z]{1,8}_ }'],
  // A JWT, which the cell verifies.
  [
    'owner',
    `var(txn.bearer),jwt_payload_query('$.sub'),${HASHED}`,
    `{ var(txn.bearer) -m found } !${IS_KEY}`,
  ],
  ['cell', `var(txn.owner),${map('owners')}`, HAS_OWNER],
  ['cell', `var(txn.bearer),jwt_payload_query('$.cell')`, HAS_OWNER],
  ['cell', `var(txn.owner),bytes(0,2),${map('buckets')}`, HAS_OWNER],
]

function frontendLines(file: CellsFile, folder: string): string[] {
  const cells = cellsOf(file)
  const steps = stepsOf((name) => `map(${folder}/${name}.map)`)
  return [
    'frontend cells',
    `  bind ${file.listen}`,
    `  http-request set-var(txn.cell) path,field(3,/) if ${CELL_PATH}`,
    `  http-request replace-path /cells/[a-z]+(/.*) \\1 if ${CELL_PATH}`,
    ...steps.map(
      ([name, from, where]) =>
        `  http-request set-var(txn.${name}) ${from} if ${NO_CELL}${where === '' ? '' : ` ${where}`}`,
    ),
    ...cells.map(([name]) => `  use_backend cell_${name} if { var(txn.cell) -m str ${name} }`),
    // Any cell that is up offers a notification without a name to the others.
    ...cells.map(
      ([name]) => `  use_backend cell_${name} if ${IS_NOTIFICATION} { nbsrv(cell_${name}) gt 0 }`,
    ),
    `  default_backend cell_${cells[0]?.[0] ?? ''}`,
    '',
  ]
}

function backendLines(name: string, { servers }: CellEntry): string[] {
  // 429 makes the gateway repeat a notification five times, 503 four times.
  const away = `{ nbsrv(cell_${name}) eq 0 }`
  return [
    `backend cell_${name}`,
    '  balance leastconn',
    `  http-request return status 429 hdr Retry-After 5 if ${IS_NOTIFICATION} ${away}`,
    `  http-request disable-l7-retry unless ${IS_READ} or ${IS_NOTIFICATION}`,
    '  option httpchk GET /readyz',
    '  http-check expect status 200',
    // Three failed checks, as in the manifests: one is a busy moment.
    '  default-server check inter 1s fall 3 rise 1',
    ...servers.map(
      ({ address, admin_port, drain }, index) =>
        `  server ${name}${index + 1} ${address} port ${admin_port}${drain === true ? ' weight 0' : ''}`,
    ),
    '',
  ]
}

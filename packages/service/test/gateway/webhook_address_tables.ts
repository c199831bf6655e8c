// Spellings and edges of addresses, written from the IANA registries and not from our own list.

/** An address, in every way that a URL allows to write its four numbers. */
export function spellings(address: string): string[] {
  const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number)
  const low = (b * 256 + c) * 256 + d
  const bases = [dec, hex, octal]
  const parts = [[a, b, c, d], [a, b, c * 256 + d], [a, low], [a * 2 ** 24 + low]]
  const mixed = parts.flatMap((numbers) =>
    numbers.reduce<string[]>(
      (heads, number) =>
        heads.flatMap((head) => bases.map((base) => `${head}${head && '.'}${base(number)}`)),
      [''],
    ),
  )
  const whole = a * 2 ** 24 + low
  return [
    ...mixed,
    ...mixed.slice(0, 8).map((text) => `${text}.`),
    address.replaceAll(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
    address.replaceAll(/\d/g, (digit) => String.fromCodePoint(0x1d7ce + Number(digit))),
    address.replaceAll(/[1-9]/g, (digit) => String.fromCodePoint(0x245f + Number(digit))),
    address.replaceAll('.', '。'),
    address.replaceAll('.', '．'),
    address.replaceAll('.', '｡'),
    address.replaceAll('.', '%2e'),
    address.replaceAll(/\d/g, (digit) => `%3${digit}`),
    address.replaceAll('.', '\u00ad.'),
    address.replaceAll('.', '.\t'),
    `0X${whole.toString(16).toUpperCase()}`,
    `0x${whole.toString(16).padStart(16, '0')}`,
    `0${octal(whole).padStart(20, '0')}`,
    [a, b, c, d].map((part) => octal(part).padStart(8, '0')).join('.'),
  ]
}

const dec = (number: number): string => String(number)
const hex = (number: number): string => `0x${number.toString(16)}`
const octal = (number: number): string => `0${number.toString(8)}`

interface Range {
  name: string
  first: string
  inside: string
  last: string
  /** The public neighbours; left out where another private range begins. */
  before?: string
  after?: string
}

const range = (name: string, inner: readonly string[], before = '', after = ''): Range => {
  const [first = '', inside = '', last = ''] = inner
  return { name, first, inside, last, ...(before && { before }), ...(after && { after }) }
}

export const V4_RANGES: readonly Range[] = [
  range('this network', ['0.0.0.0', '0.1.2.3', '0.255.255.255'], '', '1.0.0.0'),
  range('private 10', ['10.0.0.0', '10.9.8.7', '10.255.255.255'], '9.255.255.255', '11.0.0.0'),
  range(
    'shared',
    ['100.64.0.0', '100.100.100.200', '100.127.255.255'],
    '100.63.255.255',
    '100.128.0.0',
  ),
  range('loopback', ['127.0.0.0', '127.8.8.8', '127.255.255.255'], '126.255.255.255', '128.0.0.0'),
  range(
    'link local',
    ['169.254.0.0', '169.254.169.254', '169.254.255.255'],
    '169.253.255.255',
    '169.255.0.0',
  ),
  range(
    'private 172',
    ['172.16.0.0', '172.20.1.1', '172.31.255.255'],
    '172.15.255.255',
    '172.32.0.0',
  ),
  range('protocols', ['192.0.0.0', '192.0.0.170', '192.0.0.255'], '191.255.255.255', '192.0.1.0'),
  range('documentation 1', ['192.0.2.0', '192.0.2.99', '192.0.2.255'], '192.0.1.255', '192.0.3.0'),
  range(
    '6to4 relay',
    ['192.88.99.0', '192.88.99.1', '192.88.99.255'],
    '192.88.98.255',
    '192.88.100.0',
  ),
  range(
    'private 192',
    ['192.168.0.0', '192.168.1.1', '192.168.255.255'],
    '192.167.255.255',
    '192.169.0.0',
  ),
  range(
    'benchmarks',
    ['198.18.0.0', '198.19.0.1', '198.19.255.255'],
    '198.17.255.255',
    '198.20.0.0',
  ),
  range(
    'documentation 2',
    ['198.51.100.0', '198.51.100.7', '198.51.100.255'],
    '198.51.99.255',
    '198.51.101.0',
  ),
  range(
    'documentation 3',
    ['203.0.113.0', '203.0.113.9', '203.0.113.255'],
    '203.0.112.255',
    '203.0.114.0',
  ),
  range('multicast', ['224.0.0.0', '224.0.0.251', '239.255.255.255'], '223.255.255.255'),
  range('reserved', ['240.0.0.0', '250.1.1.1', '255.255.255.255']),
]

const F = 'ffff'
const ends = (head: string, groups: number): string =>
  [head, ...Array.from({ length: groups }, () => F)].join(':')

export const V6_RANGES: readonly Range[] = [
  range('unspecified, loopback and compatible', ['::', '::1', '::255.255.255.255']),
  range('mapped', ['::ffff:0.0.0.0', '::ffff:127.0.0.1', '::ffff:255.255.255.255']),
  range('mapped, public inside', ['::ffff:1.1.1.1', '::ffff:8.8.8.8', '::ffff:9.9.9.9']),
  range('translated', ['::ffff:0:0:0', '::ffff:0:127.0.0.1', '::ffff:0:ffff:ffff']),
  range('NAT64', ['64:ff9b::', '64:ff9b::127.0.0.1', '64:ff9b::ffff:ffff']),
  range('NAT64 with a public address', [
    '64:ff9b::808:808',
    '64:ff9b::1.1.1.1',
    '64:ff9b::9.9.9.9',
  ]),
  range('local NAT64', ['64:ff9b:1::', '64:ff9b:1::10.0.0.1', ends('64:ff9b:1', 5)]),
  range('discard', ['100::', '100::1', ends('100:0:0:0', 4)]),
  range('dummy', ['100:0:0:1::', '100:0:0:1::1', ends('100:0:0:1', 4)]),
  range('unassigned below', ['200::', '1000::1', ends('1fff', 7)], '', '2000::'),
  range('Teredo', ['2001::', '2001:0:7f00:1::', ends('2001:0', 6)], ends('2000', 7)),
  range('protocols', ['2001:1::', '2001:20::1', ends('2001:1ff', 6)], '', '2001:200::'),
  range(
    'documentation',
    ['2001:db8::', '2001:db8::1', ends('2001:db8', 6)],
    ends('2001:db7', 6),
    '2001:db9::',
  ),
  range('6to4', ['2002::', '2002:7f00:1::', ends('2002', 7)], ends('2001', 7), '2003::'),
  range(
    'documentation 2',
    ['3fff::', '3fff:1::1', ends('3fff:fff', 6)],
    ends('3ffe', 7),
    '3fff:1000::',
  ),
  range('unassigned above', ['4000::', '5000::1', ends('5eff', 7)], ends('3fff', 7)),
  range('segment routing', ['5f00::', '5f00::1', ends('5f00', 7)]),
  range('unassigned high', ['6000::', 'e000::1', ends('fbff', 7)]),
  range('unique local', ['fc00::', 'fd00:ec2::254', ends('fdff', 7)]),
  range('link local', ['fe80::', 'fe80::1', ends('febf', 7)]),
  range('site local', ['fec0::', 'fec0::1', ends('feff', 7)]),
  range('multicast', ['ff00::', 'ff02::1', ends('ffff', 7)]),
]

/** Other ways to write loopback and its like in IPv6. */
export const V6_SPELLINGS = [
  '0:0:0:0:0:0:0:1',
  '0000:0000:0000:0000:0000:0000:0000:0001',
  '::0001',
  '0::1',
  '0:0::0:1',
  '::0.0.0.1',
  '::127.0.0.1',
  '::7f00:1',
  '::7F00:0001',
  '::ffff:7f00:1',
  '::FFFF:127.0.0.1',
  '0:0:0:0:0:ffff:127.0.0.1',
  '0:0:0:0:0:FFFF:7F00:0001',
  '::ffff:a9fe:a9fe',
  '::ffff:169.254.169.254',
  '::ffff:10.0.0.1',
  '::ffff:192.168.0.1',
  '::ffff:0:7f00:1',
  '64:ff9b::7f00:1',
  '64:ff9b::a9fe:a9fe',
  '2002:a9fe:a9fe::1',
  '2002:0a00:0001::',
  '2001:0000:4136:e378:8000:63bf:3fff:fdd2',
  'FE80::1',
  'fd00::1',
  'fd00:ec2:0:0:0:0:0:254',
]

/** What no URL may contain; a zone would choose an interface of this machine. */
export const V6_ZONES = ['fe80::1%lo', 'fe80::1%25lo', '::1%lo', '::1%251', 'fe80::1%eth0%25']

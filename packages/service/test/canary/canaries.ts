// Unique values, and the search for them in every form they may take. Pure functions, so that the
// search itself can be tested.

/** Shorter values are found only where they stand alone: a CVV is part of many numbers. */
const LONE_LENGTH_MAX = 5

/** What a text is searched as. */
type Reading = 'plain' | 'lower' | 'bare'

const READ: Readonly<Record<Reading, (text: string) => string>> = {
  plain: (text) => text,
  lower: (text) => text.toLowerCase(),
  /** Without the backslashes of JSON in JSON. */
  bare: (text) => text.replaceAll('\\', ''),
}

interface Form {
  form: string
  reading: Reading
  needle: string
}

/** As it is, and as JSON, a URL, a bytea column or Basic authentication would write it. */
function formsOf(value: string): Form[] {
  const bytes = Buffer.from(value)
  const plain = (form: string, needle: string): Form => ({ form, reading: 'plain', needle })
  return [
    plain('plain', value),
    { form: 'json', reading: 'bare', needle: value.replaceAll('\\', '') },
    plain('url', encodeURIComponent(value)),
    plain('form', new URLSearchParams({ v: value }).toString().slice(2)),
    { form: 'hex', reading: 'lower', needle: bytes.toString('hex') },
    ...[0, 1, 2].flatMap((shift) => {
      const needle = base64Within(bytes, shift)
      const url_safe = needle.replaceAll('+', '-').replaceAll('/', '_')
      return [plain('base64', needle), plain('base64url', url_safe)]
    }),
  ]
}

/** A number directly after a colon is a member of our own, such as `"duration_ms":7391`. */
const standingAlone = (value: string): RegExp =>
  new RegExp(String.raw`(?<![\w.:+-])${RegExp.escape(value)}(?![\w.:-])`)

const PLACES = 1 << 20

/** Which of PLACES the first four characters from here fall into. */
const placeOf = (text: string, at: number): number =>
  (text.charCodeAt(at) ^
    (text.charCodeAt(at + 1) << 5) ^
    (text.charCodeAt(at + 2) << 10) ^
    (text.charCodeAt(at + 3) << 14)) &
  (PLACES - 1)

/**
 * Searches a text once for any number of needles: at most places no needle begins, and elsewhere
 * only those that begin alike are compared.
 */
class Needles<Found> {
  readonly #begins = new Uint8Array(PLACES)
  readonly #needles = new Map<number, Map<string, Found>>()

  /** At least four characters. */
  add(needle: string, found: Found): void {
    const place = placeOf(needle, 0)
    this.#begins[place] = 1
    const alike = this.#needles.get(place) ?? new Map<string, Found>()
    if (!alike.has(needle)) alike.set(needle, found)
    this.#needles.set(place, alike)
  }

  in(text: string): Found[] {
    const all: Found[] = []
    for (let at = 0; at + 4 <= text.length; at += 1) {
      const place = placeOf(text, at)
      if (this.#begins[place] === 0) continue
      for (const [needle, found] of this.#needles.get(place) ?? []) {
        if (text.startsWith(needle, at)) all.push(found)
      }
    }
    return all
  }
}

/** These bytes in base64 when so many others stand before them. */
function base64Within(bytes: Buffer, shift: number): string {
  const text = Buffer.concat([Buffer.alloc(shift), bytes]).toString('base64')
  return text.slice(Math.ceil((shift * 4) / 3), Math.floor(((shift + bytes.length) * 4) / 3))
}

const CONTEXT = 60

interface Watched {
  name: string
  value: string
  form: string
}

export class Canaries {
  readonly #names = new Map<string, string>()
  readonly #alone: (Watched & { pattern: RegExp })[] = []
  readonly #needles: Record<Reading, Needles<Watched>> = {
    plain: new Needles(),
    lower: new Needles(),
    bare: new Needles(),
  }

  /** From now on this value must not be found anywhere. */
  watch(name: string, value: string): string {
    if (this.#names.has(value)) return value
    this.#names.set(value, name)
    if (value.length <= LONE_LENGTH_MAX) {
      this.#alone.push({ name, value, form: 'plain', pattern: standingAlone(value) })
      return value
    }
    for (const { form, reading, needle } of formsOf(value)) {
      this.#needles[reading].add(needle, { name, value, form })
    }
    return value
  }

  get names(): string[] {
    return [...new Set(this.#names.values())]
  }

  /** Which of them are in the text, each by its name and form, with an excerpt. */
  leaksIn(text: string): string[] {
    const readings = Object.keys(READ) as Reading[]
    const found = [
      ...readings.flatMap((reading) => this.#needles[reading].in(READ[reading](text))),
      ...this.#alone.filter(({ pattern }) => pattern.test(text)),
    ]
    // Each value once, in the first form: as it is, if it is there as it is.
    const first = new Map<string, Watched>()
    for (const one of found) if (!first.has(one.value)) first.set(one.value, one)
    return [...first.values()].map(({ name, value, form }) => {
      const at = Math.max(0, text.indexOf(value) - CONTEXT)
      return `${name} as ${form}: ${text.slice(at, at + 2 * CONTEXT)}`
    })
  }
}

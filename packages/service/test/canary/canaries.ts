// Unique values, and the search for them in every form they may take. Pure functions, so that the
// search itself can be tested.

/** Shorter values are found only where they stand alone: a CVV is part of many numbers. */
const LONE_LENGTH_MAX = 5

/** The text in lower case and without the backslashes of JSON in JSON, made once. */
interface Readings {
  lower: string
  bare: string
}

interface Form {
  form: string
  found: (text: string, as: Readings) => boolean
}

/** As it is, and as JSON, a URL, a bytea column or Basic authentication would write it. */
function formsOf(value: string): Form[] {
  if (value.length <= LONE_LENGTH_MAX) {
    // A number directly after a colon is a member of our own, such as `"duration_ms":7391`.
    const alone = new RegExp(String.raw`(?<![\w.:+-])${RegExp.escape(value)}(?![\w.:-])`)
    return [{ form: 'plain', found: (text) => alone.test(text) }]
  }
  const bytes = Buffer.from(value)
  const exactly = (form: string, needle: string): Form => ({
    form,
    found: (text) => text.includes(needle),
  })
  const hex = bytes.toString('hex')
  return [
    exactly('plain', value),
    { form: 'json', found: (_text, { bare }) => bare.includes(value.replaceAll('\\', '')) },
    exactly('url', encodeURIComponent(value)),
    exactly('form', new URLSearchParams({ v: value }).toString().slice(2)),
    { form: 'hex', found: (_text, { lower }) => lower.includes(hex) },
    ...[0, 1, 2].flatMap((shift) => {
      const needle = base64Within(bytes, shift)
      const url_safe = needle.replaceAll('+', '-').replaceAll('/', '_')
      return [exactly('base64', needle), exactly('base64url', url_safe)]
    }),
  ]
}

/** These bytes in base64 when so many others stand before them. */
function base64Within(bytes: Buffer, shift: number): string {
  const text = Buffer.concat([Buffer.alloc(shift), bytes]).toString('base64')
  return text.slice(Math.ceil((shift * 4) / 3), Math.floor(((shift + bytes.length) * 4) / 3))
}

const CONTEXT = 60

export class Canaries {
  readonly #forms = new Map<string, { name: string; forms: Form[] }>()

  /** From now on this value must not be found anywhere. */
  watch(name: string, value: string): string {
    if (!this.#forms.has(value)) this.#forms.set(value, { name, forms: formsOf(value) })
    return value
  }

  get names(): string[] {
    return [...new Set([...this.#forms.values()].map(({ name }) => name))]
  }

  /** Which of them are in the text, each by its name and form, with an excerpt. */
  leaksIn(text: string): string[] {
    const as = { lower: text.toLowerCase(), bare: text.replaceAll('\\', '') }
    return [...this.#forms].flatMap(([value, { name, forms }]) => {
      const form = forms.find(({ found }) => found(text, as))
      if (form === undefined) return []
      const at = Math.max(0, text.indexOf(value) - CONTEXT)
      return [`${name} as ${form.form}: ${text.slice(at, at + 2 * CONTEXT)}`]
    })
  }
}

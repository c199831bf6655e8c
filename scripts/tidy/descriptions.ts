// Every property and parameter of the OpenAPI document has a description of one plain sentence: the
// API page, the SDK's hover text and the reference are made of it.

export interface Described {
  properties: number
  described: number
  /** Where a description is missing, or is no sentence. */
  faults: string[]
}

const SENTENCE = /^[A-Z0-9`"'].{3,160}[.]$/s

/** What a document says of its properties, wherever they are nested, and of its parameters. */
export function descriptionsOf(document: unknown): Described {
  const found: Described = { properties: 0, described: 0, faults: [] }
  walk(document, '', (where, schema) => {
    found.properties += 1
    const { description }: { description?: unknown } = schema
    if (typeof description === 'string') found.described += 1
    if (typeof description !== 'string' || !SENTENCE.test(description)) found.faults.push(where)
  })
  return found
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function walk(value: unknown, where: string, see: (where: string, schema: object) => void): void {
  if (Array.isArray(value))
    for (const [at, one] of value.entries()) walk(one, `${where}/${at}`, see)
  if (!isObject(value)) return
  for (const [name, member] of Object.entries(value)) {
    // An example is data, whatever its fields are called; so is a property named `properties`.
    if (/^examples?$/.test(name)) continue
    // Rules between fields name properties that are described above them.
    if (name === 'allOf') continue
    if (name === 'properties' && isObject(member)) {
      for (const [property, schema] of Object.entries(member)) {
        see(`${where}.${property}`, isObject(schema) ? schema : {})
        walk(schema, `${where}.${property}`, see)
      }
      continue
    }
    if (name === 'parameters' && Array.isArray(member)) {
      for (const parameter of member.filter(isObject)) {
        see(`${where}?${String(parameter['name'])}`, parameter)
      }
    }
    walk(member, `${where}/${name}`, see)
  }
}

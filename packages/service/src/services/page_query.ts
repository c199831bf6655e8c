// What every list can be asked beside its filters (api-rules.md#lists), and how a query of texts is read.
import { Type, type Static, type TObject } from 'typebox'
import type { FieldFault } from '../domain/charge_rules.ts'
import { parseGatewayTime } from '../domain/time.ts'
import { PAGE_SIZE_MAX } from '../store/sql/lists.ts'
import { refuseFaults, requestParser } from './validation.ts'

const PAGE_SIZE_DEFAULT = 20

export const PAGE_QUERY = {
  page_size: Type.Optional(
    Type.Union([Type.Integer(), Type.String({ pattern: '^[0-9]{1,3}$' })], {
      description: `How many rows a page has: 1 to ${PAGE_SIZE_MAX}, ${PAGE_SIZE_DEFAULT} by default.`,
    }),
  ),
  cursor: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'Where the page begins: the `cursor` in `next` or `previous`, unchanged.',
    }),
  ),
}

interface Filtered<Filters> {
  filters: Filters
  faults?: readonly FieldFault[]
}

/**
 * A parser for the query of a list: the filters, the page size and the cursor as it came, or
 * `invalid_request` with every fault at once. Schemas of lists are closed, because a misspelt filter
 * would otherwise be answered with everything.
 */
export function listQueryParser<S extends TObject<typeof PAGE_QUERY>, Filters>(
  schema: S,
  filtersOf: (query: Static<S>) => Filtered<Filters>,
) {
  const parse = requestParser(schema)
  return (input: unknown) => {
    const query = parse(input)
    const { page_size: given, cursor }: Static<TObject<typeof PAGE_QUERY>> = query
    const page_size = Number(given ?? PAGE_SIZE_DEFAULT)
    const { filters, faults = [] } = filtersOf(query)
    const sized = page_size >= 1 && page_size <= PAGE_SIZE_MAX
    refuseFaults([
      ...faults,
      ...(sized ? [] : [{ field: 'page_size', message: `1 to ${PAGE_SIZE_MAX}` }]),
    ])
    return { filters, page_size, cursor: cursor ?? null }
  }
}

export const uuidQuery = (description: string) =>
  Type.String({
    pattern: '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$',
    examples: ['019a8a6e-7c1f-7d7e-9d55-0a2f6b1f9f10'],
    description,
  })

/** True or false, also as the text of a URL. */
export const flagQuery = (description: string) =>
  Type.Union([Type.Boolean(), Type.Enum(['true', 'false'])], { description })
export const isSet = (given: boolean | 'true' | 'false' | undefined): boolean =>
  given === true || given === 'true'

export const dayQuery = (description: string) =>
  Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$', examples: ['2026-01-31'], description })
export const dayFaults = (field: string, text: string | undefined): FieldFault[] =>
  text === undefined || parseGatewayTime(`${text} 00:00:00`) !== undefined
    ? []
    : [{ field, message: 'a day, as 2026-01-31' }]

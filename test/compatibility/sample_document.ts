/** A small interface document with the structure of ours. */
export const sample = () => ({
  paths: {
    '/things/': {
      post: {
        operationId: 'create_thing',
        security: [{ bearer: ['things:write'] }],
        parameters: [
          { name: 'colour', in: 'query', schema: { enum: ['red', 'blue'] } },
          { name: 'Key', in: 'header', schema: { type: 'string', maxLength: 255 } },
        ] as object[],
        requestBody: {
          required: false,
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Input' } } },
        },
        responses: {
          '201': {
            description: 'Created',
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } },
          },
          '400': { description: '`bad`, `worse`', content: {} },
          '409': { description: '`busy`', content: {} },
        } as Record<string, object>,
      },
    } as Record<string, object>,
  } as Record<string, Record<string, unknown>>,
  components: {
    schemas: {
      Input: {
        type: 'object',
        required: ['name'],
        properties: {
          name: { type: 'string', minLength: 1, maxLength: 50 },
          amount: { anyOf: [{ type: 'number' }, { type: 'string', maxLength: 20 }] },
          kind: { enum: ['a', 'b'] },
          tags: { type: 'array', maxItems: 3, items: { type: 'string' } },
          note: { type: 'object', patternProperties: { '^.*$': {} } },
        } as Record<string, object>,
        additionalProperties: false,
      },
      Thing: {
        type: 'object',
        required: ['id', 'state', 'at', 'price'],
        properties: {
          id: { type: 'string', format: 'uuid' },
          state: { enum: ['new', 'old'] },
          at: { anyOf: [{ type: 'string', format: 'date-time' }, { type: 'null' }] },
          price: { type: 'string', pattern: String.raw`^\d+\.\d{2}$` },
          parts: { type: 'array', items: { $ref: '#/components/schemas/Thing' } },
          hint: { type: 'string' },
        } as Record<string, object>,
        additionalProperties: false,
      },
    },
  },
})
type Sample = ReturnType<typeof sample>
export type Change = (document: Sample) => unknown
interface Posted {
  operationId: string
  security: object[]
  parameters: { name: string; in: string; required?: boolean; schema: object }[]
  requestBody: { required: boolean; content: Record<string, object> }
  responses: Record<string, { description: string; content: object }>
}
export const post = (document: Sample) => document.paths['/things/']?.['post'] as Posted
export const input = (document: Sample) => document.components.schemas.Input
export const thing = (document: Sample) => document.components.schemas.Thing
export const put = (fields: Record<string, object>, name: string, schema: object) => {
  fields[name] = schema
}
export const drop = (from: object, name: string) => Reflect.deleteProperty(from, name)

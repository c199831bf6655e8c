// Made from docs/openapi.json by `npm run generate sdk`; change the interface instead.

export interface PayerInstruction {
  name: string
  method: string
  url: string
}

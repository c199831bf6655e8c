// Made from docs/openapi.json by `npm run sdk`; change the interface instead.

export interface PayerInstruction {
  /** The gateway's name of the step, such as `generate-qr-code`. */
  name: string
  /** The HTTP method to call the URL with. */
  method: string
  /** Where the payer, or the payer’s app, goes on. */
  url: string
}

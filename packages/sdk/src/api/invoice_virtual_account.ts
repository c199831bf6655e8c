// Made from docs/openapi.json by `npm run sdk`; change the interface instead.

export interface InvoiceVirtualAccount {
  name: string
  number: string
}

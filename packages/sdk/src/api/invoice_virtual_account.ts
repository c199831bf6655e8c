// Made from docs/openapi.json by `npm run generate sdk`; change the interface instead.

export interface InvoiceVirtualAccount {
  name: string
  number: string
}

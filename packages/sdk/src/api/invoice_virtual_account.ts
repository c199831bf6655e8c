// Made from docs/openapi.json by `npm run sdk`; change the interface instead.

export interface InvoiceVirtualAccount {
  /** The bank of the account, such as `bca_va`. */
  name: string
  /** The account number to transfer to. */
  number: string
}

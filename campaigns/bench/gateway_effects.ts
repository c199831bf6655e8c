// What the gateway made, read from its own records alone.

/** One status of a transaction, and its cause. */
export interface GatewayStep {
  status: string
  fraud_status?: string
  cause: string
}

/** A transaction with everything that was made of it; amounts in whole rupiah. */
export interface GatewayTransaction {
  transaction_id: string
  order_id: string
  origin: 'charge' | 'subscription' | 'invoice'
  subscription_id?: string
  invoice_id?: string
  charged_amount: number
  captured: number
  custom: { metadata?: Record<string, unknown> }
  refunds: readonly { refund_key: string; amount: number; reason: string }[]
  history: readonly GatewayStep[]
}

export interface GatewayEffects {
  transactions: readonly GatewayTransaction[]
  invoices: readonly { id: string; order_id: string; notes?: string }[]
  subscriptions: readonly {
    id: string
    metadata: Record<string, unknown>
    changes: readonly { change: string }[]
  }[]
  /** Orders with a charge that the gateway refused. */
  refused_charges: ReadonlySet<string>
}

// What is mutated, with which tests, and how much of it they must find.

export interface Part {
  mutate: readonly string[]
  tests: readonly string[]
  /** The share of mutants that must be killed. */
  goal: number
  /** Whether the tests keep their database, simulator and connections from mutant to mutant. */
  keeps?: boolean
}

const SERVICE = 'packages/service'

export const PARTS: Readonly<Record<string, Part>> = {
  domain: {
    mutate: [`${SERVICE}/src/domain/*.ts`],
    tests: [`${SERVICE}/src/domain/*.test.ts`, `${SERVICE}/test/statements/files.test.ts`],
    goal: 0.95,
  },
  gateway: {
    mutate: [`${SERVICE}/src/gateway/signature.ts`, `${SERVICE}/src/gateway/facts.ts`],
    tests: [
      `${SERVICE}/test/gateway/signature.test.ts`,
      `${SERVICE}/test/gateway/facts.test.ts`,
      `${SERVICE}/test/gateway/notifications.test.ts`,
    ],
    goal: 0.85,
  },
  engine: {
    mutate: [`${SERVICE}/src/services/operations/*.ts`],
    tests: [
      ...[
        'actions',
        'gateway_unavailable',
        'look_again',
        'lost_claim',
        'lost_object_records',
        'lost_records',
        'manual_invoices',
        'manual_resolution',
        'operation_outcomes',
        'operation_rules',
        'unclear_charges',
        'unclear_refunds',
      ].map((name) => `${SERVICE}/test/services/${name}.test.ts`),
      ...[
        'given_up_charges',
        'late_answer_after_refusal',
        'paused_sends',
        'refused_refund_made',
        'repeats',
        'repeats_at_once',
      ].map((name) => `${SERVICE}/test/review/${name}.test.ts`),
    ],
    goal: 0.85,
    keeps: true,
  },
  batch: {
    mutate: [
      `${SERVICE}/src/services/payments/payment_write_batch.ts`,
      `${SERVICE}/src/services/group_writer.ts`,
    ],
    tests: [
      ...[
        'actions',
        'check_status',
        'group_writer',
        'inbox',
        'ledger',
        'notifications',
        'payment_write_batch',
      ].map((name) => `${SERVICE}/test/services/${name}.test.ts`),
      `${SERVICE}/test/review/deferral_in_batch.test.ts`,
    ],
    goal: 0.85,
    keeps: true,
  },
}

// What is mutated, with which tests, and how much of it they must find.

export interface Part {
  mutate: readonly string[]
  tests: readonly string[]
  /** The share of mutants that must be killed. */
  goal: number
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
}

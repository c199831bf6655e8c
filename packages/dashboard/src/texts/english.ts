import { ENGLISH_AUDIT } from './english_audit.ts'
import { ENGLISH_DESK } from './english_desk.ts'
import { ENGLISH_ERRORS } from './english_errors.ts'
import { ENGLISH_FINANCE } from './english_finance.ts'
import { ENGLISH_EXPORTS } from './english_exports.ts'
import { ENGLISH_LINKS } from './english_links.ts'
import { ENGLISH_MATCHING } from './english_matching.ts'
import { ENGLISH_PAYMENTS } from './english_payments.ts'
import { ENGLISH_STAFF } from './english_staff.ts'
import { ENGLISH_REFUNDS } from './english_refunds.ts'
import { ENGLISH_WEBHOOKS } from './english_webhooks.ts'
import { ENGLISH_WORDS } from './english_words.ts'

export const ENGLISH = {
  ...ENGLISH_WORDS,
  ...ENGLISH_PAYMENTS,
  ...ENGLISH_DESK,
  ...ENGLISH_STAFF,
  ...ENGLISH_AUDIT,
  ...ENGLISH_REFUNDS,
  ...ENGLISH_WEBHOOKS,
  ...ENGLISH_EXPORTS,
  ...ENGLISH_LINKS,
  ...ENGLISH_FINANCE,
  ...ENGLISH_MATCHING,
  ...ENGLISH_ERRORS,
} as const

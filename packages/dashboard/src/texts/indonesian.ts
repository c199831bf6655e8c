import { INDONESIAN_AUDIT } from './indonesian_audit.ts'
import { INDONESIAN_DESK } from './indonesian_desk.ts'
import { INDONESIAN_ERRORS } from './indonesian_errors.ts'
import { INDONESIAN_FINANCE } from './indonesian_finance.ts'
import { INDONESIAN_EXPORTS } from './indonesian_exports.ts'
import { INDONESIAN_LINKS } from './indonesian_links.ts'
import { INDONESIAN_MATCHING } from './indonesian_matching.ts'
import { INDONESIAN_PAYMENTS } from './indonesian_payments.ts'
import { INDONESIAN_STAFF } from './indonesian_staff.ts'
import { INDONESIAN_REFUNDS } from './indonesian_refunds.ts'
import { INDONESIAN_WEBHOOKS } from './indonesian_webhooks.ts'
import { INDONESIAN_WORDS } from './indonesian_words.ts'

export const INDONESIAN = {
  ...INDONESIAN_WORDS,
  ...INDONESIAN_PAYMENTS,
  ...INDONESIAN_DESK,
  ...INDONESIAN_STAFF,
  ...INDONESIAN_AUDIT,
  ...INDONESIAN_REFUNDS,
  ...INDONESIAN_WEBHOOKS,
  ...INDONESIAN_EXPORTS,
  ...INDONESIAN_LINKS,
  ...INDONESIAN_FINANCE,
  ...INDONESIAN_MATCHING,
  ...INDONESIAN_ERRORS,
}

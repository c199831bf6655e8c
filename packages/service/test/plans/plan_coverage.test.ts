// Each statement of the store needs a plan case here, which says how it finds its rows.
import { readdir, readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'

const STORE = new URL('../../src/store/', import.meta.url)

/** They search no table that grows, and why. */
const WITHOUT_A_PLAN: Record<string, readonly string[]> = {
  'only insert; a conflict is found by the unique index that refuses': [
    'appendAudit',
    'appendTransitions',
    'buryEvent',
    'insertApiKey',
    'insertCharge',
    'insertCharges',
    'insertCheckout',
    'insertClosing',
    'insertInvoice',
    'insertNotifications',
    'insertOperation',
    'insertPayment',
    'insertRefund',
    'insertRefundRequest',
    'insertSealed',
    'insertStaffNote',
    'insertSubscription',
    'insertDeliveries',
    'insertEndpoint',
    'insertResend',
    'insertImport',
    'insertRefusals',
    'keepRequestKey',
    'openAlarm',
    'publishOperatorEvent',
  ],
  'the events after a cursor by their place, as readEvents, and their objects by their ids': [
    'fillNextEntries',
  ],
  'a row by its key, as reserveRefund, and an insert that cannot be explained twice': [
    'recordOutsideRefund',
  ],
  'the table has one row': [
    'readSearchFreshness',
    'claimEnvironment',
    'completeLedger',
    'ledgerCompleteAt',
    'lockAuditHead',
    'moveClock',
    'readAuditHead',
    'readClock',
    'readClocks',
    'readEnvironment',
    'readFitness',
  ],
  'a row for each staff member, role, key, or session of 90 days: some thousands, found by a key': [
    'acceptCode',
    'changePerson',
    'countAttempt',
    'endSessionOfId',
    'endSessionOfToken',
    'endSessionsOf',
    'forgetPasskeys',
    'forgetPassword',
    'insertPasskey',
    'insertPerson',
    'insertSession',
    'keepChallenge',
    'keepPendingTotp',
    'linkOidc',
    'listPeople',
    'listRoles',
    'listSessions',
    'lockPasskey',
    'lockPerson',
    'lockPersonOfLink',
    'lockPersonOfOidc',
    'noteSignIn',
    'purgeSessions',
    'putRole',
    'setLink',
    'setPassword',
    'somePasskey',
    'somePassword',
    'takeChallenge',
    'touchApiKeys',
    'touchSessions',
    'usePasskey',
  ],
  'a row for each running worker': [
    'beatWorker',
    'forgetWorker',
    'listStaleWorkers',
    'listWorkers',
    'measureWorkers',
    'removeWorker',
  ],
  'a row for each subscriber the code names': [
    'acquireLease',
    'advanceCursor',
    'findSubscriber',
    'registerSubscriber',
    'releaseLease',
    'renewLease',
    'endSubscriber',
    'moveCursor',
  ],
  'a row for each enabled endpoint, all of them wanted': ['listActiveEndpoints'],
  'by the key, of the few that were just sent': ['deleteResends'],
  'the catalogue, or a counted part of a DEFAULT partition, which maintenance keeps empty': [
    'attachDefaultPartition',
    'dropPartition',
    'ensurePartitions',
    'inspectDefaultPartition',
    'listMissingPartitions',
    'listPartitions',
    'measureDefaultRows',
    'measureMonthsAhead',
    'moveToMonth',
    'readEventHorizon',
    'readFeedState',
  ],
  'fails unless all its rows fit; it looks by the key, as the same statement for one': [
    'finishOperations',
  ],
  'a lock that is no row': ['lockClosings', 'lockRefunder'],
  'an insert that conflicts by the key': ['saveMapping'],
  'a mapping for each kind of export: a few rows': ['listMappings'],
  'the snapshot, which is no table': ['haveEnded', 'nextTransaction'],
  'a row for each day that was closed': ['listClosings', 'readLastClosing'],
  'a row for each scheduled export that staff made, a few': [
    'claimDueExport',
    'deleteExportSchedule',
    'insertExportSchedule',
    'listExportSchedules',
    'recordExportSent',
  ],
  'the rate card, a few rows for each method': ['listFeeRates', 'setFeeRate'],
  'a person asks now and then, over the days since the last that was sealed': [
    'listAccountDays',
    'listBalances',
    'listDayLines',
    'sealClosing',
  ],
  'a history is posted once, in the order of the key': ['countUnbooked', 'lockUnbooked'],
  'a row for each day of a statement': ['planWindows', 'claimDueWindows'],
  'a page of lines by their place, and each of their payments by a key: a worker, once a minute': [
    'comparePaymentLines',
    'compareOtherLines',
    'comparePaymentsAgain',
    'compareOthersAgain',
    'insertPayouts',
    'insertBankLines',
  ],
  'a row for each payout, of which a merchant has some a day': ['judgePayouts', 'linkBankLines'],
  'a row for each source and kind of search': ['lockProgress', 'moveProgress', 'passDueDay'],
  'what waits for staff, which is few': [
    'countExceptions',
    'endUnpaid',
    'findBalanceGaps',
    'listChangedLines',
  ],
  'one row by its id, behind a savepoint, which has no plan': ['takeOrderId'],
  'a row for each day': ['computeProofs', 'listDaysToProve', 'listDueDays', 'listProofs'],
  'the calendar, some forty rows a year': ['listHolidays', 'readCalendar', 'setHoliday'],
  'a row by its key, and an insert': ['insertAction', 'postAction'],
  'a row for each cut a retention has made': ['listAuditAnchors'],
  'a function that looks by the key of the chain, from its oldest row': ['dropAudit'],
  'a person asks now and then, over what waits for people and is few': [
    'listAllDeadEvents',
    'measureEventTrouble',
    'readActivity',
  ],
  'reads a fixed number of pages of any table, and counts as countStaffPayments does': [
    'totalStaffPayments',
  ],
  'a subscriber is retired when its code is removed: rare, by the key of its name': [
    'forgetDeadEvents',
    'listSubscriberNames',
    'retireSubscriber',
  ],
  'somebody asks to be forgotten: rare, a page at a time, found by the ids of its objects': [
    'rewriteEntries',
    'eraseCheckouts',
    'eraseInvoices',
    'erasePayments',
    'eraseSubscriptions',
    'listPersonalObjects',
  ],
  'a row for each owner that was ever moved to another cell: a few': ['listMovedOwners'],
  "the queue's own tables and functions": [
    'addJobs',
    'listDeadLockHolders',
    'measureJobs',
    'unlockJobs',
  ],
}

const EXPORTED = /^export (?:async function |const )(\w+)(?:<[^>]*>)?(?: = async )?\(\s*tx: Tx/gm

async function exported(): Promise<string[]> {
  // The invariant checker reads whole tables on purpose.
  const files = (await readdir(STORE, { recursive: true })).filter(
    (name) => name.endsWith('.ts') && !name.startsWith('invariants/'),
  )
  const texts = await Promise.all(
    files.map(async (name) => await readFile(new URL(name, STORE), 'utf8')),
  )
  return texts.flatMap((text) => [...text.matchAll(EXPORTED)].map(([, name]) => name ?? ''))
}

/** What the files of cases import; an import they did not use would not pass the linter. */
async function covered(): Promise<string[]> {
  const files = [
    'plan_cases.ts',
    'row_cases.ts',
    'record_cases.ts',
    'staff_cases.ts',
    'plan_invoice_cases.ts',
    'plan_checkout_cases.ts',
    'plan_subscription_cases.ts',
    'gauge_cases.ts',
    'audit_cases.ts',
    'refund_request_cases.ts',
    'webhook_cases.ts',
    'statement_cases.ts',
    'reconciliation_cases.ts',
  ]
  const texts = await Promise.all(
    files.map(async (name) => await readFile(new URL(name, import.meta.url), 'utf8')),
  )
  const imports = texts.flatMap((text) => [
    ...text.matchAll(/import \{([^}]*)\} from '..\/..\/src\/store\//g),
  ])
  return imports.flatMap(([, names = '']) => names.split(',').map((name) => name.trim()))
}

test('every function of the store that sends SQL has a plan case or a reason for none', async () => {
  const excused = Object.values(WITHOUT_A_PLAN).flat()
  const known = new Set([...(await covered()), ...excused])
  expect((await exported()).filter((name) => !known.has(name))).toEqual([])
})

test('no reason is left over from a function that is gone or has a case', async () => {
  const names = new Set(await exported())
  const cases = new Set(await covered())
  const stale = Object.values(WITHOUT_A_PLAN)
    .flat()
    .filter((name) => !names.has(name) || cases.has(name))
  expect(stale).toEqual([])
})

test('the list holds every kind of export', async () => {
  const names = await exported()
  expect(names).toEqual(expect.arrayContaining(['lockPayment', 'listRefunds', 'listPayments']))
  expect(names.length).toBeGreaterThan(80)
})

// The commands of `npm run <group> <name>`, which scripts/run.ts runs.

export interface Command {
  says: string
  /** Run in order until one fails; further arguments go to the last. */
  run: readonly string[]
  /** Unless the caller sets them. */
  env?: Readonly<Record<string, string>>
}

export interface Group {
  commands: Readonly<Record<string, Command>>
  /** What `all` runs, in this order. */
  all?: readonly string[]
  /** Whether no name means `all`. */
  runs_all?: boolean
}

const SOURCE = 'node --conditions=@gapura/source'
const BUILD_DASHBOARD = 'npm run --silent build -w @gapura/dashboard'

const command = (says: string, ...run: string[]): Command => ({ says, run })
const script = (file: string, says: string): Command => command(says, `${SOURCE} ${file}`)
const tests = (files: string, says: string, env: Record<string, string> = {}): Command => ({
  says,
  run: [`vitest run ${files}`],
  env,
})

const CHECK: Group = {
  commands: {
    types: command(
      'types of all packages, tests and scripts',
      'tsc -p .',
      'tsc -p packages/service/src/api_page',
      'tsc -p packages/dashboard',
      'tsc -p packages/sdk --noEmit',
    ),
    lint: command('oxlint, warnings denied', 'oxlint --deny-warnings'),
    format: command('formatting; `npm run format` repairs it', 'oxfmt --check .'),
    dead: command('unused files, exports and dependencies', 'knip'),
    migrations: command('squawk over the migrations', 'node scripts/lint_migrations.ts'),
  },
  all: ['types', 'lint', 'format', 'dead', 'migrations'],
  runs_all: true,
}

const GENERATE: Group = {
  commands: {
    openapi: command(
      'docs/openapi.json from the routes, with what it would break',
      `${SOURCE} scripts/openapi.ts`,
      'oxfmt docs/openapi.json',
    ),
    sdk: command(
      'packages/sdk/src/api from docs/openapi.json',
      'node scripts/sdk.ts',
      'oxfmt packages/sdk/src/api',
    ),
    postman: command(
      'docs/postman_collection.json from docs/openapi.json',
      'node scripts/postman.ts',
      'oxfmt docs/postman_collection.json',
    ),
    cli: script('scripts/cli_docs.ts', 'docs/cli.md from the table of commands'),
    observability: command(
      'rules and dashboards of deploy/observability, and the rules of the Helm chart',
      `${SOURCE} scripts/observability.ts`,
      'oxfmt deploy/observability deploy/helm/files',
    ),
    metrics: command(
      'the tables of metrics and alerts of docs/operating.md',
      'node scripts/operating.ts',
    ),
    docs: script('scripts/docs_generate.ts', 'the pages of docs/ that begin with "Made by"'),
    baseline: command(
      'accepts docs/openapi.json as the promised interface',
      `${SOURCE} scripts/openapi.ts --accept`,
      'oxfmt docs/openapi.json docs/openapi.baseline.json',
    ),
    recording: command(
      'the terminal recording of docs/quick_start.md, from packed packages',
      'node scripts/quickstart.ts --record',
    ),
    pictures: {
      says: 'docs/images/dashboard, drawn in Chromium',
      run: [BUILD_DASHBOARD, 'vitest run --config vitest.e2e.config.ts'],
      env: { GAPURA_PICTURES: '1' },
    },
    sbom: command('the bill of materials (`-- --image`, `-- -o <file>`)', 'node scripts/sbom.ts'),
  },
  all: ['openapi', 'sdk', 'postman', 'cli', 'metrics', 'observability', 'docs'],
  runs_all: true,
}

const SUITE: Group = {
  commands: {
    access: tests('packages/service/test/access', 'every route asked by every kind of caller'),
    campaigns: tests(
      '--config vitest.campaigns.config.ts',
      'the quick form of every campaign; GAPURA_CAMPAIGNS names some',
    ),
    canary: command(
      'secrets planted in the service, searched for in everything it writes',
      'vitest run packages/service/test/canary',
      `${SOURCE} campaigns/hostile.ts --quick --n 2000`,
    ),
    contract: command(
      'the gateway client against the simulator, every operation and fault',
      'node scripts/contract.ts',
    ),
    'dashboard-size': command('what a browser loads of it', 'node scripts/dashboard_size.ts'),
    examples: command(
      'every example started, charged and paid, against the build',
      'npm run --silent build',
      'vitest run --config vitest.examples.config.ts',
    ),
    'examples-next': command(
      'examples/nextjs installed, built and called (340 MB)',
      'node scripts/example_next.ts',
    ),
    fidelity: command(
      "the gateway's published payloads: parsed, sent and played",
      'node scripts/fidelity.ts',
    ),
    images: command(
      'the container image built without a registry, and every role of it run (as root)',
      `${SOURCE} scripts/images.ts`,
    ),
    invariants: tests(
      'packages/service/test/invariants/invariants_at_size.test.ts',
      'how long all invariants take on 1,000,000 payments',
      { GAPURA_INVARIANT_PAYMENTS: '1000000' },
    ),
    licences: command('licences of everything delivered', 'node scripts/licences.ts'),
    next: command('the packed service inside the real Next (340 MB)', 'node scripts/next.ts'),
    'pack-twice': command(
      'every package packed twice must give the same bytes',
      'node scripts/pack_twice.ts',
    ),
    mutants: script('scripts/mutants.ts', 'how many changed expressions the tests of a part find'),
    planted: command('how many planted bugs the tests find', 'node scripts/planted.ts'),
    'new-user': command(
      'a strict TypeScript shop from packed packages, and four mistakes of a new user',
      'node scripts/new_user.ts',
    ),
    plans: tests(
      'packages/service/test/plans',
      'query plans of every look-up on 1,000,000 payments',
      { GAPURA_PLAN_PAYMENTS: '1000000' },
    ),
    quickstart: command(
      "the README's quick start from packed packages, timed",
      'node scripts/quickstart.ts',
    ),
    receivers: tests(
      'test/receivers',
      'the webhook receivers of each language that is installed, against the vectors',
    ),
    pooler: tests('--config vitest.pooler.config.ts', 'all tests through pgbouncer'),
    'pooler-campaigns': tests(
      '--config vitest.campaigns.config.ts',
      'the quick campaigns whose processes reach the database through pgbouncer',
      {
        GAPURA_CAMPAIGN_POOLER: '1',
        GAPURA_CAMPAIGNS:
          'lost_webhooks,unknown,time,postgres,kill,forged,hostile,feed,bus,webhooks,checkouts',
      },
    ),
    races: tests('packages/service/test/processes', '1,000 races of charges and refunds', {
      GAPURA_RACES: '1000',
    }),
    shop: command(
      'the example shop from an empty folder to a paid checkout, timed',
      'node scripts/shop.ts',
    ),
    'sdk-size': command('the bundled size of the SDK', 'node scripts/sdk_size.ts'),
  },
}

const CAMPAIGN: Group = {
  commands: {
    kill: script('campaigns/kill.ts', 'processes killed and paused at any moment under load'),
    postgres: script('campaigns/postgres.ts', 'PostgreSQL killed again and again under load'),
    failover: script('campaigns/failover.ts', 'the primary of three nodes lost under load'),
    deploy: script('campaigns/deploy.ts', 'rolling deploys and rollbacks with a migration'),
    time: script('campaigns/time.ts', 'clocks that jump; a gateway that is away for days'),
    unknown: script('campaigns/unknown.ts', 'gateway replies and commits that are lost'),
    'lost-webhooks': script('campaigns/lost_webhooks.ts', 'every notification lost for two weeks'),
    checkouts: script(
      'campaigns/checkouts.ts',
      'hosted pages paid, retried, abandoned, paid late or twice, with lost answers',
    ),
    cells: script('campaigns/cells.ts', 'three cells behind HAProxy; one database killed'),
    'cell-move': script('campaigns/cell_move.ts', 'an owner is moved to another cell under load'),
    hostile: script('campaigns/hostile.ts', 'hostile inputs of every kind, each judged'),
    forged: script('campaigns/forged.ts', 'forged, repeated and altered notifications'),
    rotate: script('campaigns/rotate.ts', 'gateway and API keys rotated under load'),
    feed: script('campaigns/feed.ts', 'consumers of the event feed killed while many write'),
    webhooks: script(
      'campaigns/webhooks.ts',
      'workers and receivers of outgoing webhooks killed, receivers misbehaving',
    ),
    bus: script('campaigns/bus.ts', 'NATS killed and started again while events go to it'),
    alerts: script(
      'campaigns/alerts.ts',
      'every fault raises exactly its alerts, in a real Prometheus; a calm hour raises none',
    ),
    reconcile: script(
      'campaigns/reconcile.ts',
      'three-way matching of 1,000,000 payments, or --quarter: three months day by day',
    ),
    imports: script('campaigns/imports.ts', 'damaged statements of every format, each imported'),
    injection: script('campaigns/injection.ts', 'sqlmap against every parameter'),
    seeds: script(
      'campaigns/seeds.ts',
      'processes, faults and every statement in an order chosen by a seed, on a real PostgreSQL',
    ),
    timing: script('campaigns/timing.ts', 'whether response times reveal parts of a secret'),
  },
}

const BENCH: Group = {
  commands: {
    cost: script('bench/cost/run.ts', 'what each operation costs, in counts and processor time'),
    ledger: script('bench/ledger/run.ts', 'webhooks and charges with the ledger and without'),
    webhooks: script('bench/run.ts', 'webhooks a second, against Express and Fastify'),
    'webhooks-out': script(
      'bench/webhooks_out/run.ts',
      'deliveries to endpoints a second, their delay, and what they cost the service',
    ),
    charges: script('bench/charges/run.ts', 'time and processor cost of a charge'),
    reads: script('bench/reads/run.ts', 'lists and look-ups at two table sizes'),
    events: script('bench/events/run.ts', 'events a second and their delay'),
    sweep: script('bench/sweep/run.ts', 'a million payments due for a status check'),
    processes: script('bench/processes/run.ts', 'one, two and four processes on one database'),
    memory: script('bench/memory/run.ts', 'memory over ten minutes of webhooks and charges'),
    dashboard: command(
      "the dashboard's lists over 1,000,000 payments",
      BUILD_DASHBOARD,
      `${SOURCE} scripts/dashboard_at_size.ts`,
    ),
  },
  all: ['webhooks', 'charges', 'reads', 'events', 'sweep', 'processes', 'memory'],
}

export const GROUPS: Readonly<Record<string, Group>> = {
  check: CHECK,
  generate: GENERATE,
  suite: SUITE,
  campaign: CAMPAIGN,
  bench: BENCH,
}

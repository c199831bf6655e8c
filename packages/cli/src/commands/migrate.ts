import { grantsForRole, migrateDatabase, planDatabase, readDatabaseAddress } from 'gapura'
import { UsageError, type Command } from '../command.ts'

export const migrate: Command = {
  name: 'migrate',
  summary: 'Update the tables to this release.',
  details:
    'Needs DATABASE_URL, and no gateway. Safe to run from many processes at once: one migrates, the others wait. The queue’s own schema is updated too.',
  flags: {
    plan: { summary: 'print the SQL that would run, and run nothing' },
    grants: {
      value: 'role',
      summary:
        'print the SQL that lets this role run the service without a right to rewrite history',
    },
  },
  examples: [
    'gapura migrate --plan',
    'gapura migrate',
    'gapura migrate --grants gapura_app | psql',
  ],
  run: async (call) => {
    const { environment, output } = call
    const address = readDatabaseAddress(environment)
    const role = call.text('grants')
    if (role !== undefined) {
      if (!/^[a-z_][a-z0-9_]{0,62}$/.test(role)) {
        throw new UsageError('--grants is the name of a role: lower-case letters, digits and _')
      }
      const sql = grantsForRole(address, role)
      output.result({ role, sql }, () => sql)
      return
    }
    if (call.on('plan')) {
      const plan = await planDatabase(address)
      output.result({ pending: plan }, () =>
        plan.length === 0
          ? '-- Nothing to do: the tables are of this release.'
          : plan.map(({ name, sql }) => `-- ${name}\n${sql}`).join('\n'),
      )
      return
    }
    output.progress('migrating')
    const applied = await migrateDatabase(address)
    output.result({ applied }, () =>
      applied.length === 0
        ? 'Nothing to do: the tables are of this release.'
        : `Applied ${applied.length}: ${applied.join(', ')}`,
    )
  },
}

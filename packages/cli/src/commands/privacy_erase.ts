import { UsageError, type Command } from '../command.ts'
import { AS_FLAG, staffOf, withGapura } from '../session.ts'

export const privacyErase: Command = {
  name: 'privacy erase',
  summary: 'Erase the personal data of a customer; amounts, statuses and ids stay.',
  details:
    'Erases names, e-mail, phone, notes, metadata and items, with every copy in events, notifications and stored replies. Without --yes it only counts. Objects with an open operation are left and counted as waiting: run it again later. Ask the gateway to erase its own data.',
  flags: {
    email: { value: 'address', summary: 'the customer, by e-mail' },
    owner: { value: 'owner', summary: 'or all customers of an owner' },
    reason: { value: 'text', summary: 'why, for the log', required: true },
    yes: { summary: 'erase; this cannot be undone' },
    as: AS_FLAG,
  },
  examples: [
    'gapura privacy erase --email ani@example.com --reason "asked on 3 March, ticket 81"',
    'gapura privacy erase --email ani@example.com --reason "ticket 81" --yes --as dewi',
    'gapura privacy erase --owner shop-7 --reason "the shop has left" --yes',
  ],
  run: async (call) => {
    const email = call.text('email')
    const owner_id = call.text('owner')
    if ((email === undefined) === (owner_id === undefined)) {
      throw new UsageError('say --email or --owner, one of them')
    }
    const input = {
      ...(email !== undefined && { email }),
      ...(owner_id !== undefined && { owner_id }),
      reason: call.required('reason'),
      dry_run: !call.on('yes'),
    }
    const erased = await withGapura(
      call,
      async ({ staff }) => await staff.erasePerson(staffOf(call), input),
    )
    const { dry_run, payments, invoices, subscriptions, checkouts, waiting } = erased
    const objects = `${payments} payments, ${invoices} invoices, ${subscriptions} subscriptions`
    const counted = `${objects}, ${checkouts} checkouts`
    call.output.result(erased, () => `${dry_run ? 'Would erase' : 'Erased'} ${counted}.`)
    if (waiting > 0) call.output.note(`${waiting} have an open operation; run it again later.`)
    if (dry_run) call.output.note('Nothing was changed. Add --yes to erase; this cannot be undone.')
  },
}

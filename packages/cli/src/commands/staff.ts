// Staff accounts: how the first person gets in, and the way back in for people who were locked out.
import type { GapuraStaff } from 'gapura'
import type { Call, Command } from '../command.ts'
import { EXIT } from '../exit_codes.ts'
import { CommandFailure } from '../failure.ts'
import { timeOf } from '../formats.ts'
import { PAGE_FLAGS, printPage, queryOf } from '../lists.ts'
import { AS_FLAG, LOOKING, staffOf, withGapura } from '../session.ts'

type Person = Awaited<ReturnType<GapuraStaff['listPeople']>>['results'][number]

const URL_FLAG = {
  value: 'url',
  summary:
    'where browsers reach the service, prefix included (default: GAPURA_PUBLIC_URL, or this machine)',
}

function baseOf(call: Call): string {
  const { GAPURA_PORT = '3000', GAPURA_PREFIX = '', GAPURA_PUBLIC_URL } = call.environment
  const given = call.text('url') ?? GAPURA_PUBLIC_URL
  return (given ?? `http://127.0.0.1:${GAPURA_PORT}/${GAPURA_PREFIX}`).replace(/\/+$/, '')
}

const invite: Command = {
  name: 'staff invite',
  summary: 'Create a staff account, or a new link for one, and print its one-time link.',
  details:
    'The person opens the link, sets a password and scans a code; it works once and for 48 hours. For an address that has an account the link replaces a lost password or phone. Roles are viewer, support, finance, manager, admin and those that you made.',
  flags: {
    email: { value: 'address', summary: 'the address to sign in with', required: true },
    name: { value: 'name', summary: 'the name of the person (default: the address)' },
    role: { value: 'role', summary: 'what the person may do (default: admin)' },
    'staff-id': { value: 'id', summary: 'the name in the audit (default: the address before @)' },
    url: URL_FLAG,
    as: AS_FLAG,
  },
  examples: [
    'gapura staff invite --email dewi@shop.example --name Dewi',
    'gapura staff invite --email eka@shop.example --role support --url https://shop.example/pay',
  ],
  run: async (call) => {
    const email = call.required('email')
    const staff_id = call.text('staff-id')
    const caller = staffOf(call)
    const made = await withGapura(call, async ({ staff }) => {
      const known = await personOf(staff, email)
      if (known !== undefined) return await staff.linkPerson(caller, known.id)
      const person = { email, name: call.text('name') ?? email, role: call.text('role') ?? 'admin' }
      return await staff.invitePerson(caller, {
        ...person,
        ...(staff_id !== undefined && { staff_id }),
      })
    })
    const link = `${baseOf(call)}/dashboard/#/join?token=${made.link_token}`
    call.output.result({ id: made.id, email, role: made.role, link }, () => link)
    if (call.output.json) return
    call.output.note(`For ${email}, role ${made.role}. The link works once, for 48 hours.`)
  },
}

async function personOf(staff: GapuraStaff, email: string): Promise<Person | undefined> {
  let cursor: string | undefined
  do {
    const page = await staff.listPeople(LOOKING, { page_size: 100, ...(cursor && { cursor }) })
    const found = page.results.find((one) => one.email.toLowerCase() === email.toLowerCase())
    if (found !== undefined) return found
    cursor = page.next ?? undefined
  } while (cursor !== undefined)
  return undefined
}

const COLUMNS = [
  { title: 'STAFF ID', of: ({ staff_id }: Person) => staff_id },
  { title: 'NAME', of: ({ name }: Person) => name },
  { title: 'EMAIL', of: ({ email }: Person) => email },
  { title: 'ROLE', of: ({ role }: Person) => role },
  { title: 'LAST SIGN-IN', of: ({ signed_in_at }: Person) => timeOf(signed_in_at) },
  { title: 'DISABLED', of: ({ disabled_at }: Person) => timeOf(disabled_at) },
]

const list: Command = {
  name: 'staff list',
  summary: 'List the staff accounts, newest first.',
  flags: { ...PAGE_FLAGS },
  examples: ['gapura staff list'],
  run: async (call) => {
    const query = queryOf(call, {})
    const page = await withGapura(call, async ({ staff }) => await staff.listPeople(LOOKING, query))
    printPage(call, page, COLUMNS, 'No staff accounts. Make one with gapura staff invite.')
  },
}

const disable: Command = {
  name: 'staff disable',
  summary: 'Disable a staff account and end its sessions at once.',
  flags: {
    email: { value: 'address', summary: 'of the account', required: true },
    reason: { value: 'text', summary: 'why, for the audit' },
    as: AS_FLAG,
  },
  examples: ['gapura staff disable --email eka@shop.example --reason "left the company"'],
  run: async (call) => {
    const email = call.required('email')
    const reason = call.text('reason')
    const done = await withGapura(call, async ({ staff }) => {
      const person = await personOf(staff, email)
      const change = { disabled: true, ...(reason !== undefined && { reason }) }
      return person && (await staff.updatePerson(staffOf(call), person.id, change))
    })
    if (done === undefined) {
      throw new CommandFailure({
        exit_code: EXIT.not_found,
        code: 'not_found',
        message: `there is no account of ${email}`,
        advice: ['List them with gapura staff list.'],
      })
    }
    call.output.result({ id: done.id, disabled: true }, () => `Disabled ${email}.`)
  },
}

export const STAFF_COMMANDS: readonly Command[] = [invite, list, disable]

import type { Command } from './command.ts'
import { EXIT, EXIT_MEANINGS } from './exit_codes.ts'
import { COMMON_FLAGS, shownFlag, usageOf } from './help.ts'

const escaped = (text: string): string => text.replaceAll('|', '\\|')

function sectionOf(command: Command): string {
  const rows = [
    ...(command.arguments ?? []).map(({ name, summary }) => [`<${name}>`, summary]),
    ...Object.entries(command.flags).map(([name, flag]) => [shownFlag(name, flag), flag.summary]),
  ]
  const flags = rows.map(
    ([name = '', summary = '']) => `| \`${escaped(name)}\` | ${escaped(summary)} |`,
  )
  const parts = [
    `## ${command.name}`,
    command.summary,
    `\`\`\`sh\n${usageOf(command)}\n\`\`\``,
    ...(command.details === undefined ? [] : [command.details]),
    ...(flags.length === 0 ? [] : [['| | |', '|---|---|', ...flags].join('\n')]),
    `\`\`\`sh\n${command.examples.join('\n')}\n\`\`\``,
  ]
  return parts.join('\n\n')
}

/** docs/cli.md, made from the table of commands; a test compares. */
export function referenceOf(commands: readonly Command[]): string {
  const exits = Object.entries(EXIT).map(
    ([name, code]) => `| ${code} | ${EXIT_MEANINGS[isMeaning(name) ? name : 'failure']} |`,
  )
  const common = Object.entries(COMMON_FLAGS).map(
    ([name, flag]) => `| \`${shownFlag(name, flag)}\` | ${flag.summary} |`,
  )
  return `# The command line

Made from the table of commands by \`npm run generate cli\`; do not edit.

Results go to standard output, everything said on the way to standard error. With \`--json\` a result is one JSON document, and commands that run until they are stopped print a JSON object a line; a failure is then \`{"error": {code, message, advice, exit_code}}\` on standard error. Colour only on a terminal, and not with \`NO_COLOR\`.

Settings come from the environment, from \`--env-file\`, or, while \`gapura dev\` runs in the same folder, from what it wrote to \`.gapura/dev.env\`.

| Flag of every command | |
|---|---|
${common.join('\n')}

| Exit code | Meaning |
|---|---|
${exits.join('\n')}

${commands.map(sectionOf).join('\n\n')}
`
}

const isMeaning = (name: string): name is keyof typeof EXIT_MEANINGS => name in EXIT_MEANINGS

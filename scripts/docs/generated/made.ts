/** The first lines of a page that must not be edited by hand. */
export const made = (title: string): string =>
  `# ${title}\n\n<!-- Made by npm run generate docs; do not edit. -->\n`

export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')

export const list = (values: readonly string[]): string =>
  values.length === 0 ? '–' : values.map((value) => `\`${value}\``).join(', ')

import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'

/** Repository-relative path to text. Checks read no disk, so a test can plant faults in a tree. */
export type Tree = ReadonlyMap<string, string>

export interface Fault {
  rule: string
  file: string
  line: number
  why: string
}

const TEXT = /\.(ts|tsx|js|css|sql|md)$/

/** Every tracked or new file that is not ignored: what a commit made now would hold. */
export function readTree(root: string): Tree {
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  const tree = new Map<string, string>()
  for (const file of listed.split('\0')) {
    if (file === '') continue
    const text = TEXT.test(file) ? readIfThere(path.join(root, file)) : ''
    if (text !== undefined) tree.set(file, text)
  }
  return tree
}

/** Git still lists a file that was deleted but not committed; the tree leaves it out. */
function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

/** Compared with what the generator writes by test/sdk/generated.test.ts, so it must not be edited by hand. */
export const isGenerated = (file: string): boolean => file.startsWith('packages/sdk/src/api/')

export const isSource = (file: string): boolean =>
  /^packages\/[^/]+\/src\/.*\.tsx?$/.test(file) && !isTest(file)

export const isTest = (file: string): boolean =>
  /\.test\.tsx?$/.test(file) || /^(packages\/[^/]+\/)?test\//.test(file)

/** `packages/service/src/domain/money.ts` → `domain`; files directly under `src` have no layer. */
export const layerOf = (file: string): string | undefined =>
  /^packages\/service\/src\/([^/]+)\//.exec(file)?.[1]

export const packageOf = (file: string): string | undefined =>
  /^packages\/([^/]+)\//.exec(file)?.[1]

const IMPORT =
  /^\s*(?:import|export)\b[^'"]*?\bfrom\s*['"]([^'"]+)['"]|^\s*import\s*['"]([^'"]+)['"]|\bimport\(['"](\.[^'"]+)['"]\)/gm

/** The code with its comments blanked: an apostrophe in a comment must not end an import. */
export const withoutComments = (text: string): string =>
  text.replace(/\/\*[\s\S]*?\*\/|(?<![:'"`\\])\/\/.*$/gm, (comment) =>
    comment.replace(/[^\n]/g, ' '),
  )

export interface Import {
  specifier: string
  line: number
  /** Whether Node ignores it at run time. */
  type_only: boolean
}

/** Also `import('./file')`; another rule says where a dynamic import may be. */
export function importsOf(text: string): Import[] {
  return [...withoutComments(text).matchAll(IMPORT)].map((match) => ({
    specifier: match[1] ?? match[2] ?? match[3] ?? '',
    line: lineAt(text, match.index + match[0].length),
    type_only: /^\s*(?:import|export)\s+type\b/.test(match[0]),
  }))
}

export const lineAt = (text: string, index: number): number =>
  text.slice(0, index).split('\n').length

/** The file a relative import names, or undefined for a package. */
export const resolveImport = (from: string, specifier: string): string | undefined =>
  specifier.startsWith('.') ? path.posix.join(path.posix.dirname(from), specifier) : undefined

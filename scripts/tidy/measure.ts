import { isGenerated, isSource, isTest, type Tree } from './tree.ts'
import { LINES_PER_FILE_MAX, lineCount } from './rules.ts'

export interface Measures {
  files: number
  median: number
  longest: { file: string; lines: number }
  over_limit: number
  comment_share: number
  test_to_source: number
}

/** Figures to watch; only the rules of rules.ts fail the build. */
export function measure(tree: Tree): Measures {
  const sizes = [...tree]
    .filter(([file]) => isSource(file) && !isGenerated(file))
    .map(([file, text]) => ({ file, lines: lineCount(text) }))
    .sort((a, b) => a.lines - b.lines)
  const source = sumOfLines(tree, isSource)
  const tests = sumOfLines(tree, (file) => isTest(file) && /\.tsx?$/.test(file))
  return {
    files: sizes.length,
    median: sizes[Math.floor(sizes.length / 2)]?.lines ?? 0,
    longest: sizes.at(-1) ?? { file: '-', lines: 0 },
    over_limit: sizes.filter(({ lines }) => lines > LINES_PER_FILE_MAX).length,
    comment_share: source.lines === 0 ? 0 : source.comments / source.lines,
    test_to_source: source.lines === 0 ? 0 : tests.lines / source.lines,
  }
}

function sumOfLines(tree: Tree, wanted: (file: string) => boolean) {
  const texts = [...tree].filter(([file]) => wanted(file)).map(([, text]) => text)
  const lines = texts.flatMap((text) => text.split('\n')).filter((line) => line.trim() !== '')
  const comments = lines.filter((line) => /^\s*(?:\/\/|\/?\*)/.test(line))
  return { lines: lines.length, comments: comments.length }
}

import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { longFunctions } from './longFunctions.ts'

/** Lines that a function may span, with everything in it. */
const LIMIT = 80
const SOURCES = ['{apps,packages,contracts,scripts}/**/*.{ts,tsx,mjs}']
const NOT_READ =
  /node_modules|\/(dist|out|cache|test-results)\/|\.d\.m?ts$|\.(test|spec)\.tsx?$|^contracts\/test-ts\/|generated\.ts$|bytecode\.ts$/

/**
 * The functions of the tree that span too many lines, as `file:line: name, n lines`. Those of `longer` may have the lines named there, and
 * a name of it that no long function has is a problem as well.
 *
 * @example lengthProblems(root, {})
 */
export function lengthProblems(root: string, longer: Readonly<Record<string, number>>): string[] {
  const files = SOURCES.flatMap((pattern) => globSync(pattern, { cwd: root, exclude: (name) => name === 'node_modules' }))
  const read = files.filter((file) => !NOT_READ.test(file))
  if (read.length === 0) throw new Error(`no source below ${root}`)
  const found = read.flatMap((file) =>
    longFunctions(readFileSync(join(root, file), 'utf8'), LIMIT, file.endsWith('x') ? 'tsx' : 'ts').map((one) => ({
      ...one,
      file,
    })),
  )
  return [
    ...found
      .filter(({ name, lines }) => lines > (longer[name] ?? 0))
      .map(({ file, name, line, lines }) => `${file}:${line}: ${name}, ${lines} lines`),
    ...Object.keys(longer)
      .filter((name) => !found.some((one) => one.name === name))
      .map((name) => `scripts/test/longerFunctions.ts: ${name} is short now; take it off the list`),
  ]
}

import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const FILES = ['subuid', 'subgid'] as const
const LINE = 'containers:2147483647:2147483648\n'

/** Files that lack the range out of which every order gets its own user ids. */
export function missingSubIds(etc = '/etc'): string[] {
  return FILES.map((name) => join(etc, name)).filter(
    (file) => !existsSync(file) || !/^containers:\d+:\d+$/m.test(readFileSync(file, 'utf8')),
  )
}

/** Adds the range to the files that lack it; answers which were changed. Needs root. */
export function addSubIds(etc = '/etc'): string[] {
  const missing = missingSubIds(etc)
  for (const file of missing) {
    const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
    appendFileSync(file, text === '' || text.endsWith('\n') ? LINE : `\n${LINE}`)
  }
  return missing
}

import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * Checks the licence stated by each installed npm package, offline. What runs at users has to be under a licence that only requires its own
 * text, or be named in NOTICE; what only builds and tests may also be under a file-level copyleft licence.
 */
const FREE = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'PSF-2.0',
  'Unlicense',
])
const FREE_FOR_TOOLS = new Set([...FREE, 'MPL-2.0', 'Python-2.0'])
/** Rooms that are never shipped to users. */
const TOOL_ROOMS = ['@rackfair/bench', '@rackfair/testkit']

interface Package {
  name: string
  license: string
}

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const notice = readFileSync(join(root, 'NOTICE'), 'utf8')

const shipped = installed(...TOOL_ROOMS.map((room) => `--filter=!${room}`), 'licenses', 'list', '--prod')
const all = installed('licenses', 'list')
const problems = [...refused(shipped, FREE), ...refused(all, FREE_FOR_TOOLS)]

// Self-test: a check that accepts everything would be worthless.
const strange = ['GPL-3.0-only', 'MIT AND GPL-3.0-only', 'Unknown', 'SEE LICENSE IN LICENSE.md', '']
const missed = strange.filter((license) => refused([{ name: 'strange', license }], FREE_FOR_TOOLS).length === 0)
if (missed.length > 0) problems.push(`these were not refused: ${missed.join(', ')}`)

console.log(`${shipped.length} packages for users, ${all.length} in all, ${problems.length} problems`)
for (const problem of problems) console.log(`  ${problem}`)
process.exitCode = problems.length > 0 || shipped.length < 100 ? 1 : 0

function refused(packages: readonly Package[], free: ReadonlySet<string>): string[] {
  return packages
    .filter(({ name, license }) => !allows(license, free) && !notice.includes(`${name} (${license})`))
    .map(({ name, license }) => `${name} is under "${license}"`)
}

/** Evaluates SPDX expressions of one level, which is all that packages use: any of an OR, all of an AND. */
function allows(expression: string, free: ReadonlySet<string>): boolean {
  return expression
    .replace(/^\((.*)\)$/, '$1')
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every((one) => free.has(one.trim())))
}

function installed(...args: string[]): Package[] {
  const run = spawnSync('pnpm', [...args, '--json'], { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
  if (run.status !== 0) throw new Error(`pnpm cannot list the licences: ${run.stderr || run.stdout || run.error}`)
  return Object.values(JSON.parse(run.stdout) as Record<string, Package[]>).flat()
}

import { spawnSync } from 'node:child_process'
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, matchesGlob, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { lengthProblems } from './checkLengths.ts'
import { LONGER } from './longerFunctions.ts'
import { tableProblems } from './tableProblems.ts'
import { WALLS } from './walls.ts'

/**
 * Checks the tree against the walls and the limit of a function, and again a small tree that deliberately breaks every wall once: a checker that reads nothing, or
 * forbids nothing, would also pass the first run.
 */
const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))

const tree = cruise(root, 'contracts/ts', 'packages', 'apps', 'examples', 'scripts')
const found = [...tree.violations, ...WALLS.flatMap(textViolations)]
console.log(`${tree.modules} modules, ${WALLS.length} walls, ${found.length} violations`)
for (const violation of found) console.log(`  ${violation}`)
if (tree.modules < 100) fail('dependency-cruiser read too few modules to be believed')
if (found.length > 0) fail('a wall of ARCHITECTURE.md is crossed')

const problems = tableProblems(readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8'), WALLS)
if (problems.length > 0) fail(`the table of walls in ARCHITECTURE.md is not scripts/test/walls.ts:\n${problems.join('\n')}`)

const tooLong = lengthProblems(root, LONGER)
if (tooLong.length > 0) fail(`functions of more than 80 lines; split what they do:\n${tooLong.join('\n')}`)

const broken = mkdtempSync(join(tmpdir(), 'rackfair-walls-'))
try {
  const crossings = WALLS.filter(({ imports }) => imports)
  for (const { name, violation } of crossings) writeViolation(name, ...violation)
  const { violations } = cruise(broken, '.')
  for (const { name, violation } of crossings)
    if (!violations.some((text) => text.startsWith(`${name}: ${violation[0]} -> `)))
      fail(`a deliberate violation was not found: ${name}: ${violation.join(' -> ')}`)
} finally {
  rmSync(broken, { recursive: true })
}
for (const { name, text, violation } of WALLS) {
  const [file, source] = violation
  if (!text) continue
  const isRead = text.of.some((pattern) => matchesGlob(file, pattern)) && !text.except.test(file)
  if (!isRead || text.finds(source).length === 0) fail(`a deliberate violation was not found: ${name}: ${file}`)
}

function textViolations({ name, text }: (typeof WALLS)[number]): string[] {
  if (!text) return []
  const files = text.of.flatMap((pattern) => globSync(pattern, { cwd: root })).filter((file) => !text.except.test(file))
  if (files.length === 0) fail(`${name} reads no file`)
  return files.flatMap((file) => text.finds(readFileSync(join(root, file), 'utf8')).map((one) => `${name}: ${file}: ${one}`))
}

function writeViolation(name: string, from: string, to: string): void {
  write(from, `import '${specifierOf(from, to)}'\n`, true)
  if (to.startsWith('node_modules/')) write(to, '', false)
  else if (name === 'no-circular') write(to, `import '${specifierOf(to, from)}'\n`, true)
  else if (name !== 'resolvable' && !to.startsWith('node:')) write(to, '', true)
}

function specifierOf(from: string, to: string): string {
  if (to.startsWith('node')) return to.replace(/^node_modules\/([^/]+)\/.*$/, '$1')
  const path = relative(dirname(from), to)
  return path.startsWith('.') ? path : `./${path}`
}

function write(file: string, text: string, isAdded: boolean): void {
  const path = join(broken, file)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text, { flag: isAdded ? 'a' : 'w' })
}

function cruise(cwd: string, ...paths: string[]): { modules: number; violations: string[] } {
  const run = spawnSync(
    join(root, 'node_modules', '.bin', 'depcruise'),
    ['--config', join(root, '.dependency-cruiser.cjs'), '--output-type', 'json', ...paths],
    { cwd, encoding: 'utf8', maxBuffer: 256 * 1024 * 1024 },
  )
  if (!run.stdout) fail(run.stderr)
  const { summary } = JSON.parse(run.stdout)
  return {
    modules: summary.totalCruised,
    violations: summary.violations.map(
      (v: { rule: { name: string }; from: string; to: string }) => `${v.rule.name}: ${v.from} -> ${v.to}`,
    ),
  }
}

function fail(message: string): never {
  console.error(message)
  process.exit(1)
}

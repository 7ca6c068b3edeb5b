import { spawnSync } from 'node:child_process'
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findImpure } from './findImpure.ts'
import { VIOLATIONS } from './wallViolations.ts'

/**
 * Runs dependency-cruiser over the tree, and again over a small tree that deliberately breaks every wall once: a checker that reads nothing,
 * or forbids nothing, would also pass the first run.
 */
const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const config = join(root, '.dependency-cruiser.cjs')
const rules = (createRequire(import.meta.url)(config) as { forbidden: { name: string }[] }).forbidden.map(({ name }) => name)

const tree = cruise(root, 'contracts/ts', 'packages', 'apps', 'examples', 'scripts')
console.log(`${tree.modules} modules, ${tree.violations.length} violations`)
for (const violation of tree.violations) console.log(`  ${violation}`)
if (tree.modules < 100) fail('dependency-cruiser read too few modules to be believed')

const pure = globSync('packages/{app-spec,rules,protocol,hardware}/src/**/*.ts', { cwd: root }).filter(
  (file) => !/\.test\.ts$|\/testing\//.test(file),
)
const impure = pure.flatMap((file) => findImpure(readFileSync(join(root, file), 'utf8')).map((found) => `${file}: ${found}`))
for (const found of impure) console.log(`  no clock, chance or surroundings: ${found}`)
if (tree.violations.length > 0 || impure.length > 0) fail('a wall of ARCHITECTURE.md is crossed')

const without = rules.filter((name) => !Object.hasOwn(VIOLATIONS, name))
if (without.length > 0) fail(`without a deliberate violation in wallViolations.ts: ${without.join(', ')}`)
const broken = mkdtempSync(join(tmpdir(), 'rackfair-walls-'))
try {
  for (const [name, [from, to]] of Object.entries(VIOLATIONS)) {
    write(from, `import '${specifierOf(from, to)}'\n`, true)
    if (to.startsWith('node_modules/')) write(to, '', false)
    else if (name === 'no-circular') write(to, `import '${specifierOf(to, from)}'\n`, true)
    else if (name !== 'resolvable' && !to.startsWith('node:')) write(to, '', true)
  }
  const { violations } = cruise(broken, '.')
  for (const [name, [from, to]] of Object.entries(VIOLATIONS))
    if (!violations.some((text) => text.startsWith(`${name}: ${from} -> `)))
      fail(`a deliberate violation was not found: ${name}: ${from} -> ${to}`)
} finally {
  rmSync(broken, { recursive: true })
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
    ['--config', config, '--output-type', 'json', ...paths],
    {
      cwd,
      encoding: 'utf8',
      maxBuffer: 256 * 1024 * 1024,
    },
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

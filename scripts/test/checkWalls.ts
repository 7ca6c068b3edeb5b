import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * Runs dependency-cruiser over the tree, and again over a file that deliberately breaks a wall: a checker that reads nothing, or forbids
 * nothing, would also pass the first run.
 */
const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const cruiser = join(root, 'node_modules', '.bin', 'depcruise')

const tree = cruise('contracts/ts', 'packages', 'apps', 'scripts')
console.log(`${tree.modules} modules, ${tree.violations.length} violations`)
for (const violation of tree.violations) console.log(`  ${violation}`)
if (tree.modules < 100) fail('dependency-cruiser read too few modules to be believed')
if (tree.violations.length > 0) fail('a wall of ARCHITECTURE.md is crossed')

const probeDir = join(root, 'packages', 'core', 'src', `.probe-${process.pid}`)
mkdirSync(probeDir)
try {
  writeFileSync(
    join(probeDir, 'probe.ts'),
    "import { toAppError } from '../../../sdk/src/errors/toAppError.ts'\nexport const probe = toAppError\n",
  )
  const probe = cruise(probeDir)
  if (!probe.violations.some((text) => text.includes('core-imports-only-zod'))) fail('a deliberate violation was not found')
} finally {
  rmSync(probeDir, { recursive: true })
}

function cruise(...paths: string[]): { modules: number; violations: string[] } {
  const run = spawnSync(cruiser, ['--config', '.dependency-cruiser.cjs', '--output-type', 'json', ...paths], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 256 * 1024 * 1024,
  })
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

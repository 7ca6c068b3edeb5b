import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { EXPLAINED_MUTATIONS } from './explainedMutations.ts'
import { judgeMutations, type MutationReport } from './judgeMutations.ts'
import { type MutationRoom, ROOMS } from './mutationRooms.ts'

/**
 * Mutates the rules of a room one at a time with Stryker and runs the tests that cover each mutation: `node scripts/test/mutations.ts [ROOM
 * ...]`. Results are cached in `.rackfair/mutations` and reused if neither code nor tests have changed.
 */
const STRYKER = ['@stryker-mutator/core@10.1.1', '@stryker-mutator/vitest-runner@10.1.1']
const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const folder = join(root, '.rackfair', 'mutations')
const chosen = process.argv.slice(2)
const unknown = chosen.filter((name) => !ROOMS.some((room) => room.name === name))
if (unknown.length > 0) {
  console.error(`There is no room "${unknown[0]}"; there are ${ROOMS.map(({ name }) => name).join(', ')}.`)
  process.exit(2)
}
mkdirSync(folder, { recursive: true })
ensureStryker()

const problems: string[] = []
for (const room of ROOMS.filter(({ name }) => chosen.length === 0 || chosen.includes(name))) {
  const { line, survivors, problem } = judgeMutations(room, mutate(room), EXPLAINED_MUTATIONS)
  console.log(line)
  for (const survivor of survivors) console.log(`  ${survivor}`)
  if (problem) problems.push(problem)
}
for (const problem of problems) console.log(problem)
process.exitCode = problems.length > 0 ? 1 : 0

/** Not among the packages of the checkout, because only this step needs its 60 MB. It finds the checkout's own vitest. */
function ensureStryker(): void {
  const stamp = join(folder, 'installed.txt')
  const wanted = STRYKER.join(' ')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return
  rmSync(join(folder, 'node_modules'), { recursive: true, force: true })
  const args = ['install', '--prefix', folder, '--legacy-peer-deps', '--no-audit', '--no-fund', '--loglevel=error', ...STRYKER]
  const { status } = spawnSync('npm', args, { stdio: 'inherit' })
  if (status !== 0) throw new Error(`npm could not fetch ${wanted}`)
  writeFileSync(stamp, wanted)
}

function mutate({ name, cwd, mutate, tests }: MutationRoom): MutationReport {
  const report = join(folder, `${name}.report.json`)
  const config = join(folder, `${name}.config.json`)
  const vitest = join(folder, `${name}.vitest.config.ts`)
  // With its own `testFiles`, Stryker never activates mutations outside of functions, and counts them as survivors.
  writeFileSync(
    vitest,
    `import config from ${JSON.stringify(join(root, cwd, 'vitest.config.ts'))}\n\nexport default { ...config, test: { ...config.test, projects: undefined, include: ${JSON.stringify(tests)} } }\n`,
  )
  writeFileSync(
    config,
    JSON.stringify({
      testRunner: 'vitest',
      vitest: { configFile: vitest },
      plugins: ['@stryker-mutator/vitest-runner'],
      mutate,
      mutator: { excludedMutations: ['StringLiteral'] },
      // Stryker would rewrite tsconfig files for its copy with the compiler's JavaScript API, which TypeScript 7 does not have.
      tsconfigFile: 'none.json',
      // At the same depth below the root as the room, so that paths of tests and tsconfig.json to the outside resolve from the copy.
      tempDirName: join(root, '.rackfair'),
      cleanTempDir: 'always',
      ignorePatterns: ['dist', 'test-results'],
      coverageAnalysis: 'perTest',
      concurrency: 2,
      timeoutMS: 20_000,
      incremental: true,
      incrementalFile: join(folder, `${name}.incremental.json`),
      jsonReporter: { fileName: report },
      reporters: ['json', 'progress-append-only'],
    }),
  )
  const run = spawnSync(join(folder, 'node_modules', '.bin', 'stryker'), ['run', config], {
    cwd: join(root, cwd),
    stdio: 'inherit',
  })
  if (run.status !== 0 || !existsSync(report)) throw new Error(`${name}: Stryker ended with ${run.status ?? run.signal}`)
  return JSON.parse(readFileSync(report, 'utf8')) as MutationReport
}

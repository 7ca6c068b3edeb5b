import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { foundryBinary } from './foundryBinary.ts'

/**
 * Measures the gas of every entry function and writes it to snapshots/ and into the table of README.md; with --check it fails on any
 * difference instead.
 */
const check = process.argv.includes('--check')
const run = spawnSync(foundryBinary('forge'), ['test', '--match-path', 'test/gas/*', '--isolate'], {
  cwd: fileURLToPath(new URL('..', import.meta.url)),
  env: { ...process.env, FOUNDRY_GAS_SNAPSHOT_EMIT: String(!check), FOUNDRY_GAS_SNAPSHOT_CHECK: String(check) },
  stdio: 'inherit',
})
if (run.error) throw run.error
if (run.status !== 0) process.exit(run.status ?? 1)

const file = new URL('../README.md', import.meta.url)
const page = readFileSync(file, 'utf8')
const measured = page.replace(/^\| (\w+): ([^|]+) \| [\d,]+ \|/gm, (_, contract: string, name: string) => {
  const gas = JSON.parse(readFileSync(new URL(`../snapshots/${contract}.json`, import.meta.url), 'utf8'))[name]
  if (gas === undefined) throw new Error(`README.md: nothing measures ${contract}: ${name}`)
  return `| ${contract}: ${name} | ${Number(gas).toLocaleString('en')} |`
})
if (!check) writeFileSync(file, measured)
else if (measured !== page) {
  console.error('README.md has other figures than the snapshots: node script/gas.ts writes them')
  process.exit(1)
}

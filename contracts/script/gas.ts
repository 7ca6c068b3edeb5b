import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { foundryBinary } from './foundryBinary.ts'

/** Measures the gas of every entry function and writes it to snapshots/; with --check it fails on any difference instead. */
const check = process.argv.includes('--check')
const run = spawnSync(foundryBinary('forge'), ['test', '--match-path', 'test/gas/*', '--isolate'], {
  cwd: fileURLToPath(new URL('..', import.meta.url)),
  env: { ...process.env, FOUNDRY_GAS_SNAPSHOT_EMIT: String(!check), FOUNDRY_GAS_SNAPSHOT_CHECK: String(check) },
  stdio: 'inherit',
})
if (run.error) throw run.error
process.exit(run.status ?? 1)

import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { foundryBinary } from './foundryBinary.ts'

const run = spawnSync(foundryBinary('forge'), process.argv.slice(2), {
  cwd: fileURLToPath(new URL('..', import.meta.url)),
  stdio: 'inherit',
})
if (run.error) throw run.error
process.exit(run.status ?? 1)

import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { foundryBinary } from './foundryBinary.ts'

/**
 * Runs the native forge in contracts/ and exits with its code. Random campaigns are short unless RACKFAIR_DEEP is set; their seed is
 * printed (on stderr, so that --json stays JSON) and can be set with RACKFAIR_SEED.
 */
const args = process.argv.slice(2)
const env = {
  ...process.env,
  ...(process.env.RACKFAIR_DEEP ? { FOUNDRY_PROFILE: 'deep' } : {}),
  // Lint leaves artifacts without bytecode, which would pass for fresh ones in the next test.
  ...(args[0] === 'lint' ? { FOUNDRY_OUT: 'cache/lint/out', FOUNDRY_CACHE_PATH: 'cache/lint' } : {}),
}
if (args[0] === 'test' && !args.includes('--fuzz-seed')) {
  const seed = process.env.RACKFAIR_SEED ?? `0x${randomBytes(8).toString('hex')}`
  console.error(`fuzz seed ${seed} (repeat with RACKFAIR_SEED=${seed})`)
  args.push('--fuzz-seed', seed)
}
const run = spawnSync(foundryBinary('forge'), args, { cwd: fileURLToPath(new URL('..', import.meta.url)), env, stdio: 'inherit' })
if (run.error) throw run.error
process.exit(run.status ?? 1)

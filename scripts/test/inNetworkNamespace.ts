import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { inNamespace, whyNoNamespace } from './networkNamespace.ts'

/**
 * Runs a command in a network namespace of its own, or directly if none can be created: `node scripts/test/inNetworkNamespace.ts --
 * node_modules/.bin/vitest run src/orders`.
 */
const usage = 'node scripts/test/inNetworkNamespace.ts -- COMMAND [ARGUMENT ...]'
const root = fileURLToPath(new URL('../..', import.meta.url))
const [separator, ...command] = process.argv.slice(2)
if (separator !== '--' || command.length === 0) {
  console.error(usage)
  process.exit(2)
}
// Their packages are downloaded, and there is no network inside.
spawnSync(process.execPath, [join(root, 'apps/agent/src/testing/makeImages.ts')], { stdio: 'inherit' })
const reason = whyNoNamespace()
if (reason) console.error(`No network namespace here (${reason}); what runs now shares its networks with the machine.`)
// Replaces this process with the command, so that a signal to either ends both.
process.execve?.('/usr/bin/env', ['env', ...(reason ? command : inNamespace(command))])

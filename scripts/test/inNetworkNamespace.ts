import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { inNamespace, whyNoNamespace } from './networkNamespace.ts'

/**
 * Runs a command in a network namespace of its own, or directly where none can be made:
 * `node scripts/test/inNetworkNamespace.ts -- node_modules/.bin/vitest run src/orders`.
 */
const usage = 'node scripts/test/inNetworkNamespace.ts -- COMMAND [ARGUMENT ...]'
const root = fileURLToPath(new URL('../..', import.meta.url))
const [separator, ...command] = process.argv.slice(2)
if (separator !== '--' || command.length === 0) {
  console.error(usage)
  process.exit(2)
}
// Their packages come from the network, which is not there inside.
spawnSync(process.execPath, [join(root, 'apps/agent/src/testing/makeImages.ts')], { stdio: 'inherit' })
const reason = whyNoNamespace()
if (reason) console.error(`No network namespace here (${reason}); what runs now shares its networks with the machine.`)
// The same process goes on as the command: whoever ends one ends the other.
process.execve?.('/usr/bin/env', ['env', ...(reason ? command : inNamespace(command))])

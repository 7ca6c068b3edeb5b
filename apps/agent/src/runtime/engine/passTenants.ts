import { runCommand } from '../../foundation/runCommand.ts'
import { bridgePrefix } from './names.ts'

const NO_PROGRAM = 127

/** What other firewalls of this machine must let through; the wall of the tenants is a table of its own. */
const rulesOf = (instance: string): string[][] => {
  const tenants = `${bridgePrefix(instance)}+`
  return [
    ['FORWARD', '-i', tenants, '-j', 'ACCEPT'],
    ['FORWARD', '-o', tenants, '-m', 'conntrack', '--ctstate', 'ESTABLISHED,RELATED', '-j', 'ACCEPT'],
  ]
}

/**
 * Where Docker or another firewall drops what this machine forwards, tenants would reach nothing. Says what is wrong; undefined where the
 * rules stand, or where there is no iptables that could drop anything.
 */
export async function passTenants(instance: string): Promise<string | undefined> {
  for (const rule of rulesOf(instance)) {
    const { code: known } = await runCommand('iptables', ['-w', '-C', ...rule])
    if (known === 0) continue
    if (known === NO_PROGRAM) return undefined
    const { code, stderr } = await runCommand('iptables', ['-w', '-I', ...rule])
    if (code !== 0) return `iptables: ${stderr.trim().slice(0, 300)}`
  }
  return undefined
}

export async function passNoTenants(instance: string): Promise<void> {
  for (const rule of rulesOf(instance)) await runCommand('iptables', ['-w', '-D', ...rule])
}

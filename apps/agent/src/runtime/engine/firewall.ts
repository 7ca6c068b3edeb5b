import { AppError, SPECIAL_IPV4 } from '@rackfair/core'
import { runCommand } from '../runCommand.ts'
import { bridgeName, bridgePrefix, tableName } from './names.ts'
import { subnetOf } from './subnets.ts'

const MAIL_PORTS = [25, 465, 587, 2525]

/**
 * The wall around the tenants of one agent, as a table of its own. A tenant reaches the public internet (without mail ports) and
 * its own resolver, nothing else: not the host, not another tenant, not the provider's network, not a metadata service. And this
 * machine looks for a tenant on that tenant's own bridge only: the engine takes the bridge away with the last container on it, and
 * a visitor's request to the address would go out of the machine, to whoever answers there.
 */
export function firewallRules(instance: string, block: string, slots: readonly number[]): string {
  const table = tableName(instance)
  const tenants = `"${bridgePrefix(instance)}*"`
  const resolvers = slots
    .map(
      (slot) =>
        `    iifname "${bridgeName(instance, slot)}" ip daddr ${subnetOf(block, slot).gateway} meta l4proto { tcp, udp } th dport 53 accept`,
    )
    .join('\n')
  const bridges = slots
    .map((slot) => `    ip daddr ${subnetOf(block, slot).cidr} oifname != "${bridgeName(instance, slot)}" reject`)
    .join('\n')
  return `table inet ${table}
delete table inet ${table}
table inet ${table} {
  chain input {
    type filter hook input priority filter - 10; policy accept;
    iifname ${tenants} jump tenant_to_host
  }
  chain tenant_to_host {
    ct state established,related accept
${resolvers}
    drop
  }
  chain output {
    type filter hook output priority filter - 10; policy accept;
${bridges}
  }
  chain forward {
    type filter hook forward priority filter - 10; policy accept;
    iifname ${tenants} jump from_tenant
    oifname ${tenants} jump to_tenant
  }
  chain from_tenant {
    meta nfproto != ipv4 drop
    oifname ${tenants} drop
    ip daddr { ${SPECIAL_IPV4.join(', ')} } drop
    tcp dport { ${MAIL_PORTS.join(', ')} } drop
    accept
  }
  chain to_tenant {
    ct state established,related accept
    drop
  }
}
`
}

export interface Firewall {
  /** Makes the table exactly that of these slots, in one transaction. Throws `isolation_unavailable`. */
  apply(slots: readonly number[]): Promise<void>
  /** Whether the kernel holds the table, however it was changed. */
  exists(): Promise<boolean>
  /** True while the kernel holds the table as it was applied. */
  intact(): Promise<boolean>
  remove(): Promise<void>
}

export function createFirewall(instance: string, block: string): Firewall {
  const table = tableName(instance)
  let applied: string | undefined
  const current = async () => {
    const { code, stdout } = await runCommand('nft', ['list', 'table', 'inet', table], { timeoutMs: 10_000 })
    return code === 0 ? stdout : undefined
  }
  // One at a time: a look between another's change and its note of it would find the table changed.
  let last: Promise<unknown> = Promise.resolve()
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const mine = last.then(work, work)
    last = mine
    return mine
  }
  const apply = async (slots: readonly number[]) => {
    const { code, stderr } = await runCommand('nft', ['-f', '-'], {
      input: firewallRules(
        instance,
        block,
        [...slots].sort((a, b) => a - b),
      ),
      timeoutMs: 10_000,
    })
    if (code !== 0)
      throw new AppError('isolation_unavailable', `nft refused the firewall: ${stderr.trim().slice(0, 300)}`, {
        retryable: true,
      })
    applied = await current()
  }
  return {
    apply: (slots) => inTurn(() => apply(slots)),
    exists: () => inTurn(async () => (await current()) !== undefined),
    intact: () => inTurn(async () => applied !== undefined && (await current()) === applied),
    remove: () =>
      inTurn(async () => {
        applied = undefined
        await runCommand('nft', ['delete', 'table', 'inet', table], { timeoutMs: 10_000 })
      }),
  }
}

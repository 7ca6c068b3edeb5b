import { AppError } from '@rackfair/rules/errors/AppError'
import { SPECIAL_IPV4 } from '@rackfair/rules/network/specialAddresses'
import { runCommand } from '../../foundation/runCommand.ts'
import { bridgeName, bridgePrefix, tableName } from './names.ts'
import { type Subnet, subnetOf } from './subnets.ts'
import { TENANT_LIMITS } from './tenantLimits.ts'

const MAIL_PORTS = [25, 465, 587, 2525]

const { connections, newConnectionsPerSecond, newConnectionsAtOnce } = TENANT_LIMITS
const LIMIT_RATE = `limit rate over ${newConnectionsPerSecond}/second burst ${newConnectionsAtOnce} packets drop`

/** Where a tenant may not go, and the resolvers that it may ask wherever they are. */
const internetOnly = (resolvers: readonly string[]): string =>
  [
    ...(resolvers.length > 0 ? [`ip daddr { ${resolvers.join(', ')} } meta l4proto { tcp, udp } th dport 53 accept`] : []),
    `ip daddr { ${SPECIAL_IPV4.join(', ')} } drop`,
    `tcp dport { ${MAIL_PORTS.join(', ')} } drop`,
  ]
    .map((line) => `    ${line}`)
    .join('\n')

/**
 * The wall around the tenants of one agent, as a table of its own. A tenant reaches the public internet (without mail ports) and
 * the resolvers, nothing else: not the host, not another tenant, not the provider's network, not a metadata service; and it takes no
 * more than its share of the connections that this machine keeps in mind. Outside it has the address of this machine. And this machine
 * looks for a tenant on that tenant's own bridge only: one without a container is no way to the address, and a visitor's request would
 * go out of the machine, to whoever answers there. Services of one order reach each other on its bridge, where frames pass this table if the
 * kernel filters bridges; they take no place in what it keeps in mind.
 */
export function firewallRules(instance: string, block: string, slots: readonly number[], resolvers: readonly string[]): string {
  const table = tableName(instance)
  const tenants = `"${bridgePrefix(instance)}*"`
  const perSlot = (line: (bridge: string, cidr: string, gateway: string) => string) =>
    slots
      .map((slot) => {
        const { cidr, gateway } = subnetOf(block, slot)
        return `    ${line(bridgeName(instance, slot), cidr, gateway)}`
      })
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
    drop
  }
  chain output {
    type filter hook output priority filter - 10; policy accept;
${perSlot((bridge, cidr) => `ip daddr ${cidr} oifname != "${bridge}" reject`)}
  }
  chain forward {
    type filter hook forward priority filter - 10; policy accept;
    iifname ${tenants} jump from_tenant
    oifname ${tenants} jump to_tenant
  }
  chain from_tenant {
    meta nfproto != ipv4 drop
${perSlot((bridge) => `iifname "${bridge}" oifname "${bridge}" accept`)}
    oifname ${tenants} drop
    ct state new jump new_connection
${internetOnly(resolvers)}
    accept
  }
  chain new_connection {
${perSlot((bridge) => `iifname "${bridge}" ${LIMIT_RATE}`)}
${perSlot((bridge) => `iifname "${bridge}" ct count over ${connections} drop`)}
  }
  chain to_tenant {
    ct state established,related accept
    drop
  }
  chain between_services {
    type filter hook prerouting priority raw; policy accept;
${perSlot((bridge, cidr, gateway) => `iifname "${bridge}" ip daddr ${cidr} ip daddr != ${gateway} notrack`)}
  }
  chain postrouting {
    type nat hook postrouting priority srcnat; policy accept;
    ip saddr ${block}/20 oifname != ${tenants} masquerade
  }
}
`
}

const OWN_TABLE = 'rackfair'

/**
 * A second wall, in the network namespace of one container, which nothing that happens to the firewall of this machine touches. What
 * goes from the tenant to itself, and to other services of its order, is left out of the kernel's memory of connections.
 */
export function tenantRules({ cidr, gateway }: Pick<Subnet, 'cidr' | 'gateway'>, resolvers: readonly string[]): string {
  const others = (direction: 'saddr' | 'daddr') => `ip ${direction} ${cidr} ip ${direction} != ${gateway}`
  return `table inet ${OWN_TABLE}
delete table inet ${OWN_TABLE}
table inet ${OWN_TABLE} {
  chain raw_output {
    type filter hook output priority raw; policy accept;
    oifname "lo" notrack
    ${others('daddr')} notrack
  }
  chain raw_input {
    type filter hook prerouting priority raw; policy accept;
    iifname "lo" notrack
    ${others('saddr')} notrack
  }
  chain output {
    type filter hook output priority filter; policy accept;
    oifname "lo" accept
    meta nfproto != ipv4 drop
    ${others('daddr')} accept
    ct state established,related accept
    ct state new ${LIMIT_RATE}
    ct state new ct count over ${connections} reject
${internetOnly(resolvers)}
  }
  chain input {
    type filter hook input priority filter; policy drop;
    iifname "lo" accept
    ct state established,related accept
    ip saddr ${cidr} accept
  }
}
`
}

/** Puts the second wall up around the container whose first process is `pid`. Throws `isolation_unavailable`. */
export async function applyTenantRules(
  pid: number,
  subnet: Pick<Subnet, 'cidr' | 'gateway'>,
  resolvers: readonly string[],
): Promise<void> {
  const { code, stderr } = await runCommand('nsenter', ['-t', String(pid), '-n', 'nft', '-f', '-'], {
    input: tenantRules(subnet, resolvers),
  })
  if (code !== 0)
    throw new AppError('isolation_unavailable', 'the second wall of the container cannot be put up', {
      ...{ cause: `nft: ${stderr.slice(0, 300)}`, retryable: true },
    })
}

export interface Firewall {
  /** Makes the table exactly that of these slots, in one transaction. Throws `isolation_unavailable`. */
  apply(slots: readonly number[]): Promise<void>
  /** True while the kernel holds the table as it was applied. */
  intact(): Promise<boolean>
  remove(): Promise<void>
}

export function createFirewall(instance: string, block: string, resolvers: () => readonly string[]): Firewall {
  const table = tableName(instance)
  let applied: string | undefined
  let rules = ''
  const current = async () => {
    const { code, stdout } = await runCommand('nft', ['list', 'table', 'inet', table])
    return code === 0 ? stdout : undefined
  }
  const isIntact = async () => applied !== undefined && (await current()) === applied
  // One at a time: a check between another's change and its note of it would find the table changed.
  let last: Promise<unknown> = Promise.resolve()
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const mine = last.then(work, work)
    last = mine
    return mine
  }
  const apply = async (slots: readonly number[]) => {
    const input = firewallRules(
      instance,
      block,
      [...slots].sort((a, b) => a - b),
      resolvers(),
    )
    // To ask takes a third of what it takes to apply, and each service of an order does.
    if (input === rules && (await isIntact())) return
    const { code, stderr } = await runCommand('nft', ['-f', '-'], { input })
    if (code !== 0)
      throw new AppError('isolation_unavailable', 'the firewall of the tenants cannot be put up', {
        ...{ cause: `nft: ${stderr.slice(0, 300)}`, retryable: true },
      })
    applied = await current()
    rules = input
  }
  return {
    apply: (slots) => inTurn(() => apply(slots)),
    intact: () => inTurn(isIntact),
    remove: () =>
      inTurn(async () => {
        applied = undefined
        await runCommand('nft', ['delete', 'table', 'inet', table])
      }),
  }
}

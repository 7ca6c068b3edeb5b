import { AppError } from '@rackfair/rules/errors/AppError'
import { SPECIAL_IPV4 } from '@rackfair/rules/network/specialAddresses'
import { runCommand } from '../../foundation/runCommand.ts'
import type { KubernetesSettings } from './kubernetesSettings.ts'

/**
 * Walls the pods of this machine where the cluster's own network enforces no policies: none reaches another, the machine, or anything but
 * the internet, and none is reached but from this machine. It is there before any pod: a pod's address is known only once it runs.
 */
export function createPodWall(instance: string, { bridge, subnet, openPods }: NonNullable<KubernetesSettings['wall']>) {
  const table = `rackfair_pods_${instance}`
  const open = openPods.join(', ')
  const exceptFrom = open && `ip saddr != { ${open} }`
  const exceptTo = open && `ip daddr != { ${open} }`
  const rules = `
table inet ${table} {
  chain forward {
    type filter hook forward priority -10; policy accept;
    ct state established,related accept
    oifname "${bridge}" ${exceptTo} drop
    iifname "${bridge}" meta nfproto ipv6 drop
    iifname "${bridge}" ${exceptFrom} ip daddr { ${SPECIAL_IPV4.join(', ')} } drop
  }
  chain input {
    type filter hook input priority -10; policy accept;
    ct state established,related accept
    iifname "${bridge}" ${exceptFrom} drop
  }
}
table bridge ${table} {
  chain forward {
    type filter hook forward priority -10; policy accept;
    iifname "veth*" oifname "veth*" ether type != { ip, arp } drop
    ip daddr ${subnet} ${exceptFrom} ${exceptTo} drop
  }
}
`
  const isThere = async () => (await runCommand('nft', ['list', 'table', 'bridge', table])).code === 0
  const remove = async () => {
    for (const family of ['inet', 'bridge']) await runCommand('nft', ['delete', 'table', family, table])
  }

  return {
    /** Puts it up where it is not. @throws AppError `isolation_unavailable` */
    async keep(): Promise<void> {
      if (await isThere()) return
      await remove()
      const { code, stderr } = await runCommand('nft', ['-f', '-'], { input: rules })
      if (code === 0) return
      const why = stderr.trim().slice(0, 300)
      throw new AppError('isolation_unavailable', 'the wall of the pods cannot be put up', { cause: why, retryable: true })
    },
    isThere,
    remove,
  }
}

import { appendFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** What containers see in place of this machine's /etc/hosts and /etc/resolv.conf, which tell of the provider's network. */
export function createTenantFiles(folder: string) {
  mkdirSync(folder, { recursive: true, mode: 0o755 })
  const resolvConf = join(folder, 'resolv.conf')
  const hostsOf = (orderId: bigint) => join(folder, `hosts-of-${orderId}`)
  const noteOf = (orderId: bigint) => join(folder, `note-of-${orderId}`)
  return {
    /** Written in place: running containers see it at once. */
    writeResolvers: (resolvers: readonly string[]) =>
      writeFileSync(resolvConf, resolvers.map((address) => `nameserver ${address}\n`).join('')),

    /** The files of each of several services of an order, by their path inside. */
    ofServices(orderId: bigint): Record<string, string> {
      // The engine takes no file that is not there; what it says is written before they start.
      appendFileSync(hostsOf(orderId), '')
      return { '/etc/resolv.conf': resolvConf, '/etc/hosts': hostsOf(orderId) }
    },
    /** Lets the services of an order find each other: what names an address has, for those that run as well. */
    writeHosts: (orderId: bigint, hosts: readonly { address: string; names: readonly string[] }[]): void =>
      writeFileSync(
        hostsOf(orderId),
        ['127.0.0.1 localhost', ...hosts.map(({ address, names }) => `${address} ${names.join(' ')}`), ''].join('\n'),
      ),
    /** What all containers of an order are told of it: written in place, for those that run as well. */
    writeNote: (orderId: bigint, text: string): void => writeFileSync(noteOf(orderId), text),
    /** The file of what they are told, which is there from now on. */
    noteOf(orderId: bigint): string {
      appendFileSync(noteOf(orderId), '')
      return noteOf(orderId)
    },
    forget(orderId: bigint): void {
      for (const file of [hostsOf(orderId), noteOf(orderId)]) rmSync(file, { force: true })
    },

    /** The files of a container by their path inside. */
    of(hostname: string): Record<string, string> {
      const hosts = join(folder, `hosts-${hostname}`)
      writeFileSync(hosts, `127.0.0.1 localhost\n127.0.1.1 ${hostname}\n`)
      return { '/etc/resolv.conf': resolvConf, '/etc/hosts': hosts }
    },
  }
}

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** What containers see in place of this machine's /etc/hosts and /etc/resolv.conf, which tell of the provider's network. */
export function createTenantFiles(folder: string) {
  mkdirSync(folder, { recursive: true, mode: 0o755 })
  const resolvConf = join(folder, 'resolv.conf')
  return {
    /** Written in place: running containers see it at once. */
    writeResolvers: (resolvers: readonly string[]) =>
      writeFileSync(resolvConf, resolvers.map((address) => `nameserver ${address}\n`).join('')),

    /** The files of a container by their path inside. */
    of(hostname: string): Record<string, string> {
      const hosts = join(folder, `hosts-${hostname}`)
      writeFileSync(hosts, `127.0.0.1 localhost\n127.0.1.1 ${hostname}\n`)
      return { '/etc/resolv.conf': resolvConf, '/etc/hosts': hosts }
    },
  }
}

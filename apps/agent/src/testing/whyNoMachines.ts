import { spawnSync } from 'node:child_process'
import { whyNoContainers } from './whyNoContainers.ts'

/** Why no second machine can be simulated here: that needs host names and addresses, which require a separate network namespace. */
export function whyNoMachines(): string | undefined {
  const own = spawnSync('ip', ['link', 'show', 'uplink']).status === 0
  const missing = ['nginx', 'openssl', 'curl', 'git'].find(
    (program) => spawnSync('sh', ['-c', `command -v ${program}`]).status !== 0,
  )
  return whyNoContainers() ?? (own ? undefined : 'no network namespace of its own') ?? (missing && `no ${missing}`)
}

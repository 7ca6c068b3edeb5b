import { spawnSync } from 'node:child_process'
import { whyNoContainers } from './whyNoContainers.ts'

/** Why no second machine can be made here: that takes names and addresses which only a network namespace of its own may have. */
export function whyNoMachines(): string | undefined {
  const own = spawnSync('ip', ['link', 'show', 'uplink']).status === 0
  const missing = ['nginx', 'openssl', 'curl', 'git'].find(
    (program) => spawnSync('sh', ['-c', `command -v ${program}`]).status !== 0,
  )
  return whyNoContainers() ?? (own ? undefined : 'no network namespace of its own') ?? (missing && `no ${missing}`)
}

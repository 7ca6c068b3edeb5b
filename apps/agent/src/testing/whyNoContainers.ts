import { spawnSync } from 'node:child_process'
import { whyNoRoom } from '@rackfair/testkit'

/** Why no container can be started on this machine, else undefined. */
export function whyNoContainers(): string | undefined {
  if (process.getuid?.() !== 0) return 'containers need root here'
  for (const program of ['podman', 'runc', 'nft', 'mkfs.ext4', 'mmdebstrap']) {
    if (spawnSync('sh', ['-c', `command -v ${program}`]).status !== 0) return `${program} is not installed`
  }
  return whyNoRoom()
}

import { statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'

/** The disk of an order beside the reserve of the host and the images: 9 GB were too few, 14 enough for every test. */
const NEEDED_GB = 14

/** Why orders of test nodes have no room on the disk of the temporary folder, else undefined. */
export function whyNoRoom(): string | undefined {
  const { bavail, bsize } = statfsSync(tmpdir())
  const freeGb = Math.floor((bavail * bsize) / 1e9)
  return freeGb < NEEDED_GB ? `${freeGb} GB are free in ${tmpdir()}, containers need ${NEEDED_GB}` : undefined
}

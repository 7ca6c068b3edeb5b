import { mkdirSync, mkdtempSync, rmSync, statfsSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { createOrderDisks, RESERVE_BYTES } from './orderDisk.ts'

const GB = 1e9

describe('the disk of an order', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rackfair-disks-'))
  afterAll(() => rmSync(folder, { recursive: true }))

  it('has the size that was bought or is refused, with unused space of other orders reserved', async () => {
    const disks = createOrderDisks(folder, false, join(folder, 'roots'))
    const { bavail, bsize } = statfsSync(folder)
    const free = bavail * bsize - RESERVE_BYTES
    await expect(disks.mount(1n, free + 5 * GB, [])).rejects.toMatchObject({
      code: 'start_failed',
      message: expect.stringMatching(/no room.*GB were bought, .*GB are neither used nor promised.*nothing was lost/),
    })
    // Sparse, as every disk is at first: it takes no space but is promised all the same.
    mkdirSync(join(folder, '2'))
    writeFileSync(join(folder, '2', 'disk.img'), '')
    truncateSync(join(folder, '2', 'disk.img'), Math.max(0, free) + 5 * GB)
    await expect(disks.mount(1n, GB / 2, [])).rejects.toMatchObject({
      code: 'start_failed',
      message: expect.stringContaining(' 0.0 GB'),
    })
  })
})

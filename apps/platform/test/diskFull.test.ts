import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startChain } from '@rackfair/testkit'
import { afterAll, expect, it } from 'vitest'
import { Indexer } from '../src/indexer/Indexer.ts'
import { openStore } from '../src/store/openStore.ts'
import { actorOn } from './actorOn.ts'
import { expectRowsEqualChain } from './expectRowsEqualChain.ts'
import { indexerSettings } from './indexerSettings.ts'
import { openMarket } from './trade.ts'

const root = mkdtempSync(join(tmpdir(), 'rackfair-full-'))
const folder = join(root, 'disk')
mkdirSync(folder)
const mounted = process.platform === 'linux' && spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', folder]).status === 0
const why = mounted ? '' : ' (skipped: mounting a small disk needs root)'

afterAll(() => {
  if (mounted) spawnSync('umount', ['-l', folder])
  rmSync(root, { recursive: true, force: true })
})

it.skipIf(!mounted)(`stops writing on a full disk, and resumes once there is space${why}`, async () => {
  const chain = await startChain({ blockTime: 0 })
  const act = actorOn(chain)
  const store = await openStore({ dataFolder: folder, databaseUrl: undefined })
  const indexer = new Indexer(store, indexerSettings(chain))
  while (await indexer.step());
  const filler = join(folder, 'filler')
  let written = 0
  try {
    for (; written < 4_000; written += 1) writeFileSync(filler, Buffer.alloc(1_024), { flag: 'a' })
  } catch {
    // The disk is full, as intended.
  }
  await openMarket(chain, act)
  await expect(
    (async () => {
      for (let round = 0; round < 2_000; round += 1) {
        await act.rpc('evm_mine')
        await indexer.step()
      }
    })(),
  ).rejects.toThrow(/full|disk I\/O/i)
  rmSync(filler)
  while (await indexer.step());
  await expectRowsEqualChain(store.db, chain, act)
  await indexer.stop()
  await store.close()
  await chain.stop()
})

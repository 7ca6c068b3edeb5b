import { freePort, startChain } from '@rackfair/testkit'
import { afterEach, expect, it } from 'vitest'
import { sayingLog } from '../log.ts'
import { awaitChain } from './awaitChain.ts'

const close: (() => unknown)[] = []
afterEach(async () => {
  for (const one of close.splice(0)) await one()
})

it('answers nothing while there is no chain, or one without the market, and everything once it is there', async () => {
  const port = await freePort()
  const before = await startChain({ port })
  const { access } = before.deployment
  await before.stop()
  const opened: string[] = []
  const chain = awaitChain({
    ...{ rpcUrl: before.rpcUrl, chainId: before.chainId, access, provider: before.accounts.provider.address },
    onOpen: (genesis) => opened.push(genesis),
    log: sayingLog(() => {}),
  })
  close.push(() => chain.stop())
  const silent = { code: 'chain_unreachable', retryable: true }
  await expect(chain.head()).rejects.toMatchObject(silent)
  await expect(chain.order(1n)).rejects.toMatchObject(silent)
  expect(() => chain.client).toThrow(expect.objectContaining(silent))

  const now = await startChain({ port })
  close.push(() => now.stop())
  expect(now.deployment.access).toBe(access)
  await expect.poll(() => chain.head().then(({ number }) => number > 0n, String), { timeout: 60_000 }).toBe(true)
  expect(await chain.order(1n)).toBeUndefined()
  expect(opened).toEqual([await chain.genesis()])
})

import { freePort, startChain } from '@rackfair/testkit'
import { afterEach, expect, it } from 'vitest'
import { sayingLog } from '../../foundation/log.ts'
import { awaitChain } from './awaitChain.ts'

const RETRY_MS = 100
const close: (() => unknown)[] = []
afterEach(async () => {
  for (const one of close.splice(0)) await one()
})

it('responds to nothing without a chain or a market, and to everything once both are there', async () => {
  const port = await freePort()
  const before = await startChain({ port })
  const { access } = before.deployment
  await before.stop()
  const opened: string[] = []
  const chain = awaitChain({
    ...{ rpcUrl: before.rpcUrl, chainId: before.chainId, access, provider: before.accounts.provider.address },
    onOpen: (genesis) => opened.push(genesis),
    onOtherChain: (error) => opened.push(error.message),
    log: sayingLog(() => {}),
    retryMs: RETRY_MS,
  })
  close.push(() => chain.stop())
  const silent = { code: 'chain_unreachable', retryable: true }
  await expect(chain.head()).rejects.toMatchObject(silent)
  await expect(chain.order(1n)).rejects.toMatchObject(silent)
  expect(() => chain.client).toThrow(expect.objectContaining(silent))

  const now = await startChain({ port })
  close.push(() => now.stop())
  expect(now.deployment.access).toBe(access)
  await expect.poll(() => chain.head().then(({ number }) => number > 0n, String)).toBe(true)
  expect(await chain.order(1n)).toBeUndefined()
  expect(opened).toEqual([chain.genesis])
})

it('leaves a chain with another first block, at the start or later, and stops responding', async () => {
  const port = await freePort()
  const first = await startChain({ port })
  const { access } = first.deployment
  const follow = (knownGenesis?: `0x${string}`) => {
    const left: string[] = []
    const target = { rpcUrl: first.rpcUrl, chainId: first.chainId, access, provider: first.accounts.provider.address }
    const chain = awaitChain({
      ...{ ...target, knownGenesis, log: sayingLog(() => {}), onOpen: () => {}, retryMs: RETRY_MS },
      onOtherChain: ({ code, message }) => left.push(`${code}: ${message}`),
    })
    close.push(() => chain.stop())
    return { chain, left }
  }
  const { chain, left } = follow()
  await expect.poll(() => chain.head().then(() => true, String)).toBe(true)
  const known = chain.genesis

  await first.stop()
  // Chains that start within the same second have the same first block.
  const anHourAgo = String(Math.floor(Date.now() / 1000) - 3600)
  const second = await startChain({ port, args: ['--timestamp', anHourAgo] })
  close.push(() => second.stop())
  await expect.poll(() => chain.head().then(String, ({ code }) => code)).toBe('wrong_chain')
  const refused = [expect.stringMatching(`^wrong_chain: .* not ${known}. Nothing was changed, orders keep running`)]
  expect(left).toEqual(refused)

  const restarted = follow(known)
  await expect.poll(() => restarted.left).toEqual(refused)
  for (const one of [chain, restarted.chain])
    await expect(one.order(1n)).rejects.toMatchObject({ code: 'chain_unreachable', message: expect.stringContaining(known) })
})

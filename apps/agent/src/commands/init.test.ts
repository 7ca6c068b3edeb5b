import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ONE_CREDIT_WEI } from '@rackfair/core'
import { type Chain, freePort, startChain } from '@rackfair/testkit'
import { createWalletClient, http, parseEther } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadConfig } from '../config/agentConfig.ts'
import { loadOperatorKey } from '../config/operatorKey.ts'
import { runCli } from '../testing/runCli.ts'
import { createTestBuyer } from '../testing/testBuyer.ts'

describe('what a second init changes', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rackfair-init-'))
  const file = join(folder, 'agent.json')
  const providerKey = generatePrivateKey()
  const provider = privateKeyToAccount(providerKey).address
  let chain: Chain
  let buyer: Awaited<ReturnType<typeof createTestBuyer>>
  let where: string[]

  beforeAll(async () => {
    chain = await startChain()
    buyer = await createTestBuyer(chain)
    where = ['--rpc', chain.rpcUrl, '--access', chain.deployment.access, '--platform', `http://127.0.0.1:${await freePort()}`]
    await buyer.fund(provider, ONE_CREDIT_WEI)
    const writer = createWalletClient({ account: chain.accounts.faucet, transport: http(chain.rpcUrl) })
    const hash = await writer.sendTransaction({ to: provider, value: parseEther('0.5'), chain: null })
    await buyer.client.waitForTransactionReceipt({ hash })
  })
  afterAll(async () => {
    await chain?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  const cli = (args: string[], key = providerKey as string) =>
    runCli([...args, '--config', file, '--json', '--yes'], key ? { providerKey: key } : {})
  const coins = (address: `0x${string}`) => buyer.client.getBalance({ address })
  const operator = () => loadOperatorKey(loadConfig(file).operatorKeyFile).address

  it('is nothing of the coins: what the operator needs for gas is a step that is named, once', async () => {
    const elsewhere = await cli(['init', ...where, '--pledge', '1', '--provider', provider], '')
    expect(elsewhere.json.open.at(-1)).toMatchObject({
      title: expect.stringMatching(/^give the operator .* for gas$/),
      to: operator(),
      data: '0x',
      valueWei: expect.stringMatching(/^\d{17}$/),
    })
    const first = await cli(['init', ...where, '--pledge', '1'])
    const title = first.json.done.at(-1)?.title ?? ''
    expect(title).toMatch(/^give the operator 0\.0\d+ of the chain's own currency for gas$/)
    expect(first.stderr).toContain(`to send: ${title}`)
    const given = await coins(operator())
    expect(given).toBeGreaterThan(parseEther('0.01'))
    expect(given).toBeLessThanOrEqual(parseEther('0.05'))
    const before = [await coins(provider), await buyer.client.getTransactionCount({ address: provider })]
    for (const args of [['init', ...where, '--pledge', '1'], ['register']])
      expect((await cli(args)).json).toMatchObject({ done: [], open: [] })
    expect([await coins(provider), await buyer.client.getTransactionCount({ address: provider })]).toEqual(before)
    expect(await coins(operator())).toBe(given)
  })

  it('is nothing of the pledge, as long as it is enough and no other is named', async () => {
    expect((await cli(['init', ...where])).json).toMatchObject({ done: [], open: [] })
    expect((await cli(['init', ...where, '--pledge', '3'])).json.error).toMatchObject({
      code: 'insufficient_credit',
      message: expect.stringMatching(
        /needs 2 Credit more, and 0x\w+ has 0; .* or name a smaller pledge with --pledge, at least 1$/,
      ),
    })
  })
})

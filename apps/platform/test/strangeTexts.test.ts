import { registryAbi } from '@rackfair/contracts'
import { type Abi, type AbiFunction, createWalletClient, encodeFunctionData, type Hex, http, toFunctionSelector } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { onBothDatabases } from './databases.ts'
import { type Market, startMarket } from './startMarket.ts'

onBothDatabases((databases) => {
  let market: Market
  beforeAll(async () => {
    market = await startMarket(await databases.fresh())
  })
  afterAll(() => market.stop())

  it('indexes registered bytes that are not valid text, and lists them everywhere', async () => {
    const { act, chain, get } = market
    const strange = { nul: 'a\0b', script: '<script>alert(1)</script>', turned: 'x\u202egnp', quoted: `"'),(--\\q` }
    const people = [chain.accounts.provider, chain.accounts.otherProvider, chain.accounts.user, chain.accounts.otherUser]
    for (const [index, name] of Object.values(strange).entries()) {
      const account = people[index] ?? chain.accounts.owner
      await act.send(account, 'registry', 'register', [{ name, ip: '127.0.0.1', domain: '', port: 7070 }])
    }
    const block = await registerBytes('0xff00c3287a')
    const { body } = await get<{ name: string; nodes: [] }[]>(`/v1/cp/list/0/10?minBlock=${block}`)
    expect(body.map(({ name }) => name)).toEqual([
      'a\ufffdb',
      strange.script,
      strange.turned,
      strange.quoted,
      '\ufffd\ufffd\ufffd(z',
    ])
    expect(body[2]).toMatchObject({ displayName: 'xgnp' })
  })

  it('appends the end of the address to a name confusable with an earlier one, until that is renamed', async () => {
    const { act, chain, get } = market
    const [earlier, later] = [chain.accounts.user, chain.accounts.otherUser]
    const named = async (account: typeof earlier, name: string) => {
      const block = await act.send(account, 'registry', 'revise', [{ name, ip: '127.0.0.1', domain: '', port: 7070 }])
      return (await get<{ displayName?: string }>(`/v1/cp/${later.address}?minBlock=${block}`)).body.displayName
    }
    await named(earlier, 'helios')
    const copied = await named(later, 'h\u00e9lios')
    expect(copied).toBe(`h\u00e9lios (…${later.address.slice(-4).toLowerCase()})`)
    expect(await named(earlier, 'selene')).toBeUndefined()
  })

  it('refuses an id with a character that a database refuses', async () => {
    for (const id of ['%00', 'a%00b', '%ED%A0%80']) {
      const { status, body } = await market.get(`/v1/deployments/${id}`)
      expect([id, status, body]).toMatchObject([id, 400, { code: 'bad_request' }])
    }
  })

  /** Passes bytes where the ABI has a string: both are encoded alike. */
  async function registerBytes(name: `0x${string}`): Promise<number> {
    const { chain, act } = market
    const real = (registryAbi as Abi).filter((item) => item.type === 'function' && item.name === 'register')
    const bent = JSON.parse(JSON.stringify(real).replaceAll('"type":"string"', '"type":"bytes"')) as Abi
    const words = encodeFunctionData({ abi: bent, args: [{ name, ip: '0x31', domain: '0x', port: 1 }] }).slice(10)
    const data: Hex = `${toFunctionSelector(real[0] as AbiFunction)}${words}`
    const wallet = createWalletClient({ account: chain.accounts.operator, transport: http(chain.rpcUrl) })
    const hash = await wallet.sendTransaction({ to: chain.deployment.registry, data, chain: null })
    const receipt = await act.client.waitForTransactionReceipt({ hash, pollingInterval: 50 })
    expect(receipt.status).toBe('success')
    return Number(receipt.blockNumber)
  }
})

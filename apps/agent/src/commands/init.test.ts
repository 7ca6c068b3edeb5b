import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { ONE_CREDIT_WEI } from '@rackfair/rules/money'
import { type Chain, freePort, startChain } from '@rackfair/testkit'
import { createWalletClient, http, parseEther } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { startEdge } from '../../../edge/src/testing/startEdge.ts'
import { loadConfig } from '../config/agentConfig.ts'
import { loadOperatorKey } from '../config/operatorKey.ts'
import { runCli } from '../testing/runCli.ts'
import { createTestBuyer } from '../testing/testBuyer.ts'

interface InitAnswer {
  error?: { message: string }
  prices?: { kind: string; model: string; unitWei: string; source: string }[]
  open?: { title: string }[]
}

describe('running init', () => {
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

  /** As with the provider's wallet on another device; none of it is ever sent. */
  const elsewhere = (name: string, args: string[], env: NodeJS.ProcessEnv = {}) => {
    const config = ['--config', join(folder, name), '--provider', provider, '--pledge', '1', '--json', '--yes']
    return runCli<InitAnswer>(['init', ...where, ...config, ...args], { env })
  }
  const fakeGpus = (...names: string[]) => {
    const bin = mkdtempSync(join(folder, 'bin-'))
    const lines = names.map((name, index) => `${index}, GPU-0000000${index}, 24564, ${name}`)
    writeFileSync(join(bin, 'nvidia-smi'), `#!/bin/sh\ncase "$*" in *query-gpu*) printf '${lines.join('\\n')}\\n' ;; esac\n`, {
      mode: 0o755,
    })
    return { PATH: `${bin}:${process.env.PATH}` }
  }

  it('checks address, name and ports before it writes anything', async () => {
    const wrong = async (...args: string[]) => (await elsewhere('wrong.json', args)).json.error?.message
    expect(await wrong('--ip', '999.1.1.1')).toBe('999.1.1.1 is not an IP address; a name belongs in --domain')
    expect(await wrong('--gateway-port', '7070', '--gateway-port-range', '7000-7100')).toBe(
      "the ports of orders, 7000 to 7100, contain the gateway's own, 7070; name others with --gateway-port-range",
    )
    expect(await wrong('--nodes', 'many')).toBe('--nodes is not a number of nodes')
    expect(existsSync(join(folder, 'wrong.json'))).toBe(false)
    expect(await wrong('--domain', 'no domain')).toBe('--domain: not a domain')
    const config = JSON.parse(readFileSync(join(folder, 'wrong.json'), 'utf8'))
    const byHand = { acme: { termsOfServiceAgreed: true }, edges: [{ host: 'edge.example', fingerprint: 'a'.repeat(64) }] }
    const draft = { ...config, gateway: { ...config.gateway, ...byHand } }
    writeFileSync(join(folder, 'drafted.json'), JSON.stringify(draft))
    await elsewhere('drafted.json', [])
    expect(JSON.parse(readFileSync(join(folder, 'drafted.json'), 'utf8')).gateway).toMatchObject(byHand)
    const refused = async (gateway: object) => {
      writeFileSync(join(folder, 'hand.json'), JSON.stringify({ ...config, gateway: { ...config.gateway, ...gateway } }))
      return (await runCli(['status', '--config', join(folder, 'hand.json'), '--json'])).json.error.message
    }
    expect(await refused({ portRange: [1, 65_535] })).toContain("gateway.portRange: contains the gateway's own port")
    expect(await refused({ appPorts: [400, 443] })).toContain('gateway.appPorts: has port 80 or 443')
  })

  it('registers what an edge gives to a machine without an open port, and keeps it', async () => {
    const edge = await startEdge()
    onTestFinished(() => edge.close())
    const at = `127.0.0.1:${edge.ports.control}#${edge.certificate.fingerprint}`
    const { json, stderr } = await elsewhere('home.json', ['--edge', at, '--acme-terms'])
    const { gateway } = JSON.parse(readFileSync(join(folder, 'home.json'), 'utf8'))
    const domain = `p-${provider.slice(2, 12).toLowerCase()}.edge.test`
    expect(gateway).toMatchObject({
      ...{ host: '127.0.0.1', publicHost: '127.0.0.1', domain, portRange: null, appPorts: null, sshPort: null },
      ...{ acme: { termsOfServiceAgreed: true }, edges: [{ host: '127.0.0.1', port: edge.ports.control }] },
    })
    expect(gateway.port).toBeGreaterThanOrEqual(edge.rawPorts[0])
    expect(stderr).toContain(`gives 127.0.0.1, port ${gateway.port}, and names below ${domain}`)
    expect(json.open?.[0]?.title).toMatch(new RegExp(`^register .*127\\.0\\.0\\.1:${gateway.port}`))
    await elsewhere('home.json', [])
    expect(JSON.parse(readFileSync(join(folder, 'home.json'), 'utf8')).gateway).toEqual(gateway)
    const wrong = async (...args: string[]) => (await elsewhere('wrong-edge.json', args)).json.error?.message
    expect(await wrong('--edge', 'edge.example')).toContain('edge.example#FINGERPRINT')
    expect(await wrong('--edge', at, '--ip', '203.0.113.7')).toContain('an edge gives address, port and domain')
    expect(await wrong('--edge', at.replace(/#.*/, `#${'0'.repeat(64)}`))).toContain('another certificate')
    expect(existsSync(join(folder, 'wrong-edge.json'))).toBe(false)
  })

  it('shows every price with its source, reports an unreachable platform, and asks for unknown prices', async () => {
    const env = fakeGpus('NVIDIA GeForce RTX 4090', 'NVIDIA H200', 'NVIDIA GeForce RTX 5090')
    const unknown = await elsewhere('gpus.json', [], env)
    expect(unknown.json.error?.message).toMatch(/^no price of H200 is known, .*--gpu-price "H200=250"; nothing was sent$/)
    expect(unknown.stderr).toContain('does not say what the market asks')
    expect(unknown.stderr).toContain('price of a GPU RTX 4090 and month: 133 USD (price list)')
    const { json, stderr } = await elsewhere('gpus.json', ['--gpu-price', 'H200=2500', '--gpu-price', 'other=300'], env)
    expect(json.prices?.map((one) => [one.kind, one.model, one.source])).toEqual([
      ['cpu', expect.any(String), expect.any(String)],
      ['gpu', 'RTX 4090', 'price list'],
      ['gpu', 'H200', 'yours'],
      ['gpu', 'RTX 5090', 'yours'],
      ['mem', '', 'price list'],
      ['disk', '', 'price list'],
    ])
    expect(json.prices?.slice(1, 4).map((one) => BigInt(one.unitWei) / ONE_CREDIT_WEI)).toEqual([133n, 2500n, 300n])
    // At least two cores: each of the models needs a node.
    if (availableParallelism() < 3) expect(stderr).toContain('1 GPU are not offered: this machine has fewer cores than models')
    else expect(json.open?.filter((one) => one.title.startsWith('add node'))).toHaveLength(3)
  })

  it('sends no coins a second time: gas for the operator is a separate step, listed once', async () => {
    const open = await cli(['init', ...where, '--pledge', '1', '--provider', provider], '')
    expect(open.json.open.at(-1)).toMatchObject({
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

  it('leaves the operator’s configuration unchanged the second time', async () => {
    const own = {
      ...{ payout: { to: provider.toLowerCase(), above: '10', everyHours: 12 }, resolvers: ['192.0.2.53'] },
      ...{ presetsFolder: '/srv/presets', prepareImages: ['nginx'], wipeAfterSeconds: 7 },
    }
    const before = loadConfig(file)
    writeFileSync(file, JSON.stringify({ ...before, ...own }))
    await cli(['init', ...where])
    expect(loadConfig(file)).toEqual({ ...before, ...own })
    writeFileSync(file, JSON.stringify(before))
  })

  it('leaves a sufficient pledge unchanged unless another is given', async () => {
    expect((await cli(['init', ...where])).json).toMatchObject({ done: [], open: [] })
    expect((await cli(['init', ...where, '--pledge', '3'])).json.error).toMatchObject({
      code: 'insufficient_credit',
      message: expect.stringMatching(
        /needs 2 Credit more, and 0x\w+ has 0; .* or name a smaller pledge with --pledge, at least 1$/,
      ),
    })
  })
})

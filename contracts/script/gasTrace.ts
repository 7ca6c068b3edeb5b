import { developmentAccounts, startChain } from '@rackfair/testkit'
import { type Account, createTestClient, createWalletClient, type Hex, http, maxUint256, publicActions, zeroAddress } from 'viem'
import { creditAbi, marketAbi, pledgeAbi, registryAbi } from '../ts/index.ts'
import { receiptOf } from '../ts/receiptOf.ts'

/**
 * Where the gas of a purchase, a settlement and a cancel goes: every instruction of real transactions on a chain of its own, by contract
 * and kind. Run `node script/gasTrace.ts` after `node script/generate.ts`; it prints one table per transaction.
 */

const MONTH = 2_592_000
const DAY = 86_400
const CREDIT = 10n ** 18n

interface Step {
  op: string
  gas: number
  gasCost: number
  depth: number
  stack: Hex[]
}
type Kind = 'new slot' | 'old slot' | 'written again' | 'read' | 'read again' | 'call' | 'log' | 'hash' | 'rest'
const KINDS: readonly Kind[] = ['new slot', 'old slot', 'written again', 'read', 'read again', 'call', 'log', 'hash', 'rest']

const chain = await startChain({ blockTime: 0, args: ['--steps-tracing'] })
try {
  await main()
} finally {
  await chain.stop()
}

async function main(): Promise<void> {
  const { owner, provider, user } = developmentAccounts()
  const client = createTestClient({ mode: 'anvil', transport: http(chain.rpcUrl), pollingInterval: 5 }).extend(publicActions)
  const wallet = createWalletClient({ transport: http(chain.rpcUrl) })
  const { market, registry, pledge, credit } = chain.deployment
  const of = {
    market: { address: market, abi: marketAbi },
    registry: { address: registry, abi: registryAbi },
    pledge: { address: pledge, abi: pledgeAbi },
    credit: { address: credit, abi: creditAbi },
  } as const
  const send = async (account: Account, contract: keyof typeof of, functionName: string, args: readonly unknown[]) => {
    const call = { ...of[contract], chain: null, gas: 3_000_000n, account, functionName, args }
    return wallet.writeContract(call as unknown as Parameters<typeof wallet.writeContract>[0])
  }
  const pass = async (seconds: number) => {
    await client.increaseTime({ seconds })
    await client.mine({ blocks: 1 })
  }

  for (const account of [user, provider]) {
    await send(owner, 'credit', 'mint', [account.address, 10n ** 24n])
    for (const spender of [market, pledge]) await send(account, 'credit', 'approve', [spender, maxUint256])
  }
  await send(provider, 'registry', 'register', [{ name: 'rack', ip: '127.0.0.1', domain: '', port: 7070 }])
  const node = { cpuModel: 'Xeon', gpuModel: 'RTX 4090', nCPU: 2, core: 8, nGPU: 3, nMEM: 64, nDISK: 1000 }
  const prices = { pCPU: 10n * CREDIT, pGPU: 100n * CREDIT, pMEM: CREDIT, pDISK: CREDIT / 100n }
  for (let i = 0; i < 3; ++i) await send(provider, 'registry', 'add_node', [{ ...node, ...prices }])
  await send(provider, 'pledge', 'pledge', [credit, 1000n * CREDIT])
  const params = await client.readContract({ ...of.market, functionName: 'params' })
  const conditions = {
    probation: params.probation,
    holdback: params.holdback,
    penalty: params.penalty,
    commissionBps: params.commissionBps,
  }
  const order = (nodeId: bigint) => [
    { provider: provider.address, nodeId, rev: 1, duration: MONTH, maxFee: maxUint256, conditions, app: 'nginx' },
  ]

  const names = new Map<string, string>(
    Object.entries({ Market: market, Registry: registry, Pledge: pledge, Credit: credit, Access: chain.deployment.access }).map(
      ([name, address]) => [address.toLowerCase(), name],
    ),
  )
  const trace = (name: string, hash: Hex) => print(name, hash, names)

  await send(user, 'market', 'createOrder', order(1n))
  await trace('createOrder, later', await send(user, 'market', 'createOrder', order(2n)))
  await pass(60)
  await trace('activateWithApp', await send(provider, 'market', 'activateWithApp', [2n, 'nginx']))
  await send(provider, 'market', 'activate', [1n])
  await pass(3 * DAY)
  await send(user, 'market', 'proSettle', [1n])
  await pass(DAY)
  await trace('proSettle, repeat', await send(user, 'market', 'proSettle', [1n]))
  await trace('extend', await send(user, 'market', 'extend', [1n, MONTH]))
  await trace('userCancel', await send(user, 'market', 'userCancel', [2n]))

  async function print(name: string, hash: Hex, contracts: Map<string, string>): Promise<void> {
    const [receipt, transaction] = await Promise.all([receiptOf(client, hash), client.getTransaction({ hash })])
    if (receipt.status !== 'success') throw new Error(`${name} failed`)
    const { structLogs } = (await client.request({
      method: 'debug_traceTransaction',
      params: [hash, { disableMemory: true }],
    } as never)) as { structLogs: Step[] }
    const used = gasByKind(structLogs, (transaction.to ?? zeroAddress).toLowerCase(), contracts)
    const bytes = Buffer.from(transaction.input.slice(2), 'hex')
    const calldata = bytes.reduce((sum, byte) => sum + (byte === 0 ? 4 : 16), 0)
    const executed = [...used.values()].flatMap((row) => [...row.values()]).reduce((sum, { gas }) => sum + gas, 0)
    const refund = 21_000 + calldata + executed - Number(receipt.gasUsed)
    console.log(`\n${name}: ${receipt.gasUsed} = 21000 + calldata ${calldata} + ${executed} - refunds ${refund}`)
    console.log(`| | ${KINDS.join(' | ')} |\n|---|${KINDS.map(() => '---').join('|')}|`)
    for (const [contract, row] of used) {
      const cells = KINDS.map((kind) => {
        const { count, gas } = row.get(kind) ?? { count: 0, gas: 0 }
        return count === 0 ? '' : kind === 'rest' ? String(gas) : `${count}: ${gas}`
      })
      console.log(`| ${contract} | ${cells.join(' | ')} |`)
    }
  }
}

type Row = Map<Kind, { count: number; gas: number }>

/** Counts every instruction once, for the contract that runs it: for a call, only the cost of the call itself. */
function gasByKind(steps: Step[], to: string, contracts: Map<string, string>): Map<string, Row> {
  const used = new Map<string, Row>()
  const running = [to]
  for (const [at, step] of steps.entries()) {
    running.length = step.depth
    const address = running[step.depth - 1] as string
    let cost = step.gasCost
    if (/^(CALL|STATICCALL|DELEGATECALL)$/.test(step.op)) {
      const target = `0x${BigInt(step.stack.at(-2) ?? '0x0')
        .toString(16)
        .padStart(40, '0')}`
      // The code of a delegatecall counts for its caller.
      running[step.depth] = step.op === 'DELEGATECALL' ? address : target
      cost = callCost(steps, at)
    }
    add(used, contracts.get(address) ?? 'other', kindOf(step, cost), cost)
  }
  return used
}

/** The cost of a call without the steps inside it, whatever gas it was given and returned. */
function callCost(steps: Step[], at: number): number {
  const call = steps[at] as Step
  const back = steps.findIndex((step, index) => index > at && step.depth <= call.depth)
  const within = steps.slice(at + 1, back)
  const after = steps[back] as Step
  // Inner calls are costed on their own: only those one level down have to be subtracted.
  const spent = within.reduce((sum, step, index) => {
    if (step.depth !== call.depth + 1) return sum
    const next = within.slice(index + 1).find(({ depth }) => depth === step.depth)
    return sum + (next ? step.gas - next.gas : step.gasCost)
  }, 0)
  return call.gas - after.gas - spent
}

function kindOf({ op }: Step, cost: number): Kind {
  if (op === 'SSTORE') return cost >= 20_000 ? 'new slot' : cost >= 2_900 ? 'old slot' : 'written again'
  if (op === 'SLOAD') return cost >= 2_100 ? 'read' : 'read again'
  if (/CALL$/.test(op)) return 'call'
  if (op.startsWith('LOG')) return 'log'
  return op === 'KECCAK256' || op === 'SHA3' ? 'hash' : 'rest'
}

function add(used: Map<string, Row>, contract: string, kind: Kind, gas: number): void {
  const row = used.get(contract) ?? new Map()
  used.set(contract, row)
  const { count, gas: before } = row.get(kind) ?? { count: 0, gas: 0 }
  row.set(kind, { count: count + 1, gas: before + gas })
}

import { marketAbi, pledgeAbi, registryAbi } from '@rackfair/contracts'
import { lowerCaseAddress } from '@rackfair/rules/address'
import { isTerminal } from '@rackfair/rules/order/status'
import type { Chain } from '@rackfair/testkit'
import { expect } from 'vitest'
import type { Database } from '../src/store/openStore.ts'
import type { Actor } from './actorOn.ts'

/** Compares every provider, node, order, pledge and total with the contracts. */
export async function expectRowsEqualChain(db: Database, chain: Chain, act: Actor): Promise<void> {
  const cursor = await db.selectFrom('cursor').selectAll().executeTakeFirstOrThrow()
  const blockNumber = BigInt(cursor.block)
  const { registry, market, pledge } = chain.deployment
  const { client } = act
  const page = { address: registry, abi: registryAbi, blockNumber } as const
  const providers = await client.readContract({ ...page, functionName: 'getList', args: [0n, 200n] })
  const rows = await db.selectFrom('provider').selectAll().orderBy('position').execute()
  expect(rows.map((row) => row.address)).toEqual(providers.map((provider) => lowerCaseAddress(provider.addr)))
  for (const [index, provider] of providers.entries()) {
    const row = rows[index]
    const { name, ip, domain, port, nNode, uNode, nMem, uMem, nDisk, uDisk } = provider
    expect(row).toMatchObject({ name, ip, domain, port, nNode, uNode, nMem, uMem, nDisk, uDisk })
    const pledged = await client.readContract({
      address: pledge,
      abi: pledgeAbi,
      functionName: 'pledgeOf',
      args: [provider.addr],
      blockNumber,
    })
    const pledgeRow = await db
      .selectFrom('pledge')
      .selectAll()
      .where('account', '=', lowerCaseAddress(provider.addr))
      .executeTakeFirst()
    expect(BigInt(pledgeRow?.amount ?? 0)).toBe(pledged)
    const nodes = await client.readContract({ ...page, functionName: 'list_node', args: [provider.addr, 0n, 200n] })
    const nodeRows = await db
      .selectFrom('node')
      .selectAll()
      .where('cp', '=', lowerCaseAddress(provider.addr))
      .orderBy('id')
      .execute()
    expect(nodeRows.map((node) => node.id)).toEqual(nodes.map((node) => Number(node.id)))
    for (const [place, node] of nodes.entries()) {
      const nodeRow = nodeRows[place]
      expect(nodeRow?.exist).toBe(node.exist ? 1 : 0)
      if (!node.exist) continue
      const { cpuModel, gpuModel, nCPU, core, nGPU, nMEM, nDISK, rev } = node
      expect(nodeRow).toMatchObject({
        cpuModel,
        gpuModel,
        nCPU,
        core,
        nGPU,
        nMEM,
        nDISK,
        rev,
        avail: Number(node.avail),
        online: Number(node.online),
      })
      expect([nodeRow?.orderId, nodeRow?.pCPU, nodeRow?.pDISK].map(String)).toEqual(
        [node.orderId, node.pCPU, node.pDISK].map(String),
      )
    }
  }
  const last = await client.readContract({ address: market, abi: marketAbi, functionName: 'lastId', blockNumber })
  const orders = await db.selectFrom('order').selectAll().orderBy('id').execute()
  expect(orders.map((order) => String(order.id))).toEqual(Array.from({ length: Number(last) }, (_, index) => String(index + 1)))
  for (const row of orders) {
    const order = await client.readContract({
      address: market,
      abi: marketAbi,
      functionName: 'getOrder',
      args: [BigInt(row.id)],
      blockNumber,
    })
    for (const field of [
      'activateTime',
      'lastSettleTime',
      'duration',
      'down',
      'remuneration',
      'totalValue',
      'rate',
      'nodeId',
      'probation',
      'commissionBps',
      'reportedUntil',
      'downSince',
      'pendingUntil',
    ] as const) {
      expect([field, String(row[field])]).toEqual([field, String(order[field])])
    }
    expect(row.user).toBe(lowerCaseAddress(order.user))
    expect(Boolean(row.userConfirm)).toBe(order.userConfirm)
    expect(row.deployTime > 0).toBe(order.deployed)
    expect(order.status === 7 ? 2 : order.status).toBe(row.status)
    if (isTerminal(row.status))
      expect(BigInt(row.refunded) + BigInt(row.remuneration) + BigInt(row.pending)).toBe(BigInt(row.totalValue))
  }
  const totals = await client.readContract({ ...page, functionName: 'gInfo' })
  const stat = await db.selectFrom('globalStat').selectAll().executeTakeFirst()
  for (const [field, value] of Object.entries(totals))
    expect([field, stat?.[field as 'cpNumber'] ?? 0]).toEqual([field, Number(value)])
}

import { lowerCaseAddress } from '@rackfair/rules/address'
import { ratePerMonthWei } from '@rackfair/rules/prices/pricing'
import { zeroAddress } from 'viem'
import type { NodeTable } from '../../store/tables.ts'
import type { EventArgs } from '../decodeLog.ts'
import { countNode, countSold } from './counters.ts'
import type { Handlers } from './Handlers.ts'

const ZERO = lowerCaseAddress(zeroAddress)

export const registryHandlers: Handlers = {
  ProviderRegistered(fold, { args }) {
    const stat = fold.get('globalStat', '1')
    fold.put('provider', {
      address: args.cp,
      position: stat.cpNumber,
      name: args.name,
      ip: args.ip,
      domain: args.domain,
      port: args.port,
      operator: ZERO,
      nNode: 0,
      uNode: 0,
      nMem: 0,
      uMem: 0,
      nDisk: 0,
      uDisk: 0,
      ordersCompleted: 0,
      ordersRunning: 0,
      ordersDropped: 0,
      ordersMissed: 0,
      withdrawn: '0',
    })
    fold.put('globalStat', { ...stat, cpNumber: stat.cpNumber + 1 })
  },

  ProviderRevised(fold, { args }) {
    const { name, ip, domain, port } = args
    fold.patch('provider', args.cp, { name, ip, domain, port })
  },

  OperatorSet: (fold, { args }) => fold.patch('provider', args.cp, { operator: args.operator }),

  NodeAdded(fold, { args, time }) {
    const node: NodeTable = {
      cp: args.cp,
      id: Number(args.id),
      ...offer(args.node),
      rev: 1,
      orderId: 0,
      exist: 1,
      avail: 0,
      online: 1,
      addedTime: time,
      minTerm: 0,
    }
    fold.put('node', node)
    countNode(fold, node, 1)
  },

  NodeUpdated(fold, { args }) {
    const before = fold.get('node', `${args.cp}|${args.id}`)
    const after = { ...before, ...offer(args.node), rev: args.rev }
    countNode(fold, before, -1)
    countNode(fold, after, 1)
    fold.put('node', after)
  },

  NodeDeleted(fold, { args }) {
    const node = fold.get('node', `${args.cp}|${args.id}`)
    countNode(fold, node, -1)
    fold.put('node', { ...node, exist: 0, avail: 0, online: 0, rev: node.rev + 1 })
  },

  NodeSoldSet(fold, { args }) {
    const node = fold.get('node', `${args.cp}|${args.id}`)
    countSold(fold, node, args.sold ? 1 : -1)
    fold.put('node', { ...node, orderId: args.sold ? args.orderId : 0, avail: 0 })
  },

  NodeAvailSet: (fold, { args }) => fold.patch('node', `${args.cp}|${args.id}`, { avail: args.avail ? 1 : 0 }),

  OnlineSet: (fold, { args }) => fold.patch('node', `${args.cp}|${args.id}`, { online: args.online ? 1 : 0 }),

  MinTermSet: (fold, { args }) => fold.patch('node', `${args.cp}|${args.id}`, { minTerm: args.minTerm }),
}

function offer(input: EventArgs<'NodeAdded'>['node']) {
  const { cpuModel, gpuModel, nCPU, core, nGPU, nMEM, nDISK } = input
  const prices = { pCPU: input.pCPU, pGPU: input.pGPU, pMEM: input.pMEM, pDISK: input.pDISK }
  return {
    cpuModel,
    gpuModel,
    nCPU,
    core,
    nGPU,
    nMEM,
    nDISK,
    pCPU: String(prices.pCPU),
    pGPU: String(prices.pGPU),
    pMEM: String(prices.pMEM),
    pDISK: String(prices.pDISK),
    rate: String(ratePerMonthWei({ nCPU, nGPU, nMEM, nDISK }, prices)),
  }
}

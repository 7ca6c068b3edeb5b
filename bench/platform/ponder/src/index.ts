import { ponder } from 'ponder:registry'
import { node, order, provider } from 'ponder:schema'

ponder.on('Registry:ProviderRegistered', ({ event, context }) =>
  context.db.insert(provider).values({ address: event.args.cp, name: event.args.name, ip: event.args.ip, nodes: 0, pledge: 0n }),
)

ponder.on('Pledge:Pledged', ({ event, context }) =>
  context.db.update(provider, { address: event.args.account }).set({ pledge: event.args.balance }),
)

ponder.on('Registry:NodeAdded', async ({ event, context }) => {
  const { cp, id, node: offer } = event.args
  const { cpuModel, gpuModel, nGPU, nMEM, pGPU } = offer
  const row = { id: `${cp}-${id}`, cp, cpuModel, gpuModel, nGPU, nMEM, pGPU, online: true, orderId: 0n }
  await context.db.insert(node).values(row)
  await context.db.update(provider, { address: cp }).set((row) => ({ nodes: row.nodes + 1 }))
})

ponder.on('Registry:OnlineSet', ({ event, context }) =>
  context.db.update(node, { id: `${event.args.cp}-${event.args.id}` }).set({ online: event.args.online }),
)

ponder.on('Registry:NodeSoldSet', ({ event, context }) =>
  context.db
    .update(node, { id: `${event.args.cp}-${event.args.id}` })
    .set({ orderId: event.args.sold ? event.args.orderId : 0n }),
)

ponder.on('Market:OrderCreated', ({ event, context }) => {
  const { id, user, provider: cp, nodeId, duration, totalValue } = event.args
  return context.db.insert(order).values({ id, user, node: `${cp}-${nodeId}`, status: 1, duration, totalValue, activateTime: 0 })
})

ponder.on('Market:OrderActivated', ({ event, context }) =>
  context.db.update(order, { id: event.args.id }).set({ status: 2, activateTime: event.args.time }),
)

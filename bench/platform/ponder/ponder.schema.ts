import { index, onchainTable } from 'ponder'

export const provider = onchainTable('provider', (t) => ({
  address: t.text().primaryKey(),
  name: t.text().notNull(),
  ip: t.text().notNull(),
  nodes: t.integer().notNull(),
  pledge: t.bigint().notNull(),
}))

export const node = onchainTable('node', (t) => ({
  id: t.text().primaryKey(),
  cp: t.text().notNull(),
  cpuModel: t.text().notNull(),
  gpuModel: t.text().notNull(),
  nGPU: t.integer().notNull(),
  nMEM: t.integer().notNull(),
  pGPU: t.bigint().notNull(),
  online: t.boolean().notNull(),
  orderId: t.bigint().notNull(),
}))

export const order = onchainTable(
  'order',
  (t) => ({
    id: t.bigint().primaryKey(),
    user: t.text().notNull(),
    node: t.text().notNull(),
    status: t.integer().notNull(),
    duration: t.integer().notNull(),
    totalValue: t.bigint().notNull(),
    activateTime: t.integer().notNull(),
  }),
  (table) => ({ byUser: index().on(table.user) }),
)

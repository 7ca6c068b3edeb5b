import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { addColumns } from './columns.ts'

const COUNTERS = 'cpNumber nodeGlobal nodeUsed cpuGlobal cpuUsed gpuGlobal gpuUsed memGlobal memUsed diskGlobal diskUsed'

/** What the indexer derives from the chain. Everything here can be rebuilt from the raw logs. */
export function chainTables(kind: 'sqlite' | 'postgres'): Migration {
  const money = kind === 'postgres' ? 'numeric(78, 0)' : 'text'
  return {
    async up(db: Kysely<unknown>) {
      const table = (name: string) => db.schema.createTable(name)
      const int = (t: ReturnType<typeof table>, names: string) => addColumns(t, 'bigint', names)
      const text = (t: ReturnType<typeof table>, names: string) => addColumns(t, 'text', names)
      const wei = (t: ReturnType<typeof table>, names: string) => addColumns(t, money, names)

      let cursor = int(table('cursor'), 'id chainId block blockTime foldVersion')
      cursor = text(cursor, 'access genesisHash blockHash')
      await cursor.addPrimaryKeyConstraint('cursor_key', ['id']).execute()

      const block = text(int(table('block'), 'number time'), 'hash')
      await block.addPrimaryKeyConstraint('block_key', ['number']).execute()

      let rawLog = int(table('rawLog'), 'block logIndex blockTime')
      rawLog = text(rawLog, 'blockHash transactionHash address topics data')
      await rawLog.addPrimaryKeyConstraint('rawLog_key', ['block', 'logIndex']).execute()

      const undo = text(int(table('undo'), 'block'), 'tableName rowKey').addColumn('before', 'text')
      await undo.addPrimaryKeyConstraint('undo_key', ['block', 'tableName', 'rowKey']).execute()

      const contract = int(text(table('contract'), 'address kind'), 'version')
      await contract.addPrimaryKeyConstraint('contract_key', ['address']).execute()

      let provider = text(table('provider'), 'address name ip domain operator')
      provider = int(provider, 'position port nNode uNode nMem uMem nDisk uDisk ordersCompleted ordersRunning ordersDropped')
      provider = wei(provider, 'withdrawn')
      await provider.addPrimaryKeyConstraint('provider_key', ['address']).execute()

      let node = text(table('node'), 'cp cpuModel gpuModel')
      node = int(node, 'id nCPU core nGPU nMEM nDISK rev orderId exist avail online addedTime')
      node = wei(node, 'pCPU pGPU pMEM pDISK rate')
      await node.addPrimaryKeyConstraint('node_key', ['cp', 'id']).execute()

      let order = text(table('order'), 'user provider app cpuModel gpuModel')
      order = int(order, 'id nodeId rev status createTime activateTime lastSettleTime closeTime duration probation holdback')
      order = int(order, 'penalty down commissionBps userConfirm providerConfirm nCPU nGPU nMEM nDISK core')
      order = wei(order, 'rate totalValue remuneration commission refunded compensated pCPU pGPU pMEM pDISK')
      await order.addPrimaryKeyConstraint('order_key', ['id']).execute()
      await db.schema.createIndex('order_user').on('order').columns(['user', 'id']).execute()
      await db.schema.createIndex('order_provider').on('order').columns(['provider', 'id']).execute()

      let orderEvent = int(table('orderEvent'), 'block logIndex orderId time')
      orderEvent = text(orderEvent, 'name transactionHash args')
      await orderEvent.addPrimaryKeyConstraint('orderEvent_key', ['block', 'logIndex']).execute()
      await db.schema.createIndex('orderEvent_order').on('orderEvent').columns(['orderId', 'block', 'logIndex']).execute()

      const pledge = wei(text(table('pledge'), 'account'), 'amount')
      await pledge.addPrimaryKeyConstraint('pledge_key', ['account']).execute()

      const earning = wei(int(text(table('earning'), 'cp'), 'day nodeId'), 'gross commission')
      await earning.addPrimaryKeyConstraint('earning_key', ['cp', 'day', 'nodeId']).execute()

      await int(table('globalStat'), `id ${COUNTERS}`).addPrimaryKeyConstraint('globalStat_key', ['id']).execute()
      await int(table('statBucket'), `step time ${COUNTERS}`)
        .addPrimaryKeyConstraint('statBucket_key', ['step', 'time'])
        .execute()

      const change = kind === 'postgres' ? sql`bigserial` : sql`integer`
      await text(
        table('change').addColumn('seq', change, (column) =>
          kind === 'postgres' ? column.primaryKey() : column.primaryKey().autoIncrement(),
        ),
        'topic user body',
      ).execute()

      const leader = text(int(table('leader'), 'id epoch expires'), 'holder')
      await leader.addPrimaryKeyConstraint('leader_key', ['id']).execute()
      const status = text(int(table('indexerStatus'), 'id head seenAt'), 'state reason')
      await status.addPrimaryKeyConstraint('indexerStatus_key', ['id']).execute()
    },
  }
}

import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { addColumns } from './columns.ts'

/** The history of pledges and their interest, folded from the chain like `chainTables`. */
export function pledgeTables(kind: 'sqlite' | 'postgres'): Migration {
  const money = kind === 'postgres' ? 'numeric(78, 0)' : 'text'
  return {
    async up(db: Kysely<unknown>) {
      const table = (name: string) => db.schema.createTable(name)

      const contract = addColumns(addColumns(table('pledgeContract'), 'text', 'address'), money, 'interestIndex')
      await contract.addPrimaryKeyConstraint('pledgeContract_key', ['address']).execute()

      let day = addColumns(table('interestDay'), 'text', 'contract')
      day = addColumns(addColumns(day, 'bigint', 'day time'), money, 'interestIndex')
      await day.addPrimaryKeyConstraint('interestDay_key', ['contract', 'day']).execute()

      const standing = 'pledged interestIndex earned withdrawn'
      const account = addColumns(addColumns(table('pledgeAccount'), 'text', 'contract account'), money, standing)
      await account.addPrimaryKeyConstraint('pledgeAccount_key', ['contract', 'account']).execute()

      let move = addColumns(table('pledgeMove'), 'bigint', 'block logIndex time')
      move = addColumns(move, 'text', 'contract account kind transactionHash')
      move = addColumns(move, money, `amount ${standing}`)
      await move.addPrimaryKeyConstraint('pledgeMove_key', ['block', 'logIndex']).execute()
      await db.schema.createIndex('pledgeMove_account').on('pledgeMove').columns(['account', 'block', 'logIndex']).execute()
    },
  }
}

import type { Tables } from '../store/tables.ts'

/** The tables that events fold into, with their keys. */
export const FOLD_KEYS = {
  contract: ['address'],
  provider: ['address'],
  node: ['cp', 'id'],
  order: ['id'],
  pledge: ['account'],
  pledgeContract: ['address'],
  pledgeAccount: ['contract', 'account'],
  pledgeMove: ['block', 'logIndex'],
  interestDay: ['contract', 'day'],
  earning: ['cp', 'day', 'nodeId'],
  monitor: ['address'],
  monitorReport: ['monitor', 'period'],
  finding: ['orderId', 'period'],
  maintenance: ['provider', 'nodeId', 'firstEpoch', 'epochs'],
  globalStat: ['id'],
  statBucket: ['step', 'time'],
} as const satisfies { [Name in keyof Tables]?: readonly (keyof Tables[Name])[] }

export type FoldTable = keyof typeof FOLD_KEYS
export const FOLD_TABLES = Object.keys(FOLD_KEYS) as FoldTable[]
export type FoldRow<Name extends FoldTable> = Tables[Name]

/** The key of a row as one string. */
export function rowKey<Name extends FoldTable>(table: Name, row: FoldRow<Name>): string {
  return FOLD_KEYS[table].map((column) => String(row[column as keyof FoldRow<Name>])).join('|')
}

/** The columns and values of a key string. */
export function keyColumns(table: FoldTable, key: string): [column: string, value: string][] {
  const values = key.split('|')
  return FOLD_KEYS[table].map((column, index) => [column, values[index] ?? ''])
}

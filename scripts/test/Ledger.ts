export interface LedgerRow {
  id: string
  files: string[]
  /** `path#part of a title`. */
  tests: string[]
  decisions: string[]
}

export interface Ledger {
  /** The fixed list: for each point of the specification the number of its rows and their ids. */
  points: { point: string; rows: number; ids: string[] }[]
  rows: LedgerRow[]
  /** Ids of the departures that are explained. */
  decisions: string[]
  /** Lines that mark something as missing. */
  open: string[]
}

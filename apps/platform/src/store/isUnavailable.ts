/** Error codes of PostgreSQL and of the connection to it while the server restarts, or it or its disk is full. */
const AWAY = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  '57P01',
  '57P02',
  '57P03',
  '08000',
  '08001',
  '08003',
  '08006',
  '53100',
  '53300',
])
const AWAY_TEXTS = /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error)/

/** SQLite's results where another process holds the file (5), the disk does not take a write (10), or it is full (13). */
const SQLITE_AWAY = new Set([5, 10, 13])

/** Whether an error means that the database is briefly unavailable: nothing was stored, and a later retry will succeed. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code, errcode } = error as { code?: unknown; errcode?: unknown }
  // The upper bytes of SQLite's number say more about the same result.
  if (typeof errcode === 'number' && SQLITE_AWAY.has(errcode & 0xff)) return true
  return (typeof code === 'string' && AWAY.has(code)) || AWAY_TEXTS.test(error.message)
}

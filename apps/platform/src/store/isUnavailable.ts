/** Error codes of PostgreSQL and of the connection to it while the server restarts or is full. */
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
  '53300',
])
const AWAY_TEXTS = /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error)/

/** Whether an error means that the database is briefly unavailable: a retry will succeed. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code } = error as { code?: unknown }
  return (typeof code === 'string' && AWAY.has(code)) || AWAY_TEXTS.test(error.message)
}

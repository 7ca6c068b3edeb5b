import type pg from 'pg'

const RETRY_MS = 1_000

/**
 * Hears what any process tells on a channel of PostgreSQL, on a connection of its own, which is replaced when it breaks. Returns what ends
 * it: the connection goes back to the pool, which does not end without it, even where it is still being opened.
 */
export function listenOn(pool: pg.Pool, channel: string, hear: (payload: string | undefined) => void): () => void {
  let closed = false
  let giveBack = () => {}
  const open = async () => {
    if (closed) return
    let connection: pg.PoolClient | undefined
    let broken = false
    const release = () => {
      connection?.release(true)
      connection = undefined
    }
    const again = () => {
      if (broken) return
      broken = true
      release()
      if (!closed) setTimeout(() => void open(), RETRY_MS).unref()
    }
    try {
      connection = await pool.connect()
      connection.on('error', again)
      connection.on('notification', ({ payload }) => hear(payload))
      await connection.query(`listen ${channel}`)
      if (closed) release()
      else giveBack = release
    } catch {
      again()
    }
  }
  void open()
  return () => {
    closed = true
    giveBack()
  }
}

import { type LowerCaseAddress, lowerCaseAddress } from '@rackfair/rules/address'
import type pg from 'pg'

/** Listens for notifications of other processes on the same PostgreSQL that a request is queued for a provider. */
export function listenForCalls(pool: pg.Pool, deliver: (provider: LowerCaseAddress) => Promise<void>): { close(): void } {
  let closed = false
  let listening: pg.PoolClient | undefined
  const open = async () => {
    if (closed) return
    const again = () => {
      listening = undefined
      if (!closed) setTimeout(() => void open(), 1_000).unref()
    }
    try {
      const client = await pool.connect()
      let broken = false
      client.on('error', () => {
        if (broken || closed) return
        broken = true
        client.release(true)
        again()
      })
      client.on('notification', ({ channel, payload }) => {
        if (channel === 'rackfair_call' && payload) void deliver(lowerCaseAddress(payload)).catch(() => undefined)
      })
      await client.query('listen rackfair_call')
      listening = client
    } catch {
      again()
    }
  }
  void open()
  return {
    close() {
      closed = true
      listening?.release(true)
      listening = undefined
    },
  }
}

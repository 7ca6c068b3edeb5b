import { startPostgres, whyNoPostgres } from '@rackfair/testkit'
import { expect, it, vi } from 'vitest'
import { startMarket } from './startMarket.ts'

const LONG = { timeout: 60_000, interval: 50 }
const missing = whyNoPostgres()

/** Client and server share one process: if it stalls for seconds, a connection is closed just as it is reused. */
function unlessClosed(error: unknown): undefined {
  const { code } = (error as { cause?: { code?: string } }).cause ?? {}
  if (code !== 'ECONNRESET' && code !== 'UND_ERR_SOCKET') throw error
}

it.skipIf(missing)(
  `reports only "not ready" while PostgreSQL restarts under load, and recovers${missing ? ` (${missing})` : ''}`,
  async () => {
    const postgres = await startPostgres()
    const market = await startMarket({ databaseUrl: await postgres.createDatabase() })
    const { act, chain, platform } = market
    await act.becomeProvider()
    await act.buy()
    const answers: { status: number; code: string | undefined }[] = []
    let asking = true
    const lane = async (number: number) => {
      for (let round = 0; asking; round += 1) {
        const [path, method] = [
          [`/v1/user/${chain.accounts.user.address}/order/list?limit=${1 + ((number * 97 + round) % 900)}`, 'GET'],
          ['/v1/auth/nonce', 'POST'],
          [`/v1/orders/${1 + (round % 3)}/events`, 'GET'],
        ][round % 3] as [string, string]
        const answer = await fetch(platform.url + path, { method, signal: AbortSignal.timeout(30_000) }).catch(unlessClosed)
        if (!answer) continue
        const body = (await answer.json()) as { code?: string }
        answers.push({ status: answer.status, code: body.code })
      }
    }
    const lanes = Array.from({ length: 8 }, (_, number) => lane(number))
    await vi.waitFor(() => expect(answers.length).toBeGreaterThan(50), LONG)
    await postgres.restart()
    const block = await act.send(chain.accounts.provider, 'registry', 'revise', [
      { name: 'after', ip: '127.0.0.1', domain: '', port: 7070 },
    ])
    await vi.waitFor(async () => expect((await fetch(`${platform.url}/readyz`)).status).toBe(200), LONG)
    expect((await market.get(`/v1/cp/${chain.accounts.provider.address}?minBlock=${block}`)).body).toMatchObject({
      name: 'after',
    })
    const before = answers.length
    await vi.waitFor(() => expect(answers.length).toBeGreaterThan(before + 50), LONG)
    asking = false
    await Promise.all(lanes)
    const kinds = new Set(answers.map(({ status, code }) => `${status} ${code ?? ''}`.trim()))
    expect([...kinds].sort()).toEqual(['200', '404 not_found', '503 not_ready'])
    expect(answers.slice(-10).map(({ status }) => status)).not.toContain(503)
    await market.stop()
    await postgres.stop()
  },
)

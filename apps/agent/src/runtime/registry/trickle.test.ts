import { randomBytes } from 'node:crypto'
import { afterEach, describe, expect, it } from 'vitest'
import { type Asked, type StandInRegistry, standInRegistry } from '../../testing/standInRegistry.ts'
import { packLayer, tarOf } from '../../testing/startRegistry.ts'

let registry: StandInRegistry
const timers = new Set<NodeJS.Timeout>()
afterEach(async () => {
  for (const timer of timers) clearInterval(timer)
  await registry.close()
})

/** Sends a byte now and then until somebody hangs up. */
const trickle = ({ answer }: Asked, status = 200, headers: Record<string, string> = {}) => {
  answer.writeHead(status, headers)
  timers.add(setInterval(() => answer.write(' '), 5))
  return true
}
const layers = () => [packLayer(tarOf({ a: randomBytes(100_000) })), packLayer(tarOf({ b: randomBytes(100_000) }))]
const demand = ({ request }: Asked) => ({ 'www-authenticate': `Bearer realm="http://${request.headers.host}/token"` })

describe('a registry that sends a byte now and then', () => {
  it.each<[string, (asked: Asked) => boolean]>([
    ['of a manifest', (asked) => asked.kind === 'manifest' && trickle(asked)],
    ['of a configuration', (asked) => asked.kind === 'blob' && !registry.layers.includes(asked.name) && trickle(asked)],
    ['of a layer', (asked) => asked.name === registry.layers[1] && trickle(asked)],
    [
      'of a token',
      (asked) => {
        if (asked.url.pathname === '/token') return trickle(asked)
        asked.answer.writeHead(401, demand(asked)).end()
        return true
      },
    ],
  ])('%s does not hold a pull', async (_, answer) => {
    registry = await standInRegistry(answer, { layers: layers(), times: { paceMs: 300, leastBytes: 10_000 }, documentMs: 300 })
    await expect(registry.pull()).rejects.toMatchObject({ code: 'registry_unreachable', retryable: true })
  })

  it('of an answer that nobody needs is not waited for', async () => {
    registry = await standInRegistry(
      (asked) => {
        if (asked.url.pathname === '/token') {
          asked.answer.end('{"token":"t"}')
          return true
        }
        return asked.request.headers.authorization === undefined && trickle(asked, 401, demand(asked))
      },
      { layers: layers(), documentMs: 2000 },
    )
    expect(await registry.pull()).toHaveLength(2)
  })
})

import { randomBytes } from 'node:crypto'
import { text } from 'node:stream/consumers'
import { afterEach, describe, expect, it } from 'vitest'
import { type Asked, type StandInRegistry, standInRegistry } from '../../testing/standInRegistry.ts'
import { packLayer, tarOf } from '../../testing/startRegistry.ts'

let registry: StandInRegistry
afterEach(() => registry.close())

const bearerOf = ({ request }: Asked) => (request.headers.authorization ?? '').replace(/^Bearer /, '')
const json = ({ answer }: Asked, value: unknown, status = 200) => {
  answer.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
  return true
}
const demand = ({ answer, request }: Asked, error = '') => {
  const realm = `http://${request.headers.host}/token`
  answer.writeHead(401, { 'www-authenticate': `Bearer realm="${realm}",service="test"${error}` }).end()
  return true
}
const layers = (count: number) => Array.from({ length: count }, () => packLayer(tarOf({ a: randomBytes(200) })))

describe('a pull that outlasts what it was signed in with', () => {
  /** Tokens that the registry takes; each is void after a number of blobs. */
  const startWithTokens = async ({ blobsEach, said = {} }: { blobsEach: number; said?: object }) => {
    const left = new Map<string, number>()
    registry = await standInRegistry(
      (asked) => {
        if (asked.url.pathname === '/token') {
          const token = `t${left.size}`
          left.set(token, blobsEach)
          return json(asked, { token, ...said })
        }
        const rest = left.get(bearerOf(asked)) ?? 0
        if (rest === 0) return demand(asked, ',error="invalid_token"')
        if (asked.kind === 'blob') left.set(bearerOf(asked), rest - 1)
        return false
      },
      { layers: layers(37) },
    )
    return left
  }

  it('gets a new token wherever the registry finds the last one expired', async () => {
    const tokens = await startWithTokens({ blobsEach: 12, said: { expires_in: 300 } })
    expect(await registry.pull()).toHaveLength(37)
    expect(tokens.size).toBe(4)
  })

  it.each([[{ expires_in: 0.001 }], [{ expires_in: 0.001, access_token: 'ignored' }]])(
    'renews a token before it expires, as %j says',
    async (said) => {
      const tokens = await startWithTokens({ blobsEach: 100, said })
      expect(await registry.pull()).toHaveLength(37)
      expect(tokens.size).toBeGreaterThan(2)
      expect(registry.tried.filter(({ answer }) => answer.statusCode === 401)).toHaveLength(1)
    },
  )

  it.each([[{}], [{ expires_in: -1 }], [{ expires_in: 'soon' }]])(
    'takes a token for good for a minute after %j',
    async (said) => {
      const tokens = await startWithTokens({ blobsEach: 100, said })
      await registry.pull()
      expect(tokens.size).toBe(1)
    },
  )

  it('is refused after one new token, and keeps what it got', async () => {
    let isOpen = true
    registry = await standInRegistry(
      async (asked) => {
        if (asked.url.pathname === '/token') return json(asked, { token: 't' })
        if (asked.kind !== 'blob' || asked.name !== registry.layers[3]) return bearerOf(asked) === '' && demand(asked)
        return !isOpen && demand(asked)
      },
      { layers: layers(4) },
    )
    isOpen = false
    await expect(registry.pull()).rejects.toMatchObject({ code: 'registry_denied', retryable: false })
    const asked = () => registry.tried.filter(({ name }) => name === registry.layers[3])
    expect(asked()).toHaveLength(2)
    isOpen = true
    registry.tried.length = 0
    expect(await registry.pull()).toHaveLength(4)
    expect(registry.tried.filter(({ name }) => name === registry.layers[0])).toHaveLength(0)
  })

  it('asks the registry again for a blob whose signed address has expired, before or while it is read', async () => {
    const large = packLayer(tarOf({ a: randomBytes(6 * 2 ** 20) }))
    let signed = 0
    let cut = 0
    registry = await standInRegistry(
      (asked) => {
        const bytes = registry.blobs.get(asked.name)
        if (asked.url.pathname === '/storage') {
          const digest = asked.url.searchParams.get('digest') ?? ''
          const from = Number(/\d+/.exec(asked.request.headers.range ?? '')?.[0] ?? 0)
          const blob = registry.blobs.get(digest) as Buffer
          expect(asked.request.headers.authorization).toBeUndefined()
          // Every second address is void before it is used, the others end after a part.
          if (Number(asked.url.searchParams.get('n')) % 2 === 1) return json(asked, 'AccessDenied', 403)
          cut += 1
          const headers = {
            'content-length': blob.length - from,
            'content-range': `bytes ${from}-${blob.length - 1}/${blob.length}`,
          }
          asked.answer.writeHead(from > 0 ? 206 : 200, headers).write(blob.subarray(from, from + 1.5 * 2 ** 20), () => {
            if (blob.length - from > 1.5 * 2 ** 20) asked.answer.destroy()
            else asked.answer.end()
          })
          return true
        }
        if (asked.kind !== 'blob' || bytes === undefined || bytes.length < 2 ** 20) return false
        signed += 1
        const other = asked.request.headers.host?.replace('127.0.0.1', 'localhost')
        asked.answer.writeHead(307, { location: `http://${other}/storage?digest=${asked.name}&n=${signed}` }).end()
        return true
      },
      { layers: [large], local: ['localhost'] },
    )
    expect(await registry.pull()).toHaveLength(1)
    expect(cut).toBeGreaterThan(3)
  })
})

describe('signing in', () => {
  it('prefers a bearer token where a registry takes a password too', async () => {
    registry = await standInRegistry((asked) => {
      if (asked.url.pathname === '/token') return json(asked, { token: 't' })
      if (bearerOf(asked) === 't') return false
      const realm = `http://${asked.request.headers.host}/token`
      asked.answer.writeHead(401, { 'www-authenticate': [`Basic realm="x"`, `Bearer realm="${realm}"`] }).end()
      return true
    })
    expect(await registry.pull({ account: { username: 'bob', password: 'p' } })).toHaveLength(1)
  })

  it('exchanges an identity token, and goes on with the one that it gets in return', async () => {
    const given: (string | null)[] = []
    registry = await standInRegistry(async (asked) => {
      if (asked.url.pathname !== '/token') return /^t\d$/.test(bearerOf(asked)) ? false : demand(asked)
      const form = new URLSearchParams(await text(asked.request))
      expect(Object.fromEntries(form)).toMatchObject({
        grant_type: 'refresh_token',
        service: 'test',
        scope: 'repository:a/b:pull',
      })
      expect(asked.request.headers.authorization).toBeUndefined()
      given.push(form.get('refresh_token'))
      return json(asked, { access_token: `t${given.length}`, expires_in: 0.001, refresh_token: `next${given.length}` })
    })
    await registry.pull({ account: { username: '<token>', password: 'identity' } })
    expect(given.slice(0, 3)).toEqual(['identity', 'next1', 'next2'])
  })
})

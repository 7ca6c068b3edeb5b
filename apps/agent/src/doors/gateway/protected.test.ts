import { request as httpRequest } from 'node:http'
import { lowerCaseAddress } from '@rackfair/rules/address'
import { freePort } from '@rackfair/testkit'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { setupGateway } from '../../testing/setupGateway.ts'
import { startEchoApp } from '../../testing/startEchoApp.ts'

describe('a protected application', () => {
  let door: Awaited<ReturnType<typeof setupGateway>>
  let app: Awaited<ReturnType<typeof startEchoApp>>

  beforeAll(async () => {
    app = await startEchoApp()
    door = await setupGateway({ ownPorts: true })
    door.put(5n, { appPort: app.port, access: 'owner' })
  })
  afterAll(async () => {
    await door.close()
    await app.close()
  })

  it('opens for the wallet that owns the order, once per signature, for twelve hours', async () => {
    const cookie = await door.enter(5n)
    const page = (headers: Record<string, string>) => fetch(`${door.originOf(5n)}/secret`, { headers })
    expect((await page({ cookie })).status).toBe(401)
    expect((await fetch(`${door.originOf(5n)}/secret`, { method: 'POST', headers: { cookie } })).status).toBe(401)
    const stranger = await door.signIn(5n, cookie, privateKeyToAccount(generatePrivateKey()))
    expect(stranger.status).toBe(403)
    const session = await door.signIn(5n, cookie)
    expect(session.status).toBe(200)
    expect((await page(session.headers)).status).toBe(200)
    expect((await session.again()).status).toBe(400)
    door.clock.offset = 12 * 3600 + 1
    expect((await page(session.headers)).status).toBe(401)
    door.clock.offset = 0
    door.put(5n, { appPort: app.port, access: 'owner', user: lowerCaseAddress('0x0000000000000000000000000000000000000002') })
    expect((await page(session.headers)).status).toBe(401)
    door.put(5n, { appPort: app.port, access: 'owner' })
  })

  it('refuses WebSockets from other sites', async () => {
    const { headers: session } = await door.signIn(5n, await door.enter(5n))
    const open = (headers: Record<string, string>) => opens(door.originOf(5n), headers)
    expect(await open({ ...session, origin: door.originOf(5n) })).toBe('open')
    expect(await open({ ...session, origin: 'http://evil.example' })).toContain('403')
    expect(await open({ origin: door.originOf(5n), cookie: await door.enter(5n) })).toContain('401')
  })

  it('allows navigation by link, but no cross-origin requests with the owner’s cookies', async () => {
    const { headers: session } = await door.signIn(5n, await door.enter(5n))
    const ask = (headers: Record<string, string>, method = 'GET') =>
      new Promise<number | undefined>((resolve, reject) => {
        const asked = httpRequest(`${door.originOf(5n)}/secret`, { method, headers: { ...session, ...headers } }, (answer) => {
          answer.resume()
          resolve(answer.statusCode)
        })
        asked.on('error', reject)
        asked.end()
      })
    const neighbour = { 'sec-fetch-site': 'same-site' }
    expect(await ask({ ...neighbour, 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' })).toBe(200)
    expect(await ask({ ...neighbour, 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' })).toBe(403)
    expect(await ask({ ...neighbour, 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'script' })).toBe(403)
    expect(await ask({ origin: door.origin }, 'POST')).toBe(403)
    expect(await ask({ origin: door.originOf(5n), 'sec-fetch-site': 'same-origin' }, 'POST')).toBe(200)
  })

  it('is embedded and read by its own origin only, whatever headers it sends', async () => {
    const { headers: session } = await door.signIn(5n, await door.enter(5n))
    const rules = async (own: Record<string, string>) => {
      app.headers = own
      const { headers } = await fetch(door.originOf(5n), { headers: session })
      app.headers = {}
      return [headers.get('content-security-policy'), headers.get('cross-origin-resource-policy')]
    }
    expect(await rules({})).toEqual(["frame-ancestors 'self'", 'same-origin'])
    expect(await rules({ 'x-frame-options': 'DENY' })).toEqual(["frame-ancestors 'none'", 'same-origin'])
    const loose = {
      'content-security-policy': "img-src 'self'; frame-ancestors *",
      'cross-origin-resource-policy': 'cross-origin',
    }
    expect(await rules(loose)).toEqual(["img-src 'self'; frame-ancestors *, frame-ancestors 'self'", 'same-origin'])
    door.put(1n, { appPort: app.port })
    const cookies = { cookie: await door.enter(1n) }
    expect((await fetch(door.originOf(1n), { headers: cookies })).headers.has('cross-origin-resource-policy')).toBe(false)
  })

  it('binds sign-in and session to its own host name', async () => {
    const at = (host: string, path: string, headers: Record<string, string> = {}, body = '') =>
      new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
        const options = { method: body ? 'POST' : 'GET', headers: { host, ...headers } }
        const asked = httpRequest(`${door.originOf(5n)}${path}`, options, async (answer) =>
          resolve({ status: answer.statusCode, text: String(await answer.toArray()) }),
        )
        asked.on('error', reject).end(body)
      })
    const { headers: session, body } = await door.signIn(5n, await door.enter(5n))
    const { host, port } = new URL(door.originOf(5n))
    expect((await at(host, '/secret', session)).status).toBe(200)
    const evil = 'evil.example:7070'
    const page = await at(evil, '/secret', session)
    expect([page.status, page.text.includes('data-text'), page.text.includes('Nothing was opened')]).toEqual([421, false, true])
    expect((await at(evil, '/', { 'accept-language': 'zh' })).text).toContain('这不是此机器的地址')
    expect((await at(evil, '/.rackfair/sign-in', { origin: `http://${evil}` }, body)).status).toBe(421)
    expect((await at(evil, `/?OrderId=5&UserAddress=${door.owner.address}`)).status).toBe(421)
    expect(await opens(`http://127.0.0.1:${port}`, { ...session, host: evil, origin: `http://${evil}` })).toContain('421')
    expect((await at(`localhost:${port}`, '/secret', session)).status).toBe(401)
    expect((await at(evil, '/healthz')).status).toBe(200)
  })

  it('is refused on an origin shared by tenants', async () => {
    const shared = await setupGateway()
    shared.put(5n, { appPort: app.port, access: 'owner' })
    const cookie = await shared.enter(5n)
    const page = await fetch(`${shared.origin}/`, { headers: { cookie } })
    expect([page.status, (await page.text()).includes('address of their own')]).toEqual([403, true])
    await shared.close()
  })

  it('links the owner of an application without a page to its terminal, where there is one', async () => {
    const MEFS_USER = 7
    door.put(4n, { deployId: MEFS_USER, appPort: await freePort() })
    const { headers: session } = await door.signIn(4n, await door.enter(4n))
    const page = await fetch(`${door.originOf(4n)}/`, { headers: session })
    expect([page.status, (await page.text()).includes('href="/.rackfair/shell"')]).toEqual([503, true])
    const shell = await fetch(`${door.originOf(4n)}/.rackfair/shell`, { headers: session })
    expect([shell.status, (await shell.text()).includes('/.rackfair/terminal.js')]).toEqual([200, true])
    expect((await fetch(`${door.originOf(4n)}/.rackfair/shell`, { headers: { cookie: await door.enter(4n) } })).status).toBe(401)
    door.put(1n, { appPort: app.port })
    expect((await fetch(`${door.originOf(1n)}/.rackfair/shell`, { headers: { cookie: await door.enter(1n) } })).status).toBe(404)
  })
})

/** The outcome of a WebSocket connection. */
function opens(origin: string, headers: Record<string, string>): Promise<string> {
  return new Promise((resolve) => {
    const socket = new WebSocket(`${origin.replace('http', 'ws')}/echo`, { headers })
    socket.once('open', () => {
      socket.terminate()
      resolve('open')
    })
    socket.once('error', (error) => resolve(error.message))
  })
}

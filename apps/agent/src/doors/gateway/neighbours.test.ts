import { existsSync } from 'node:fs'
import { createServer, request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { CHROMIUM, CHROMIUM_LAUNCH, openPage } from '@rackfair/testkit'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { makeTicket, makeWorkspaceKey } from '../../testing/makeTicket.ts'
import { setupGateway } from '../../testing/setupGateway.ts'
import { startEchoApp } from '../../testing/startEchoApp.ts'

const OWNED = 5n
const NEIGHBOUR = 1n
const reason = existsSync(CHROMIUM) ? undefined : `there is no ${CHROMIUM}`

/** For a name that is not loopback, without TLS, browsers send no `Sec-Fetch-Site`, and send cookies to neighbouring ports in any case. */
describe.skipIf(reason).each(['node.example', '127.0.0.1'])(
  `beside a protected application at %s (${reason ?? 'here'})`,
  (host) => {
    let door: Awaited<ReturnType<typeof setupGateway>>
    let app: Awaited<ReturnType<typeof startEchoApp>>
    let browser: Browser
    let page: Page
    let owned: string
    let neighbour: string
    /** What reached a port that a tenant owns, without the gateway. */
    const received: IncomingHttpHeaders[] = []
    const tenant = createServer(({ headers }, response) => {
      received.push(headers)
      const names = ['rackfair_owner_5', '__Host-rackfair_owner_5', 'rackfair_visit']
      response.writeHead(200, { 'content-type': 'text/html', 'set-cookie': names.map((name) => `${name}=planted; Path=/`) }).end()
    })

    beforeAll(async () => {
      await new Promise<void>((resolve) => tenant.listen(0, '127.0.0.1', resolve))
      app = await startEchoApp()
      door = await setupGateway({ ownPorts: true, config: { publicHost: 'node.example' } })
      door.put(OWNED, { appPort: app.port, access: 'owner' })
      door.put(NEIGHBOUR, { appPort: app.port })
      const args = [...CHROMIUM_LAUNCH.args, '--host-resolver-rules=MAP node.example 127.0.0.1']
      browser = await chromium.launch({ ...CHROMIUM_LAUNCH, args })
      neighbour = await originOf(NEIGHBOUR)
      owned = await originOf(OWNED)
    })
    beforeEach(async () => {
      page = await (await browser.newContext()).newPage()
      await visit()
    })
    afterAll(async () => {
      await browser?.close()
      await door?.close()
      await app?.close()
      tenant.closeAllConnections()
      tenant.close()
    })

    /** Opens the application as *Visit* does. */
    const visit = async () => {
      const gateway = `http://${host}:${door.port}`
      const facts = { orderId: OWNED, provider: door.provider, gateway, chainId: 2985, site: door.market }
      const ticket = await makeTicket(await makeWorkspaceKey(door.owner, facts))
      const link = `${gateway}/.rackfair/open#${Buffer.from(JSON.stringify(ticket)).toString('base64url')}`
      await openPage(page, link)
      await page.waitForURL(`${owned}/`)
      expect(await page.locator('body').textContent()).toContain('"url":"/"')
    }
    const load = (tag: string, url: string) => page.evaluate(`(${LOAD})(${JSON.stringify(tag)}, ${JSON.stringify(url)})`)

    it('pages can neither load nor embed it, even in the owner’s browser', async () => {
      expect(await load('script', `${owned}/secret`)).toBe('load')
      await openPage(page, neighbour)
      expect(await load('script', `${owned}/secret`)).toBe('error')
      await load('iframe', `${owned}/secret`)
      await expect.poll(() => page.frames().length).toBe(2)
      expect(await page.frames()[1]?.content()).not.toContain('"url":"/secret"')
    })

    it('ports of tenants receive nothing that opens it, and the application nothing of the session', async () => {
      const port = `http://${host}:${(tenant.address() as AddressInfo).port}`
      received.length = 0
      await load('img', `${port}/from-the-application.png`)
      await openPage(page, neighbour)
      await load('img', `${port}/from-a-neighbour.png`)
      await openPage(page, `${port}/by-link`)
      expect(received.length).toBeGreaterThanOrEqual(3)
      for (const { cookie = '', authorization } of received)
        expect([await replay({ cookie }), authorization]).toEqual([401, undefined])
      expect(JSON.stringify(received)).not.toMatch(/rackfair\.\d/)
      await openPage(page, `${owned}/secret`)
      expect(JSON.parse((await page.locator('body').textContent()) ?? '')).toEqual({ url: '/secret' })
    })

    it('planted cookies neither lock the owner out nor reach the application', async () => {
      await openPage(page, `http://${host}:${(tenant.address() as AddressInfo).port}/`)
      await page.evaluate(`document.cookie = 'rackfair_owner_5=again; Path=/secret'; document.cookie = 'mine=1; Path=/'`)
      expect((await openPage(page, `${owned}/secret`))?.status()).toBe(200)
      expect(JSON.parse((await page.locator('body').textContent()) ?? '').cookie).toBe('mine=1')
    })

    it('whatever the application answers, everything that its page loads comes with the session', async () => {
      app.status = 401
      app.headers = { 'www-authenticate': 'Basic realm="the application"' }
      expect(await page.evaluate(`fetch('/who').then(({ status }) => status)`)).toBe(403)
      app.status = 200
      app.headers = {}
      const statuses = page.evaluate(`Promise.all(['/a', '/deep/b'].map((path) => fetch(path).then(({ status }) => status)))`)
      expect(await statuses).toEqual([200, 200])
      expect(await page.evaluate(ECHO)).toBe('said')
      expect(
        await page.evaluate(`fetch('/own', { headers: { authorization: 'Bearer own' } }).then(({ status }) => status)`),
      ).toBe(403)
      expect((await openPage(page, `${owned}/next`))?.status()).toBe(200)
    })

    const originOf = (orderId: bigint) =>
      new Promise<string>((resolve, reject) => {
        const path = `/?OrderId=${orderId}&UserAddress=${door.owner.address}`
        httpRequest({ port: door.port, path, headers: { host: `${host}:${door.port}` } }, (answer) =>
          resolve(new URL(answer.resume().headers.location ?? '').origin),
        )
          .on('error', reject)
          .end()
      })
    /** The status for a stranger with these headers. */
    const replay = (headers: Record<string, string>) =>
      new Promise<number | undefined>((resolve, reject) => {
        const { host: name, port } = new URL(owned)
        httpRequest({ port, path: '/secret', headers: { ...headers, host: name } }, (answer) =>
          resolve(answer.resume().statusCode),
        )
          .on('error', reject)
          .end()
      })
  },
)

/** Has the page load something, and returns the outcome. */
const LOAD = `(tag, src) => new Promise((resolve) => {
  const element = document.createElement(tag)
  element.onload = () => resolve('load')
  element.onerror = () => resolve('error')
  element.src = src
  document.body.append(element)
})`
const ECHO = `new Promise((resolve) => {
  const socket = new WebSocket(location.origin.replace('http', 'ws') + '/echo')
  socket.onopen = () => socket.send('said')
  socket.onmessage = ({ data }) => resolve(data)
  socket.onerror = () => resolve('error')
})`

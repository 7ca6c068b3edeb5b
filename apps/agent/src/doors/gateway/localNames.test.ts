import { existsSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { CHROMIUM, CHROMIUM_LAUNCH, openPage } from '@rackfair/testkit'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { makeTicket, makeWorkspaceKey } from '../../testing/makeTicket.ts'
import { setupGateway } from '../../testing/setupGateway.ts'

const reason = existsSync(CHROMIUM) ? undefined : `there is no ${CHROMIUM}`
const [FIRST, SECOND, OWNED] = [1n, 2n, 3n]
const INSTANCE = 'a1b2c3'

describe.skipIf(reason)(`orders of a market on this machine, in a browser (${reason ?? 'here'})`, () => {
  let door: Awaited<ReturnType<typeof setupGateway>>
  let browser: Browser
  let page: Page
  /** What reached an application, and a port of a tenant. */
  const asked: IncomingMessage[] = []
  const app = createServer((request, response) => {
    asked.push(request)
    const cookies = ['session=of-this-order; Path=/', 'shared=1; Path=/; Domain=localhost']
    response.writeHead(200, { 'content-type': 'text/html', 'set-cookie': cookies }).end('<title>application</title>')
  })

  beforeAll(async () => {
    await new Promise<void>((resolve) => app.listen(0, '127.0.0.1', resolve))
    const { port: appPort } = app.address() as AddressInfo
    door = await setupGateway({ ownPorts: true, localInstance: INSTANCE })
    for (const orderId of [FIRST, SECOND]) door.put(orderId, { appPort })
    door.put(OWNED, { appPort, access: 'owner' })
    browser = await chromium.launch(CHROMIUM_LAUNCH)
  })
  beforeEach(async () => {
    page = await (await browser.newContext()).newPage()
    asked.length = 0
  })
  afterAll(async () => {
    await browser?.close()
    await door?.close()
    app.closeAllConnections()
    app.close()
  })
  const originOf = (orderId: bigint) => `http://o-${orderId}-${INSTANCE}.localhost:${door.port}`

  it('have a name each, a secure context, and no cookie of another, nor has a port of a tenant', async () => {
    await openPage(page, door.link(FIRST))
    expect(page.url()).toBe(`${originOf(FIRST)}/`)
    expect(await page.evaluate('isSecureContext')).toBe(true)
    await openPage(page, `${originOf(FIRST)}/again`)
    expect(asked.at(-1)?.headers.cookie).toBe('session=of-this-order')
    await page.evaluate(`document.cookie = 'planted=1; Domain=localhost'; document.cookie = 'planted=2; Domain=.localhost'`)
    await openPage(page, door.link(SECOND))
    expect(page.url()).toBe(`${originOf(SECOND)}/`)
    expect(asked.at(-1)?.headers.cookie).toBeUndefined()
    const tenant = `http://127.0.0.1:${(app.address() as AddressInfo).port}/tenant.png`
    await page.evaluate(`new Promise((resolve) => Object.assign(new Image(), { onerror: resolve, src: '${tenant}' }))`)
    await openPage(page, tenant)
    const reached = asked.filter(({ url }) => url === '/tenant.png')
    expect(reached).toHaveLength(2)
    for (const { headers } of reached) expect(headers.cookie ?? '').not.toContain('session')
  })

  it('open by Visit for their owner, whose session no other order gets', async () => {
    const gateway = `http://127.0.0.1:${door.port}`
    const facts = { orderId: OWNED, provider: door.provider, gateway, chainId: 2985, site: door.market }
    const ticket = await makeTicket(await makeWorkspaceKey(door.owner, facts))
    await openPage(page, `${gateway}/.rackfair/open#${Buffer.from(JSON.stringify(ticket)).toString('base64url')}`)
    await page.waitForURL(`${originOf(OWNED)}/`)
    expect(await page.title()).toBe('application')
    await openPage(page, `${originOf(FIRST)}/`)
    const { authorization, cookie } = asked.at(-1)?.headers ?? {}
    expect([authorization, cookie]).toEqual([undefined, undefined])
    const stranger = await (await browser.newContext()).newPage()
    await openPage(stranger, `${originOf(OWNED)}/`)
    expect(await stranger.title()).not.toBe('application')
  })

  it('have a port each for programs and browsers whose system may not know such names', async () => {
    const safari =
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15'
    for (const userAgent of ['node', 'curl/8.5.0', safari]) {
      const entry = await fetch(door.link(FIRST), { redirect: 'manual', headers: { 'user-agent': userAgent } })
      expect(entry.headers.get('location')).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/\.rackfair\/enter\?order=1$/)
    }
  })
})

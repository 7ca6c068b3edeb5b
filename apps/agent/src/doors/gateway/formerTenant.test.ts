import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { CHROMIUM, CHROMIUM_LAUNCH, freePort, openPage } from '@rackfair/testkit'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { setupGateway } from '../../testing/setupGateway.ts'
import { startEchoApp } from '../../testing/startEchoApp.ts'

const FORMER = 1n
const NEXT = 3n
const OWNED = 5n
const FOR_EVER = { 'cache-control': 'public, max-age=31536000, immutable', 'last-modified': 'Fri, 01 Jan 2100 00:00:00 GMT' }
const reason = existsSync(CHROMIUM) ? undefined : `there is no ${CHROMIUM}`

/** A name that is not loopback, without TLS: browsers ignore `Clear-Site-Data` there. */
describe.skipIf(reason)(`what a former tenant of a port left in a browser (${reason ?? 'here'})`, () => {
  let door: Awaited<ReturnType<typeof setupGateway>>
  let next: Awaited<ReturnType<typeof startEchoApp>>
  let browser: Browser
  let page: Page
  const trap = createServer((_, response) => response.writeHead(200, { ...FOR_EVER, 'content-type': 'text/html' }).end('a trap'))

  beforeAll(async () => {
    await new Promise<void>((resolve) => trap.listen(0, '127.0.0.1', resolve))
    next = await startEchoApp()
    const from = await freePort()
    door = await setupGateway({ config: { publicHost: 'node.example', portRange: [from, from + 1] } })
    const args = [...CHROMIUM_LAUNCH.args, '--host-resolver-rules=MAP node.example 127.0.0.1']
    browser = await chromium.launch({ ...CHROMIUM_LAUNCH, args })
    page = await (await browser.newContext()).newPage()
    door.put(FORMER, { appPort: (trap.address() as AddressInfo).port })
    expect(await visit(FORMER)).toContain('a trap')
    trapped = new URL(page.url()).origin
    door.visits.delete(FORMER)
  })
  afterAll(async () => {
    await browser?.close()
    await door?.close()
    await next?.close()
    trap.close()
  })

  let trapped = ''
  const visit = async (order: bigint) => {
    await openPage(page, door.link(order).replace('127.0.0.1', 'node.example'))
    return page.locator('body').textContent()
  }

  it('is not served to visitors of the next tenant, however long it was cached', async () => {
    door.put(NEXT, { appPort: next.port })
    expect(await visit(NEXT)).toContain('"url":"/"')
    expect(new URL(page.url()).origin).toBe(trapped)
    door.visits.delete(NEXT)
  })

  it('is not at the port of a protected application, which was never public', async () => {
    door.put(OWNED, { appPort: next.port, access: 'owner' })
    expect(await visit(OWNED)).toContain('Sign in to')
    expect(new URL(page.url()).origin).not.toBe(trapped)
  })

  it('is left behind when an order changes from a public to a protected application', async () => {
    door.put(OWNED, { appPort: next.port })
    await visit(OWNED)
    const before = page.url()
    door.put(OWNED, { appPort: next.port, access: 'owner' })
    await openPage(page, before)
    expect(await page.locator('body').textContent()).toContain('Sign in to')
    expect(new URL(page.url()).port).not.toBe(new URL(before).port)
  })
})

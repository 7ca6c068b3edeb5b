import { existsSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import { CHROMIUM, CHROMIUM_LAUNCH, openPage } from '@rackfair/testkit'
import { type Browser, chromium } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { GATEWAY_SECRET, setupGateway } from '../testing/setupGateway.ts'
import { startEchoApp } from '../testing/startEchoApp.ts'
import { ownerCookie, signValue } from './cookies.ts'

const OWNED = 5n
const NEIGHBOUR = 1n
const reason = existsSync(CHROMIUM) ? undefined : `there is no ${CHROMIUM}`

/** For a name that is not loopback, without TLS, browsers send no `Sec-Fetch-Site`, and send the owner's cookies to neighbouring ports. */
describe.skipIf(reason)(`a page on the port next to a protected application (${reason ?? 'here'})`, () => {
  let door: Awaited<ReturnType<typeof setupGateway>>
  let app: Awaited<ReturnType<typeof startEchoApp>>
  let browser: Browser

  beforeAll(async () => {
    app = await startEchoApp()
    door = await setupGateway({ ownPorts: true, config: { publicHost: 'node.example' } })
    door.put(OWNED, { appPort: app.port, access: 'owner' })
    door.put(NEIGHBOUR, { appPort: app.port })
    const args = [...CHROMIUM_LAUNCH.args, '--host-resolver-rules=MAP node.example 127.0.0.1']
    browser = await chromium.launch({ ...CHROMIUM_LAUNCH, args })
  })
  afterAll(async () => {
    await browser?.close()
    await door?.close()
    await app?.close()
  })

  it('can neither load nor embed it, even in the owner’s browser', async () => {
    const [owned, neighbour] = [await originOf(OWNED), await originOf(NEIGHBOUR)]
    const context = await browser.newContext()
    const session = `${OWNED}.${door.owner.address.toLowerCase()}.9999999999.${owned}`
    await context.addCookies([{ name: ownerCookie(OWNED), value: signValue(session, GATEWAY_SECRET), url: owned }])
    const page = await context.newPage()
    const end = (tag: string) => page.evaluate(`(${LOAD})(${JSON.stringify(tag)}, ${JSON.stringify(`${owned}/secret`)})`)
    expect((await openPage(page, `${owned}/secret`))?.status()).toBe(200)
    expect(await end('script')).toBe('load')
    await openPage(page, neighbour)
    expect(await end('script')).toBe('error')
    await end('iframe')
    await expect.poll(() => page.frames().map((frame) => frame.url())).toEqual([`${neighbour}/`, 'chrome-error://chromewebdata/'])
  })

  const originOf = (orderId: bigint) =>
    new Promise<string>((resolve, reject) => {
      const path = `/?OrderId=${orderId}&UserAddress=${door.owner.address}`
      httpRequest({ port: door.port, path, headers: { host: `node.example:${door.port}` } }, (answer) =>
        resolve(new URL(answer.resume().headers.location ?? '').origin),
      )
        .on('error', reject)
        .end()
    })
})

/** Has the page load something, and returns the outcome. */
const LOAD = `(tag, src) => new Promise((resolve) => {
  const element = document.createElement(tag)
  element.onload = () => resolve('load')
  element.onerror = () => resolve('error')
  element.src = src
  document.body.append(element)
})`

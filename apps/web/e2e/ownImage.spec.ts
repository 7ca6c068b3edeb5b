import { contractCall } from '@rackfair/sdk'
import { busybox } from '../../agent/src/testing/ownImageBase.ts'
import { startRegistry, type TestRegistry, tarOf, whyNoRegistry } from '../../agent/src/testing/startRegistry.ts'
import { test as base, expect, whyNoAgent } from './agentTest.ts'
import { countClicks } from './countClicks.ts'
import { followLink } from './followLink.ts'
import { isAccessibleInEveryLook } from './isAccessible.ts'
import { marketActor } from './marketActor.ts'
import { paste } from './paste.ts'
import { startRestoredMarket } from './restoredMarket.ts'
import { takePicture, WIDE_AND_PHONE } from './takePicture.ts'

const PORT = '8080'

/** A page that is read from a file, and a database that talks to itself. */
const composeOf = (image: string) => `services:
  web:
    image: ${image}
    ports: ["${PORT}:${PORT}"]
    configs: [{source: page, target: /index.html}]
    depends_on: [db]
  db:
    image: ${image}
    entrypoint: [/bin/sh, -c, "while :; do echo the database waits; busybox sleep 1; done"]
    volumes: ["data:/data"]
configs:
  page: {content: Hello from the file}
volumes:
  data:
`

/** A market whose agent pulls images from a registry next to it, which holds one of a web server. */
const test = base.extend<object, { registry: TestRegistry }>({
  registry: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the parameter to find fixtures
    async ({}, use) => {
      const registry = await startRegistry()
      const program = await busybox()
      const page = Buffer.from('Hello from my own image')
      const tar = tarOf(
        { 'bin/busybox': program, 'bin/sh': program, 'index.html': page },
        { 'bin/busybox': '755', 'bin/sh': '755' },
      )
      const config = { Entrypoint: ['/bin/busybox', 'httpd', '-f', '-p', PORT, '-h', '/'] }
      await registry.push('acme/shop', '1', { layers: [tar], config })
      await use(registry)
      await registry.close()
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  market: [
    async ({ registry }, use) => {
      const market = await startRestoredMarket({ agent: true, agentConfig: { ownImages: { localRegistries: [registry.host] } } })
      await use(market)
      await market.stop()
    },
    { scope: 'worker', timeout: 400_000 },
  ],
})

const reason = whyNoRegistry() ?? whyNoAgent
test.skip(reason !== undefined, reason)

test('takes five clicks from the home page to a pasted compose file with a database, including wallet, faucet and payment', async ({
  page,
  market,
  wallet,
  registry,
}, testInfo) => {
  test.setTimeout(400_000)
  const clicks = await countClicks(page)
  const begun = Date.now()
  await page.goto(market.url)
  await page.getByRole('navigation', { name: 'What you want to run' }).getByRole('link', { name: 'my own image' }).click()
  await page.getByRole('link', { name: /^Buy / }).first().click()
  const asks = page.getByRole('list', { name: 'What your wallet will ask' })
  await expect(asks).toContainText('Deploy your own application')
  const pasted = page.getByRole('textbox', { name: /compose file/ })
  await expect(pasted).toBeVisible()
  await paste(page, composeOf(`${registry.host}/acme/shop:1`))
  await expect(pasted).toHaveValue(/depends_on/)
  await expect(asks).toContainText('Deploy web and db')
  await isAccessibleInEveryLook(page)
  await takePicture(page, '26-own', WIDE_AND_PHONE)
  await page.getByRole('button', { name: 'Create Order: Connect Wallet and pay' }).click({ timeout: 60_000 })
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: wallet.name }).click()
  await dialog.getByRole('button', { name: 'Sign the message' }).click()
  const visit = page.getByRole('main').getByRole('link', { name: /^Visit/ })
  await expect(visit).toBeVisible({ timeout: 120_000 })
  testInfo.annotations.push({ type: 'seconds', description: String((Date.now() - begun) / 1000) })
  expect(clicks()).toBe(5)
  await (await followLink(visit, (tab) => tab.getByText('Hello from the file'))).close()
  const order = new URL(page.url()).searchParams.get('id') ?? ''
  await test.step('shows the log of all services or of one, and terminal and files of each', async () => {
    await page.goto(`${market.url}/orderinfo?id=${order}&tab=logs`)
    await page.getByRole('button', { name: 'Sign once' }).click()
    const log = page.getByRole('log')
    await expect(log).toContainText('the database waits')
    await expect(log.locator('.log-service').getByText('db').first()).toBeVisible()
    await isAccessibleInEveryLook(page)
    await page.getByRole('tab', { name: 'Terminal' }).click()
    const screen = page.locator('.xterm-rows:visible')
    const status = page.getByRole('tabpanel').getByRole('status').filter({ visible: true })
    await expect(status).toContainText('Connected')
    await page.keyboard.type('cat /index.html\n')
    await expect(screen).toContainText('Hello from the file')
    await page.getByRole('combobox', { name: 'Service' }).selectOption('db')
    await expect(screen).not.toContainText('Hello from the file')
    await expect(status).toContainText('Connected')
    await page.keyboard.type('cat /index.html\n')
    await expect(screen).toContainText('Hello from my own image')
    await page.getByRole('tab', { name: 'Files' }).click()
    await expect(page.getByRole('tabpanel')).toContainText('data')
    await page.getByRole('tab', { name: 'Logs' }).click()
    await expect(log).toContainText('the database waits')
    await expect(log.locator('.log-service')).toHaveCount(0)
  })
  const actor = await marketActor(market, wallet.account)
  await actor.send(contractCall(actor.addresses, 'market', 'userCancel', [BigInt(order)]))
})

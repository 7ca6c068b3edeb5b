import { fileURLToPath } from 'node:url'
import { createApi } from '@rackfair/sdk'
import { type Cluster, POD_CIDR, startCluster, visit, whyNoCluster } from '@rackfair/testkit'
import { rootfsFile } from '../../agent/src/runtime/engine/buildImage.ts'
import { recipeOf } from '../../agent/src/runtime/engine/imageRecipe.ts'
import { busybox } from '../../agent/src/testing/ownImageBase.ts'
import { startRegistry, type TestRegistry, tarOf, whyNoRegistry } from '../../agent/src/testing/startRegistry.ts'
import { test as base, expect, whyNoAgent } from './agentTest.ts'
import { buy, type Start } from './buyerTest.ts'
import { followLink } from './followLink.ts'
import { isAccessible } from './isAccessible.ts'
import { pressMore } from './orderMenu.ts'
import { startRestoredMarket } from './restoredMarket.ts'
import { takePicture } from './takePicture.ts'

const folderOf = (path: string) => fileURLToPath(new URL(`../../../${path}`, import.meta.url))
const REGISTRY = 'registry.invalid'
const GIB = 2 ** 30
const DISK_GB = 4
/** Disks for the two pods with which `init` and then the agent test the cluster: their writes must reach a limit. */
const TRIED = { disks: 4, bytes: 2 ** 28 }
const SLOW_MS = 60_000

interface Namespaces {
  items: { metadata: { name: string } }[]
}

/** A market whose provider offers a real single-node cluster that holds the nginx image and pulls images from a registry next to it. */
const test = base.extend<object, { cluster: Cluster; registry: TestRegistry }>({
  registry: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the parameter to find fixtures
    async ({}, use) => {
      const registry = await startRegistry()
      const tar = tarOf({ 'bin/busybox': await busybox(), 'index.html': 'Hello from a port' }, { 'bin/busybox': '755' })
      const Entrypoint = ['/bin/busybox', 'httpd', '-f', '-p', '8080', '-h', '/']
      await registry.push('acme/shop', '1', { layers: [tar], config: { Entrypoint, User: '1000:1000' } })
      await use(registry)
      await registry.close()
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  cluster: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the parameter to find fixtures
    async ({}, use) => {
      const cluster = await startCluster()
      const nginx = recipeOf('localhost/rackfair/nginx', folderOf('presets'))
      if (!nginx) throw new Error('no recipe of nginx')
      const { entrypoint, command, user } = nginx.recipe
      const config = { Entrypoint: entrypoint, Cmd: command, User: user }
      await cluster.addImage(rootfsFile(nginx, folderOf('.rackfair/images')), `${REGISTRY}/rackfair/nginx:latest`, config)
      await cluster.addDisks(TRIED.disks, TRIED.bytes)
      await cluster.addDisks(1, DISK_GB * GIB)
      await use(cluster)
      await cluster.stop()
    },
    { scope: 'worker', timeout: 400_000 },
  ],
  market: [
    async ({ cluster, registry }, use) => {
      const wall = { bridge: 'pods0', subnet: POD_CIDR }
      const kubernetes = { kubeconfig: cluster.kubeconfig.admin, registry: REGISTRY, diskGb: DISK_GB, wall }
      const ownImages = { localRegistries: [registry.host] }
      const market = await startRestoredMarket({ agent: true, agentConfig: { kubernetes, ownImages } })
      await use(market)
      await market.stop()
    },
    { scope: 'worker', timeout: 400_000 },
  ],
})

const reason = whyNoCluster() ?? whyNoRegistry() ?? whyNoAgent
test.skip(reason !== undefined, reason)
test.setTimeout(600_000)

test('lets a renter on a cluster deploy, visit, read logs and usage, type, move a file, clean and reach a port', async ({
  page,
  cluster,
  registry,
  market,
  wallet,
}) => {
  const api = createApi({ baseUrl: market.url })
  await expect.poll(async () => (await api.rack()).slots[0]?.state, { timeout: SLOW_MS }).toBe('idle')
  const provider = (await api.rack()).slots[0]?.cp ?? ''
  await page.addInitScript(() => sessionStorage.setItem('rackfair.asked', '1'))
  const start = { ...{ page, market, wallet, api, node: 1 }, provider: { address: provider } } as unknown as Start
  const id = await buy(start)
  const visitLink = page.getByRole('main').getByRole('link', { name: /^Visit/ })
  const tab = (name: string) => page.goto(`${market.url}/orderinfo?id=${id}&tab=${name}`)
  const status = page.getByRole('tabpanel').getByRole('status').filter({ visible: true })

  const link = await test.step('nginx is deployed, and Visit opens it', async () => {
    await page.goto(`${market.url}/orderdeploy/${id}/`)
    await page.getByRole('button', { name: 'Deploy nginx' }).click()
    await page.getByLabel('Title of the first page').fill('Hello from a cluster')
    await page.getByRole('button', { name: 'Sign and deploy' }).click()
    const steps = page.getByRole('list', { name: 'Progress of the deployment' })
    await expect(steps).toContainText('after your signature', { timeout: 2 * SLOW_MS })
    await isAccessible(page)
    await takePicture(page, 'cluster-running')
    const visited = await followLink(visitLink, (tab) => tab.getByText('Hello from a cluster').first())
    await visited.close()
    return (await visitLink.getAttribute('href')) ?? ''
  })

  await test.step('the log is followed after one signature', async () => {
    await tab('log')
    await page.getByRole('button', { name: 'Sign once' }).click({ timeout: SLOW_MS })
    const log = page.getByRole('log')
    await expect(log).toContainText('Running', { timeout: SLOW_MS })
    await visit(link, '/missing-1')
    await expect(log).toContainText('missing-1', { timeout: SLOW_MS })
    await takePicture(page, 'cluster-log')
  })

  await test.step('usage is drawn next to what was bought', async () => {
    await tab('usage')
    await expect(status).toHaveText('Every 2 s', { timeout: SLOW_MS })
    await expect(page.getByText('1 core', { exact: true })).toBeVisible({ timeout: SLOW_MS })
    const cursor = page.getByRole('slider', { name: 'Time in all charts' })
    const memory = async () => Number(/Memory [^,]*?([\d.]+) GB/.exec((await cursor.getAttribute('aria-valuetext')) ?? '')?.[1])
    await expect.poll(memory, { timeout: SLOW_MS }).toBeGreaterThan(0)
    await takePicture(page, 'cluster-usage')
  })

  await test.step('an uploaded file is served by nginx', async () => {
    await tab('files')
    const chooser = page.waitForEvent('filechooser', { timeout: SLOW_MS })
    // It exists only once the shown folder is known.
    await page.getByRole('button', { name: 'Upload', exact: true }).click({ timeout: SLOW_MS })
    await (await chooser).setFiles({ name: 'hello.txt', mimeType: 'text/plain', buffer: Buffer.from('from the browser') })
    await expect(page.getByRole('table').getByText('hello.txt')).toBeVisible({ timeout: SLOW_MS })
    await expect.poll(async () => (await visit(link, '/hello.txt')).text(), { timeout: SLOW_MS }).toBe('from the browser')
    await takePicture(page, 'cluster-files')
  })

  await test.step('a terminal has the same file', async () => {
    await tab('terminal')
    await expect(status).toContainText('Connected', { timeout: SLOW_MS })
    await page.keyboard.type('cat /srv/www/hello.txt; echo " is $((6 * 7))"\n')
    await expect(page.locator('.xterm-rows:visible')).toContainText('from the browser is 42', { timeout: SLOW_MS })
    await takePicture(page, 'cluster-terminal')
  })

  await test.step('Clean removes all of it, in the cluster too', async () => {
    await pressMore(page, 'Clean')
    await page.getByRole('dialog', { name: 'Clean nginx' }).getByRole('button', { name: 'Delete and clean' }).click()
    await expect(page.getByRole('dialog', { name: 'The machine is clean' })).toBeVisible({ timeout: 2 * SLOW_MS })
    const { body } = await cluster.call('GET', '/api/v1/namespaces')
    expect((body as Namespaces).items.map(({ metadata }) => metadata.name)).not.toContainEqual(
      expect.stringMatching(/^rackfair-/),
    )
  })

  await test.step('an own image is pulled by the cluster, and responds at a port of the provider', async () => {
    await page.goto(`${market.url}/orderdeploy/${id}/`)
    await page.getByRole('link', { name: 'Describe it' }).click()
    const file = { name: 'app.yaml', mimeType: 'application/yaml' }
    const app = `image: ${registry.host}/acme/shop:1\nports:\n  - tcp: 8080\n`
    const chooser = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Open a file' }).click()
    await (await chooser).setFiles({ ...file, buffer: Buffer.from(app) })
    await expect(page.getByRole('textbox', { name: 'Image' })).toHaveValue(`${registry.host}/acme/shop:1`)
    await page.getByRole('button', { name: 'Sign and deploy' }).click()
    const copy = page.getByRole('button', { name: /^Copy .*:\d+$/ })
    await expect(copy).toBeVisible({ timeout: 2 * SLOW_MS })
    await takePicture(page, 'cluster-port')
    const address = (await copy.getAttribute('aria-label'))?.replace('Copy ', '') ?? ''
    const answers = async () => expect(await (await fetch(`http://${address}/index.html`)).text()).toBe('Hello from a port')
    // Unlike a poll, it also asks again where the connection is refused.
    await expect(answers).toPass({ timeout: SLOW_MS })
  })
})

import type { Page } from '@playwright/test'
import { formatDeployText } from '@rackfair/protocol/deployText'
import { PRESET_IDS } from '@rackfair/rules/presets'
import { contractCall } from '@rackfair/sdk'
import { buy, expect, type Start, test } from './buyerTest.ts'
import { isAccessibleInEveryLook } from './isAccessible.ts'
import { pressMore } from './orderMenu.ts'
import { retryUntilGone } from './retryUntilGone.ts'
import { openConnected } from './test.ts'

/** The other tests of this provider expect that nobody takes their deployment. */
test.afterEach(({ provider }) => provider.acceptDeploys(false))

const access = (page: Page) => page.getByRole('region', { name: 'Access' })
const steps = (page: Page) => page.getByRole('list', { name: 'Progress of the deployment' })

/** The page of a started order with nginx being deployed. */
async function deployed(start: Start): Promise<string> {
  const { page, market, provider, api } = start
  const id = await buy(start)
  await provider.send(contractCall(provider.addresses, 'market', 'activate', [BigInt(id)]))
  await expect.poll(async () => (await api.order(id)).activateTime).toBeGreaterThan(0)
  await page.goto(`${market.url}/orderinfo?id=${id}`)
  await expect(access(page)).toContainText('Nothing has been deployed on this order yet.')
  await expect(page.getByRole('main').getByRole('link', { name: 'Deploy' })).toHaveAttribute('href', `/orderdeploy/${id}/`)
  await deploy(start, id)
  // As the agent marks it on the chain: from here on, used time is earned.
  await provider.send(contractCall(provider.addresses, 'market', 'activateWithApp', [BigInt(id), 'nginx']))
  return id
}

async function deploy({ provider, wallet, api }: Start, orderId: string): Promise<void> {
  provider.acceptDeploys()
  const { chainId } = await api.config()
  const text = formatDeployText({
    ...{
      orderId: BigInt(orderId),
      deployId: PRESET_IDS.nginx,
      wallet: wallet.account.address,
      provider: provider.account,
      chainId,
    },
    time: Math.floor(Date.now() / 1000),
  })
  await api.deploy({ text, signature: await wallet.account.signMessage({ message: text }) })
}

test('follows a deployment on the order’s page from request to end, each step with its reason', async ({
  start,
  page,
  provider,
}) => {
  const id = await deployed(start)
  const machine = page.getByRole('heading', { level: 1 })
  await expect(steps(page)).toContainText('Accepted')
  await expect(page.getByRole('main').getByRole('button', { name: 'Deploy' })).toHaveAttribute('aria-disabled', 'true')

  await test.step('the panel fills the window and ends with it, as what stands beside it', async () => {
    await expect(page.getByRole('button', { name: 'Sign once' })).toBeVisible()
    const before = page.viewportSize() ?? { width: 1280, height: 800 }
    const ends = () =>
      page.locator('.order-body > div').evaluateAll((parts) => parts.map((one) => Math.round(one.getBoundingClientRect().bottom)))
    for (const height of [1000, 1300]) {
      await page.setViewportSize({ width: 1280, height })
      await expect.poll(ends).toEqual([height, height])
    }
    await page.setViewportSize(before)
  })

  await test.step('shows a running application on one line, with its steps, its address and Visit', async () => {
    const begin = Date.now()
    provider.report({ phase: 'Creating' }, begin + 200)
    provider.report({ phase: 'Starting' }, begin + 700)
    const localName = `o-${id}-3fa9c1.localhost`
    provider.report({ phase: 'Running' }, begin + 2700, { localName })
    await expect(access(page)).toContainText(/Running in \d+(\.\d)? sec/)
    await expect(access(page)).toContainText('image was there')
    await expect(access(page)).toContainText('first answer 2 sec')
    await expect(steps(page)).toBeHidden()
    await access(page).getByRole('button', { name: 'Steps' }).click()
    await expect(access(page)).toContainText('after your signature')
    await expect(machine).toHaveText('nginx')
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await access(page).getByRole('button', { name: 'Copy' }).click()
    const address = await page.evaluate(() => navigator.clipboard.readText())
    expect(new URL(address).hostname).toBe(localName)
    await expect(page.getByTestId('address')).toHaveText(address)
    await expect(page.getByTestId('reach')).toContainText('On this computer')
    await expect(page.getByRole('main').getByRole('link', { name: /^Visit/ })).toHaveAttribute('href', address)
    await isAccessibleInEveryLook(page)
  })

  await test.step('shows that it stopped responding and cannot be started', async () => {
    provider.report({ phase: 'Degraded', code: 'start_failed', message: 'exit code 137' })
    await expect(access(page)).toContainText('exit code 137')
    provider.report({ phase: 'Failed', code: 'disk_full', message: 'no space left' })
    await expect(access(page)).toContainText('no space left')
    await expect(page.getByRole('main').getByRole('link', { name: 'Deploy' })).toBeVisible()
    await expect(page.getByTestId('address')).toBeHidden()
  })

  await test.step('explains the end of the order, here and among the events', async () => {
    await pressMore(page, 'Cancel…')
    await page.getByRole('button', { name: /^Cancel order, get/ }).click()
    await expect(page.getByText(/^Cancelled by the buyer, .*\.$/)).toBeVisible()
    await expect(page.getByText(/^\$157\.\d+ came back to your wallet\.$/)).toBeVisible()
    await expect(page.getByRole('main').getByRole('link', { name: 'Buy again' })).toBeVisible()
    const events = page.getByRole('tabpanel', { name: /^Events/ })
    for (const sentence of [
      /Created and paid, \$158\.00/,
      /Activated by helios/,
      /nginx: accepted/,
      /nginx answers/,
      /nginx does not answer and is being restarted/,
      /nginx could not be started/,
      /Cancelled by you\. \$157\.\d+ paid back/,
    ])
      await expect(events.getByText(sentence)).toBeVisible()
    const count = await events
      .getByRole('listitem')
      .filter({ has: page.getByText(/reported|^0x/) })
      .count()
    await expect(page.getByRole('tab', { name: /^Events/ })).toHaveText(`Events${count}`)
    await isAccessibleInEveryLook(page)
  })

  await test.step('prints the order without controls', async () => {
    const buyAgain = page.getByRole('main').getByRole('link', { name: 'Buy again' })
    await expect(buyAgain).toBeVisible()
    await page.emulateMedia({ media: 'print' })
    await expect(page.getByRole('tabpanel', { name: /^Events/ }).getByText(/Created and paid/)).toBeVisible()
    for (const part of [page.getByRole('banner'), buyAgain]) await expect(part).toBeHidden()
    await page.emulateMedia({ media: null })
  })

  await test.step('prints the receipt alone, with its number and sums that agree', async () => {
    await page.getByRole('link', { name: 'Receipt' }).click()
    const sheet = page.getByRole('article', { name: `Receipt of order ${id}` })
    await expect(sheet).toContainText(`RF-2985-${id.padStart(6, '0')}`)
    const wei = async (section: string) => {
      const received = sheet.locator('section').filter({ hasText: section }).locator('dd').last()
      return BigInt(((await received.textContent()) ?? '').replace(/\D/g, ''))
    }
    const missing = 158_000_000n - (await wei('To the buyer')) - (await wei('To the provider')) - (await wei('In the contract'))
    // All three are truncated after the sixth digit.
    expect([0n, 1n, 2n]).toContain(missing)
    const check = page.getByRole('region', { name: 'Check of this receipt' })
    await expect(check.getByRole('heading')).toHaveText('Recomputed from chain and evidence: agrees', { timeout: 60_000 })
    await expect(check.getByRole('listitem')).toHaveCount(4)
    await page.getByRole('textbox', { name: 'Company' }).fill('Nordlicht Studio GmbH\nDE 123 456 789')
    await expect(sheet).toContainText('Nordlicht Studio GmbH')
    await isAccessibleInEveryLook(page)
    /** How far the table of all seconds extends beyond the sheet, in px; text has fractional widths. */
    const overhang = () =>
      sheet.evaluate((paper) => {
        const rights = [...paper.querySelectorAll('th, td')].map((cell) => cell.getBoundingClientRect().right)
        return Math.floor(Math.max(...rights) - paper.getBoundingClientRect().right)
      })
    expect(await overhang()).toBeLessThanOrEqual(0)
    await page.emulateMedia({ media: 'print' })
    // A4 portrait, within its margins.
    await page.setViewportSize({ width: 718, height: 1000 })
    await expect(sheet.getByRole('columnheader', { name: 'Evidence' })).toBeVisible()
    expect(await overhang()).toBeLessThanOrEqual(0)
    for (const part of [page.getByRole('banner'), page.getByRole('contentinfo'), page.getByRole('heading', { level: 1 })])
      await expect(part).toBeHidden()
    await page.emulateMedia({ media: null })
  })
})

test('agrees after Clean on page, list and deploy screen, however late the flag on chain is', async ({
  start,
  page,
  market,
  provider,
  api,
  node,
}) => {
  const id = await deployed(start)
  const writeFlag = async (isDeployed: boolean) => {
    const flag = [provider.account, BigInt(node), isDeployed] as const
    await provider.send(contractCall(provider.addresses, 'registry', 'set_avail', flag))
    await expect.poll(async () => (await api.order(id)).deployed).toBe(isDeployed)
  }
  const main = page.getByRole('main')
  const visit = main.getByRole('link', { name: /^Visit/ })
  const agree = async () => {
    await page.goto(`${market.url}/orderinfo?id=${id}`)
    await expect(access(page)).toContainText('Cleaned')
    await expect(visit).toBeHidden()
    await expect(page.getByTestId('address')).toBeHidden()
    await expect(main.getByRole('link', { name: 'Deploy' })).toBeVisible()
    await page.goto(`${market.url}/myspace`)
    const card = page.getByRole('article').filter({ has: page.locator(`a[href*="/orderdeploy/${id}/"]`) })
    await expect(card.getByRole('link', { name: 'Deploy' })).toBeVisible()
    await expect(card.getByRole('link', { name: /^Visit/ })).toBeHidden()
    await page.goto(`${market.url}/orderdeploy/${id}/`)
    await expect(main.getByRole('button', { name: 'Deploy nginx' })).not.toHaveAttribute('aria-disabled', 'true')
  }
  provider.report({ phase: 'Running' })
  await writeFlag(true)
  await expect(visit).toBeVisible()
  await pressMore(page, 'Clean')
  await page.getByRole('button', { name: 'Delete and clean' }).click()
  await expect(access(page)).toContainText('Cleaning')
  await expect(visit).toBeHidden()
  provider.report({ phase: 'Cleaned' })
  await agree()
  expect((await api.order(id)).deployed, 'nothing has been written to the chain').toBe(true)
  await writeFlag(false)
  await agree()
})

test('adds up earnings and refund without layout shifts while they tick', async ({ start, page }) => {
  await deployed(start)
  const money = page.getByRole('region', { name: 'Money' })
  await expect(money).toContainText('Earned by helios')
  const read = () =>
    money.evaluate((region) => {
      const figures = [...region.querySelectorAll('.text-lg')].map((figure) => figure as HTMLElement)
      return figures.map((figure) => ({ text: figure.textContent ?? '', left: figure.getBoundingClientRect().left }))
    })
  const places = new Set<string>()
  const texts = new Set<string>()
  await expect
    .poll(
      async () => {
        const [earned, back, rate] = await read()
        if (!earned || !back || !rate) return 0
        const micros = (text: string) => BigInt(text.replace(/\D/g, ''))
        expect(micros(earned.text) + micros(back.text)).toBe(158_000_000n)
        texts.add(earned.text)
        places.add([earned.left, back.left, rate.left].join(' '))
        return texts.size
      },
      { intervals: [200], timeout: 60_000 },
    )
    .toBeGreaterThan(3)
  expect(places.size).toBe(1)
})

test('keeps the next step at the bottom of a phone’s screen without covering the page', async ({ start, page, provider }) => {
  await deployed(start)
  provider.report({ phase: 'Running' })
  await page.setViewportSize({ width: 360, height: 740 })
  const visit = page.getByRole('main').getByRole('link', { name: /^Visit/ })
  await expect(visit).toBeInViewport()
  const bar = async () => (await visit.locator('..').boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
  const bottom = async () => {
    const { y, height } = await bar()
    return Math.round(y + height)
  }
  await expect.poll(bottom).toBe(740)
  // What comes later makes the page longer.
  await expect(async () => {
    await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight))
    await expect(visit).toBeInViewport()
    const end = await page.getByRole('contentinfo').boundingBox()
    expect((end?.y ?? 0) + (end?.height ?? 0)).toBeLessThanOrEqual((await bar()).y + 1)
  }).toPass({ timeout: 60_000 })
})

test('says what is safe when an order cannot be read, and reads it again', async ({ page, market, wallet, provider, node }) => {
  const id = await provider.sellToOther(BigInt(node))
  await page.route(`**/v1/order/${id}*`, (route) => route.abort())
  await page.route(`**/v1/orders/${id}*`, (route) => route.abort())
  await openConnected(page, wallet, `${market.url}/orderinfo?id=${id}`)
  await expect(page.getByRole('alert')).toContainText('The order could not be read')
  await expect(page.getByRole('alert')).toContainText('not affected')
  await page.unrouteAll()
  await retryUntilGone(page.getByRole('main'), page.getByRole('alert').filter({ hasText: 'The order could not be read' }))
  await expect(page.getByText('This order belongs to somebody else')).toBeVisible()
  await expect(page.getByRole('button', { name: 'More actions' })).toBeHidden()
  await isAccessibleInEveryLook(page)
})

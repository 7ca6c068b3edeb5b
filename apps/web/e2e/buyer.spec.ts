import { contractCall, createApi, readAddresses, readMarket } from '@rackfair/sdk'
import { type Address, createPublicClient, http } from 'viem'
import { connect, expect, test, whyNoAgent } from './agentTest.ts'
import { countClicks } from './countClicks.ts'
import { followLink } from './followLink.ts'
import { marketActor } from './marketActor.ts'
import { pressMore } from './orderMenu.ts'
import { ALL_WIDTHS, takePicture } from './takePicture.ts'

test.skip(whyNoAgent !== undefined, whyNoAgent)

test('lets a buyer find a machine, pay, deploy nginx, visit it, clean and get the rest back', async ({
  page,
  market,
  wallet,
}) => {
  test.setTimeout(400_000)
  const api = createApi({ baseUrl: market.url })
  const { access } = await api.config()
  const reader = createPublicClient({ transport: http(market.rpcUrl), cacheTime: 0 })
  const addresses = await readAddresses(reader, access as Address)
  const credit = () => readMarket(reader, addresses, 'credit', 'balanceOf', [wallet.account.address])

  await test.step('the home page finds two idle machines', async () => {
    await page.goto(market.url)
    await expect(page.getByRole('button', { name: 'See 2 free machines' })).toBeVisible()
  })

  await test.step('the node list shows two nodes of this machine, Online and Idling', async () => {
    await page.goto(`${market.url}/nodelist`)
    await connect(page, wallet)
    const nodes = page.getByRole('link', { name: /^Buy / })
    await expect(nodes).toHaveCount(2)
    await expect(page.getByRole('cell', { name: 'Online', exact: true })).toHaveCount(2)
    await expect(page.getByRole('cell', { name: 'Idling', exact: true })).toHaveCount(2)
  })

  await test.step('the faucet gives Credit and gas', async () => {
    await page.getByRole('button', { name: /^Account/ }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Get test Credit and gas' }).click()
    await expect(page.getByText('Credit and gas have arrived.')).toBeVisible()
    await takePicture(page, '3-faucet')
    await page.keyboard.press('Escape')
  })

  const paid = await test.step('the purchase shows fee and balance, and takes one signature', async () => {
    await page.getByRole('link', { name: /^Buy / }).first().click()
    await page.getByRole('textbox', { name: 'Duration' }).fill('2')
    const create = page.getByRole('button', { name: 'Create Order' })
    await expect(create).not.toHaveAttribute('aria-disabled', 'true')
    await expect(page.getByText('Left after')).toBeVisible()
    await page.evaluate(() => window.scrollTo(0, 0))
    await takePicture(page, '4-purchase', ALL_WIDTHS)
    const before = await credit()
    await create.click()
    const success = page.getByRole('dialog', { name: 'Create Order Submit Success' })
    await expect(success).toBeVisible()
    await takePicture(page, '5-created', ALL_WIDTHS)
    await success.getByRole('button', { name: 'Go to My orders' }).click()
    return before - (await credit())
  })
  expect(paid).toBeGreaterThan(0n)

  const card = page.getByRole('article').first()
  const orderId = await test.step('the order is under My orders', async () => {
    await expect(card).toContainText('Ready to deploy')
    await takePicture(page, '6-orders', ALL_WIDTHS)
    return (await card.getAttribute('data-order')) ?? ''
  })

  await test.step('nginx is deployed with a page title of the buyer', async () => {
    await card.getByRole('link', { name: 'Deploy' }).click()
    const deploy = page.getByRole('button', { name: 'Deploy nginx' })
    await expect(page.getByRole('button', { name: 'Deploy Stable Diffusion' })).toHaveAttribute('aria-disabled', 'true')
    await takePicture(page, '7-catalogue', ALL_WIDTHS)
    await deploy.click()
    await page.getByLabel('Title of the first page').fill('Hello from my order')
    await page.getByRole('button', { name: 'Sign and deploy' }).click()
    await expect(deploy).toHaveAttribute('aria-disabled', 'true')
    await expect(page.getByRole('region', { name: 'Notifications' })).toContainText('Please wait for the deployment to complete')
    const steps = page.getByRole('list', { name: 'Progress of the deployment' })
    await expect(steps).toContainText('Running', { timeout: 120_000 })
    await expect(steps).toContainText('after your signature', { timeout: 120_000 })
    await takePicture(page, '8-running')
  })

  await test.step('Visit opens the page through the gateway', async () => {
    const link = page.getByRole('main').getByRole('link', { name: /^Visit/ })
    await expect(link).toHaveAttribute('href', new RegExp(`^http://o-${orderId}-[0-9a-f]{6}\\.localhost:\\d+/$`))
    const visit = await followLink(link, (tab) => tab.getByText('Hello from my order').first())
    await takePicture(visit, '9-visit')
    await visit.close()
  })

  await test.step('the order runs and is marked deployed', async () => {
    await page.goto(`${market.url}/orderinfo?id=${orderId}&tab=events`)
    await expect(page.getByText('Deployed', { exact: true })).toBeVisible()
    await expect(page.getByText(/^Activated by/)).toBeVisible()
    await expect(page.getByText('Application set to nginx')).toBeVisible()
    await takePicture(page, '10-order', ALL_WIDTHS)
  })

  await test.step('Clean names what it deletes and removes it', async () => {
    await pressMore(page, 'Clean')
    const dialog = page.getByRole('dialog', { name: 'Clean nginx' })
    await expect(dialog).toContainText('This is deleted for good')
    await takePicture(page, '11-clean')
    await dialog.getByRole('button', { name: 'Delete and clean' }).click()
    const done = page.getByRole('dialog', { name: 'The machine is clean' })
    await expect(done).toBeVisible({ timeout: 60_000 })
    await done.getByRole('button', { name: 'Close', exact: true }).last().click()
    await expect(page.getByText('Deployed', { exact: true })).toBeHidden()
    await expect(page.getByText('Application removed')).toHaveCount(1)
    await expect(page.getByRole('region', { name: 'Access' })).toContainText('Cleaned')
  })

  await test.step('Cancel refunds what the contract quoted', async () => {
    await pressMore(page, 'Cancel…')
    const dialog = page.getByRole('dialog', { name: `Cancel order ${orderId}` })
    await expect(dialog.getByTestId('refund')).toHaveText(/^\$/)
    await takePicture(page, '12-cancel', ALL_WIDTHS)
    const before = await credit()
    await dialog.getByRole('button', { name: /^Cancel order, get/ }).click()
    await expect(page.getByText(`Order ${orderId} is cancelled`)).toBeVisible()
    const back = (await credit()) - before
    expect(back).toBeGreaterThan((paid * 99n) / 100n)
    await expect.poll(async () => BigInt((await api.order(orderId)).refunded)).toBe(back)
    await page.goto(`${market.url}/myspace?show=ended`)
    await expect(page.getByRole('article').first()).toContainText('Back to you')
    await page.goto(`${market.url}/orderinfo?id=${orderId}&view=receipt`)
    await expect(page.getByRole('article', { name: `Receipt of order ${orderId}` })).toBeVisible()
    await takePicture(page, '16-receipt', ALL_WIDTHS)
  })
})

test('takes five clicks from the home page to a running nginx, including wallet, faucet and payment', async ({
  page,
  market,
  wallet,
}, testInfo) => {
  test.setTimeout(400_000)
  const clicks = await countClicks(page)
  const begun = Date.now()
  await page.goto(market.url)
  await page.getByRole('navigation', { name: 'What you want to run' }).getByRole('link', { name: 'nginx' }).click()
  const buy = page.getByRole('link', { name: /^Buy / }).first()
  await expect(buy).toBeVisible()
  expect(clicks()).toBe(1)
  await buy.click()
  const pay = page.getByRole('button', { name: 'Create Order: Connect Wallet and pay' })
  await expect(pay).not.toHaveAttribute('aria-disabled', 'true', { timeout: 60_000 })
  // An hour and its price, before anything is asked of the wallet.
  await expect(page.getByRole('textbox', { name: 'Duration' })).toHaveValue('1')
  await expect(page.getByTestId('fee')).toHaveText(/^\$0\.\d+$/)
  const dialog = page.getByRole('dialog')
  await expect(dialog).toHaveCount(0)
  expect(wallet.asked.filter((method) => /request|sign|send/i.test(method))).toEqual([])
  await page.evaluate(() => window.scrollTo(0, 0))
  await takePicture(page, '15-checkout', ALL_WIDTHS)
  await pay.click()
  await dialog.getByRole('button', { name: wallet.name }).click()
  await dialog.getByRole('button', { name: 'Sign the message' }).click()
  await expect(page).toHaveURL(/\/orderinfo\?id=\d+$/, { timeout: 60_000 })
  await expect(page.getByRole('main').getByRole('link', { name: /^Visit/ })).toBeVisible({ timeout: 120_000 })
  testInfo.annotations.push({ type: 'seconds', description: String((Date.now() - begun) / 1000) })
  expect(clicks()).toBe(5)
  const order = new URL(page.url()).searchParams.get('id') ?? ''
  const actor = await marketActor(market, wallet.account)
  await actor.send(contractCall(actor.addresses, 'market', 'userCancel', [BigInt(order)]))
})

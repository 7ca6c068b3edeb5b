import { accruedWei } from '@rackfair/rules/prices/pricing'
import { contractCall, readMarket } from '@rackfair/sdk'
import { publishMarket, reportDowntime } from '@rackfair/testkit'
import { getBlock } from 'viem/actions'
import { buy, create, creditOf, expect, purchaseUrl, success, test, unfold } from './buyerTest.ts'
import { isAccessibleInEveryLook } from './isAccessible.ts'
import { passTime } from './passTime.ts'
import { startTestProvider } from './TestProvider.ts'
import { takePicture } from './takePicture.ts'

const HOUR = 3600
const DAY = 24 * HOUR

/** The test moves this chain's clock, so the file has its own market. */
test.use({ machines: 3 })

test('lets anyone close an order whose machine went away or never started, paid out of the pledge', async ({
  page,
  market,
  wallet,
  api,
}) => {
  const provider = await startTestProvider(market, 'atlas', 3)
  const start = { page, market, provider, wallet, api }
  const away = await buy({ ...start, node: 1 })
  await page.goto(purchaseUrl({ ...start, node: 2 }))
  // The refund is shown before anything is signed.
  await unfold(page)
  for (const back of [/^\$157\.7\d$/, /^\$152\.7\d$/, /^\$121\.1\d$/])
    await expect(page.getByRole('definition').filter({ hasText: back })).toBeVisible()
  await expect(page.getByText('beyond 0.5% of the order’s time so far it is paid to you once more')).toBeVisible()
  await create(page).click()
  await success(page).getByRole('button', { name: 'Go to My orders' }).click()
  const missed = String(Number(away) + 1)
  await page.goto(purchaseUrl({ ...start, node: 3 }))
  await create(page).click()
  await success(page).getByRole('button', { name: 'Go to My orders' }).click()
  const kept = String(Number(away) + 2)
  await provider.send(contractCall(provider.addresses, 'market', 'activate', [BigInt(kept)]))
  await provider.send(contractCall(provider.addresses, 'market', 'activateWithApp', [BigInt(away), 'nginx']))
  const { activateTime } = await readMarket(provider.reader, provider.addresses, 'market', 'getOrder', [BigInt(away)])
  provider.stop()
  const chain = { rpcUrl: market.rpcUrl, chainId: 2985, access: provider.addresses.access }
  /** Reports all time since `from`, in seconds of the order, as downtime. */
  const report = async (from?: number) => {
    const asOf = Number((await getBlock(provider.reader)).timestamp)
    const served = asOf - activateTime
    await reportDowntime(chain, { orderId: BigInt(away), totalSeconds: from === undefined ? 0 : served - from, asOf })
    return served
  }
  const orderPage = (id: string) => `${market.url}/orderinfo?id=${id}`
  const closes = async (id: string, back: RegExp) => {
    await page.getByRole('button', { name: /^Close, get/ }).click()
    const dialog = page.getByRole('dialog', { name: `Close order ${id}` })
    await expect(dialog.getByTestId('refund')).toHaveText(back)
    await isAccessibleInEveryLook(page)
    if (id === away) await takePicture(page, '18-away')
    const before = await creditOf(provider, wallet)
    await dialog.getByRole('button', { name: /^Close the order, get/ }).click()
    await expect(page.getByText(`Order ${id} is closed`)).toBeVisible()
    await expect.poll(async () => (await api.order(id)).status).toBe(5)
    const { refunded, compensated } = await api.order(id)
    return { got: (await creditOf(provider, wallet)) - before, refunded: BigInt(refunded), compensated: BigInt(compensated) }
  }

  await passTime(page, market, HOUR)
  const up = await report()
  await test.step('the refund of downtime', async () => {
    for (let reports = 0; reports < 2; reports += 1) {
      await passTime(page, market, 8 * HOUR + 60)
      await report(up)
    }
    await expect.poll(async () => (await api.order(away)).compensated).not.toBe('0')
    await page.goto(orderPage(away))
    await expect(page.getByText(/^Down for 16h 2m: .* is not charged$/)).toBeVisible()
    await expect(
      page.getByText(
        /Downtime of up to 0\.5% of the order’s time, 5m.* so far, is simply not charged.* has been paid\. .* follows when it is final\./,
      ),
    ).toBeVisible()
    await expect(page.getByText('What was locked beyond that has been paid to you for downtime.')).toBeVisible()
    await takePicture(page, '17-downtime')
  })

  await test.step('a whole day away: closed as of its first second', async () => {
    await passTime(page, market, 8 * HOUR + 60)
    await report(up)
    await expect.poll(async () => (await api.order(away)).down).toBeGreaterThan(DAY)
    const paidBefore = BigInt((await api.order(away)).compensated)
    await page.goto(orderPage(away))
    await expect(page.getByText(/^The machine has been away since .* for a whole day without a break\.$/)).toBeVisible()
    const { got, refunded, compensated } = await closes(away, /^\$159\./)
    expect(got).toBe(refunded + compensated - paidBefore)
    // One day of the price in total, including what was paid before.
    expect(compensated).toBe(accruedWei(BigInt((await api.order(away)).rate), BigInt(DAY)))
    await expect(page.getByText(/^Cancelled by the provider, /)).toBeVisible()
  })

  await test.step('a missed start: a full refund plus the price of an hour', async () => {
    await page.goto(orderPage(missed))
    await expect(page.getByText('The provider did not start this order in time.')).toBeVisible()
    const { got, refunded, compensated } = await closes(missed, /^\$158\.2\d/)
    const { rate, totalValue } = await api.order(missed)
    expect(refunded).toBe(BigInt(totalValue))
    expect(compensated).toBe(accruedWei(BigInt(rate), HOUR))
    expect(got).toBe(refunded + compensated)
  })

  await test.step('an order of an earlier version moves to the current one', async () => {
    await page.goto(orderPage(kept))
    await expect(page.getByText('Activated by atlas. Time and money start')).toBeVisible()
    await expect(page.getByText('The market has a new version.')).toBeHidden()
    await publishMarket(chain)
    await page.reload()
    await page.getByRole('button', { name: 'Move…' }).click()
    const dialog = page.getByRole('dialog', { name: `Move order ${kept} to the new version` })
    await expect(dialog).toContainText('Machine, prices and end stay.')
    await isAccessibleInEveryLook(page)
    await dialog.getByRole('button', { name: 'Move the order' }).click()
    await expect(page.getByText(new RegExp(`^Order ${kept} continues as order `))).toBeVisible()
    await expect(page.getByText(`Continues order ${kept} of an earlier version of the market`)).toBeVisible()
    const id = new URL(page.url()).searchParams.get('id') ?? ''
    const [before, after] = [await api.order(kept), await api.order(id)]
    expect(after).toMatchObject({ status: 2, rate: before.rate, user: before.user, UserConfirm: true })
    expect(after.activateTime + after.duration).toBe(before.activateTime + before.duration)
  })
})

import { maintenanceMonth } from '@rackfair/rules/uptime/maintenance'
import type { ContractCall } from '@rackfair/sdk'
import { announceMaintenance, type MonitorsContract, readMonitors } from '@rackfair/sdk/uptime'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { getBlock } from 'viem/actions'
import { suggestedTimes } from '../src/features/provider-maintenance/maintenanceTimes.ts'
import { isAccessibleInEveryLook } from './isAccessible.ts'
import { marketActor } from './marketActor.ts'
import { retryUntilGone } from './retryUntilGone.ts'
import { choose, expect, openConnected, test } from './test.ts'

const MINUTE = 60_000
/** On the local chain, the time of a month allows 320 seconds for each machine. */
const MONTH = 90 * 320_000

test('announces maintenance that buyers see, and withdraws it in time', async ({ page, market, wallet }) => {
  const provider = await marketActor(market, wallet.account)
  await provider.becomeProvider('clio', { nodes: 2 })
  await openConnected(page, wallet, `${market.url}/providerinfo`)
  const card = page.getByRole('region', { name: 'Maintenance', exact: true })
  await expect(card).toContainText('Nothing is announced.')

  await card.getByRole('button', { name: 'Announce' }).click()
  const dialog = page.getByRole('dialog', { name: 'Announce maintenance' })
  const from = dialog.getByLabel('From')
  const until = dialog.getByLabel('Until')
  const announce = dialog.getByRole('button', { name: 'Announce' })
  const suggested = await from.inputValue()
  await isAccessibleInEveryLook(page)

  await from.fill(later(suggested, -20 * MINUTE))
  await until.fill(suggested)
  await announce.click()
  await expect(dialog).toContainText('A machine may be announced for at most 5m 20s')
  await until.fill(later(suggested, -18 * MINUTE))
  await expect(dialog).toContainText('Maintenance is announced at least 16 minutes ahead: not before')
  const start = withinMonth(later(suggested, 10 * MINUTE))
  await from.fill(start)
  await until.fill(later(start, 2 * MINUTE))
  await choose(dialog.getByRole('checkbox', { name: 'clio-2' }), { to: false })
  await choose(dialog.getByRole('checkbox', { name: 'clio-1' }), { to: false })
  await expect(dialog).toContainText('Choose at least one machine.')
  await choose(dialog.getByRole('checkbox', { name: 'clio-1' }))
  await announce.press('Enter')
  await expect(dialog).toBeHidden()
  await expect(card.getByRole('listitem')).toContainText(/[23]m.* · clio-1/)

  // Four more minutes exceed what is left for this machine.
  await card.getByRole('button', { name: 'Announce' }).click()
  await from.fill(later(start, 4 * MINUTE))
  await until.fill(later(start, 8 * MINUTE))
  await expect(dialog.getByRole('checkbox', { name: /^clio-1 / })).toHaveAccessibleName(/\d+[ms].* left$/)
  await expect(dialog).toContainText(/Each chosen machine has [23]m.* left then, of 5m 20s in any 30 days/)
  await announce.click()
  await expect(dialog).toContainText(/clio-1 has [23]m.* left in the 30 days around that time, and this takes/)
  await choose(dialog.getByRole('checkbox', { name: /^clio-1 / }), { to: false })
  await expect(dialog).toContainText('Each chosen machine has 5m 20s left then, of 5m 20s in any 30 days')
  await dialog.getByRole('button', { name: 'Cancel' }).click()

  await page.goto(`${market.url}/addorder?provider=${provider.address}&node=1`)
  await expect(page.getByRole('main')).toContainText('Planned maintenance')
  await page.goto(`${market.url}/providerinfo`)
  await card.getByRole('button', { name: /^Withdraw the maintenance of/ }).click()
  await expect(card).toContainText('Nothing is announced.')
})

test('shows a buyer that the machine may be down, and what that costs', async ({ page, market, wallet }) => {
  const provider = await marketActor(market, privateKeyToAccount(generatePrivateKey()))
  await provider.becomeProvider('erato')
  const { client, addresses } = provider
  const monitors = (await readMonitors(client, addresses.access)) as MonitorsContract
  const now = Number((await getBlock(client)).timestamp)
  const soon = suggestedTimes(monitors.pace, now).from
  const { until: border } = maintenanceMonth(monitors.pace, soon)
  const from = border - soon < 600 ? border : soon
  const call = announceMaintenance(monitors, { nodeIds: [1n], from, until: from + 120 }, now)
  // Monitors is not among the five contracts of an order, whose calls are sent this way.
  await provider.send(call as unknown as ContractCall)
  const buyer = await marketActor(market, wallet.account)
  const order = await buyer.buy(provider.address, 1n)

  await openConnected(page, wallet, `${market.url}/myspace`)
  const notice = page.getByRole('status').filter({ hasText: /^Maintenance is announced for .*: [23]m/ })
  await expect(notice).toContainText('are refunded, but not paid once more from the pledge')
  await isAccessibleInEveryLook(page)
  await page.goto(`${market.url}/orderinfo?id=${order}`)
  await expect(notice).toContainText('While it answers, the order is charged as usual.')
})

test('finds the intended ones among many machines, and reports an unreachable chain', { tag: '@long' }, async ({
  page,
  market,
  wallet,
}) => {
  const provider = await marketActor(market, wallet.account)
  await provider.becomeProvider('urania', { nodes: 60 })
  await openConnected(page, wallet, `${market.url}/providerinfo`)
  const card = page.getByRole('region', { name: 'Maintenance', exact: true })
  await card.getByRole('button', { name: 'Announce' }).click()
  const dialog = page.getByRole('dialog', { name: 'Announce maintenance' })
  await expect(dialog).toContainText('0 of 60 chosen')
  const filter = dialog.getByRole('searchbox', { name: 'Filter machines' })
  await filter.fill('urania-5')
  await filter.press('Enter')
  await expect(dialog.getByRole('checkbox')).toHaveCount(11)
  await dialog.getByRole('button', { name: 'Choose all 11' }).press('Enter')
  await expect(dialog).toContainText('11 of 60 chosen')
  await filter.fill('xx')
  await expect(dialog).toContainText('No machine name contains this.')
  await filter.fill('')
  await dialog.getByRole('button', { name: 'Choose all 60' }).click()
  await expect(dialog).toContainText('60 machines take 2 transactions, of at most 50 machines each.')
  await isAccessibleInEveryLook(page)
  // Long enough for a slow machine.
  const from = dialog.getByLabel('From')
  const start = withinMonth(later(await from.inputValue(), 10 * MINUTE))
  await from.fill(start)
  await dialog.getByLabel('Until').fill(later(start, 2 * MINUTE))
  await dialog.getByRole('button', { name: 'Announce' }).click()
  await expect(dialog).toBeHidden()
  await expect(card.getByRole('listitem')).toContainText('all machines')

  await page.route(`${market.rpcUrl}/**`, (route) => route.abort())
  await page.reload()
  await expect(card).toContainText('The chain does not answer, so nothing can be announced or withdrawn now.')
  await expect(card.getByRole('listitem')).toContainText('all machines')
  await expect(card.getByRole('button', { name: 'Announce' })).toBeHidden()
  await isAccessibleInEveryLook(page)
  await page.unroute(`${market.rpcUrl}/**`)
  await retryUntilGone(card, card.getByText('The chain does not answer'))
  await expect(card.getByRole('button', { name: 'Announce' })).toBeVisible()
})

const later = (local: string, milliseconds: number): string => {
  const time = new Date(`${local}Z`)
  return new Date(time.getTime() + milliseconds).toISOString().slice(0, 16)
}

/** The same time, or the beginning of the next month if that is less than ten minutes away. */
function withinMonth(local: string): string {
  const left = MONTH - (new Date(local).getTime() % MONTH)
  return left < 10 * MINUTE ? later(local, left) : local
}

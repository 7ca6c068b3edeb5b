import { isAccessibleInEveryLook } from './isAccessible.ts'
import { marketActor } from './marketActor.ts'
import { connect, expect, test } from './test.ts'

const MINUTE = 60_000
/** The local chain's month has room for 320 seconds of each machine. */
const MONTH = 90 * 320_000

test('a provider announces maintenance, its buyers see it, and it is withdrawn while there is time', async ({
  page,
  market,
  wallet,
}) => {
  const provider = await marketActor(market, wallet.account)
  await provider.becomeProvider('clio', { nodes: 2 })
  await page.goto(`${market.url}/providerinfo`)
  await connect(page, wallet)
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
  await expect(dialog).toContainText('A machine may be announced for 5m 20s')
  await until.fill(later(suggested, -18 * MINUTE))
  await expect(dialog).toContainText('Maintenance is announced a day ahead: not before')
  const start = withinMonth(later(suggested, 10 * MINUTE))
  await from.fill(start)
  await until.fill(later(start, 2 * MINUTE))
  await dialog.getByRole('checkbox', { name: 'clio-2' }).uncheck()
  await dialog.getByRole('checkbox', { name: 'clio-1' }).uncheck()
  await expect(dialog).toContainText('Choose a machine at least.')
  await dialog.getByRole('checkbox', { name: 'clio-1' }).check()
  await announce.press('Enter')
  await expect(dialog).toBeHidden()
  await expect(card.getByRole('listitem')).toContainText('2m · clio-1')

  // Four minutes more are beyond what is left of this machine.
  await card.getByRole('button', { name: 'Announce' }).click()
  await from.fill(later(start, 4 * MINUTE))
  await until.fill(later(start, 8 * MINUTE))
  await announce.click()
  await expect(dialog).toContainText('One of these machines has less left of this month')
  await dialog.getByRole('button', { name: 'Cancel' }).click()

  await page.goto(`${market.url}/addorder?provider=${provider.address}&node=1`)
  await expect(page.getByRole('main')).toContainText('Planned maintenance')
  await page.goto(`${market.url}/providerinfo`)
  await card.getByRole('button', { name: /^Withdraw the maintenance of/ }).click()
  await expect(card).toContainText('Nothing is announced.')
})

const later = (local: string, milliseconds: number): string => {
  const time = new Date(`${local}Z`)
  return new Date(time.getTime() + milliseconds).toISOString().slice(0, 16)
}

/** The same time, or the begin of the next month where that is less than ten minutes away. */
function withinMonth(local: string): string {
  const left = MONTH - (new Date(local).getTime() % MONTH)
  return left < 10 * MINUTE ? later(local, left) : local
}

import { setOnlineCall } from '@rackfair/sdk'
import { isAccessibleInEveryLook } from './isAccessible.ts'
import { expect, machines, openFilters, row, test } from './publicTest.ts'
import { retryUntilGone } from './retryUntilGone.ts'
import { choose } from './test.ts'

test.use({ sold: 2n })

test('keeps its filters in the URL', async ({ page, market }) => {
  await page.goto(`${market.url}/nodelist`)
  await expect(machines(page)).toHaveCount(6)
  await expect(page.getByRole('navigation').getByRole('link', { name: 'Rent' })).toHaveAttribute('aria-current', 'page')
  for (const skip of [
    page.getByRole('link', { name: 'Skip to content' }),
    page.getByRole('button', { name: 'Skip to the first machine' }),
  ]) {
    await page.keyboard.press('Tab')
    await expect(skip).toBeFocused()
    await page.keyboard.press('Enter')
  }
  await expect(page.getByRole('link', { name: /^Buy / }).first()).toBeFocused()
  const top = await machines(page).first().boundingBox()
  expect(top?.y).toBeLessThan(220)
  const quick = page.getByRole('list', { name: 'What many look for' })
  await expect(quick.getByRole('button')).toHaveText(['RTX 40904', 'RTX 30901', 'Under $1 an hour5'])
  await quick.getByRole('button', { name: 'RTX 4090' }).click()
  await expect(quick).toBeHidden()
  await openFilters(page)
  await expect(page.getByRole('checkbox', { name: 'RTX 4090' })).toBeChecked()
  await expect(machines(page)).toHaveCount(5)
  await page.getByRole('searchbox').fill('kiln')
  await expect(machines(page)).toHaveCount(1)
  await expect(page).toHaveURL(/gpu=RTX\+4090/)
  await expect(page).toHaveURL(/text=kiln/)
  await page.reload()
  await expect(machines(page)).toHaveCount(1)
  await expect(page.getByRole('searchbox')).toHaveValue('kiln')
  await page.getByRole('button', { name: 'Remove the filter RTX 4090' }).click()
  await expect(machines(page)).toHaveCount(2)
  await openFilters(page)
  await page.getByRole('combobox', { name: 'Memory, at least', exact: true }).selectOption('128')
  await expect(machines(page)).toHaveCount(1)
  await page.getByRole('combobox', { name: 'Pledge, at least' }).selectOption('1000')
  await expect(page.getByRole('heading', { name: 'No machine matches' })).toBeVisible()
  await page.getByRole('button', { name: 'Clear all' }).last().click()
  await expect(machines(page)).toHaveCount(6)
  await expect(page).toHaveURL(/\/nodelist$/)
})

test('lists and counts only machines that run the application, and passes it on to the purchase', async ({ page, market }) => {
  await page.goto(`${market.url}/nodelist`)
  await expect(machines(page)).toHaveCount(6)
  await openFilters(page)
  await page.getByRole('combobox', { name: 'What you want to run' }).selectOption({ label: 'I want to run Stable Diffusion' })
  await expect(page).toHaveURL(/runs=stablediffusion/)
  await expect(
    page.getByText('Stable Diffusion needs 1 GPU, 8 GB on each GPU, 4 cores, 16 GB of memory, and 80 GB of disk'),
  ).toBeVisible()
  const runs = await machines(page).count()
  await expect(page.getByRole('status').filter({ hasText: /machine/ })).toHaveText(`${runs} machine${runs === 1 ? '' : 's'}`)
  await expect(page.getByRole('link', { name: /^Buy / }).first()).toHaveAttribute('href', /&run=stablediffusion$/)
  await page.getByRole('button', { name: 'Remove the filter runs Stable Diffusion' }).click()
  await expect(machines(page)).toHaveCount(6)
  await page.getByRole('searchbox').fill('MEFS provider')
  await expect(page.getByRole('button', { name: 'Remove the filter runs MEFS provider' })).toBeVisible()
  await expect(page.getByText('MEFS provider needs 4 cores, 8 GB of memory, and 500 GB of disk')).toBeVisible()
})

test('notifies a saved search of the next machine for sale, even after a reload', async ({ page, market, helios }) => {
  await page.addInitScript(() => {
    const told: string[] = []
    class Told {
      static permission = 'granted'
      static requestPermission = async () => 'granted'
      constructor(title: string, { body }: { body: string }) {
        told.push(`${title}: ${body}`)
      }
    }
    Object.assign(window, { Notification: Told, told })
  })
  const told = () => page.evaluate(() => (window as unknown as { told: string[] }).told)
  const switchOn = (isOn: boolean) => helios.send(setOnlineCall(helios.addresses, helios.account, 3n, isOn))
  await switchOn(false)
  await page.goto(`${market.url}/nodelist?gpu=RTX+4090`)
  await expect(row(page, 'helios-3')).toContainText('Off')
  await page.getByRole('button', { name: 'Notify me' }).click()
  const saved = page.getByRole('region', { name: 'You will be told about' })
  await expect(saved.getByRole('link', { name: 'RTX 4090' })).toBeVisible()
  await page.reload()
  await expect(saved).toBeVisible()
  expect(await told()).toEqual([])
  await switchOn(true)
  await expect.poll(told, { timeout: 60_000 }).toEqual(['helios-3 can be bought: RTX 4090'])
  await saved.getByRole('button', { name: 'Stop telling me about RTX 4090' }).click()
  await expect(saved).toBeHidden()
  await expect(page.getByRole('button', { name: 'Notify me' })).toBeVisible()
})

test('filters by price with two thumbs, and sorts by any column', async ({ page, market }) => {
  await page.goto(`${market.url}/nodelist`)
  await expect(machines(page).first()).toContainText('$158.00')
  const column = (name: string) => page.getByRole('columnheader', { name, exact: true })
  await column('$ / month').getByRole('button').click()
  await expect(page).toHaveURL(/sort=price/)
  await column('$ / month').getByRole('button').click()
  await expect(machines(page).first()).toContainText('kiln-2')
  await expect(page).toHaveURL(/sort=-price/)
  await column('Name').getByRole('button').click()
  await expect(machines(page).first()).toContainText('helios-1')
  await expect(column('Name')).toHaveAttribute('aria-sort', 'ascending')
  for (const name of ['CPU', 'GPU', 'Memory', 'Storage', '$ / GPU / h', 'Activate, Online', 'State']) {
    await column(name).getByRole('button').click()
    await expect(column(name)).toHaveAttribute('aria-sort', 'ascending')
    await expect(machines(page)).toHaveCount(6)
  }
  await openFilters(page)
  const lowest = page.getByRole('slider', { name: 'Lowest price' })
  await lowest.focus()
  for (let press = 0; press < 3; press++) await page.keyboard.press('ArrowRight')
  await expect(page).toHaveURL(/minPrice=/)
  await expect(machines(page)).toHaveCount(1)
  await expect(row(page, 'kiln-2')).toBeVisible()
})

test('offers Buy only where it works, for as long as was asked, and explains why not elsewhere', async ({
  page,
  market,
  helios,
}) => {
  await page.goto(`${market.url}/nodelist?text=helios+for+2+hours&sort=name`)
  await expect(page.getByRole('button', { name: 'Remove the filter for 2 hours' })).toBeVisible()
  const reason = row(page, 'helios-2').getByRole('button', { name: 'Sold' })
  await expect(reason).toHaveAttribute('aria-disabled', 'true')
  await reason.focus()
  await expect(page.getByRole('tooltip').filter({ hasText: 'the order has not been started yet' })).toBeVisible()
  await row(page, 'helios-1').getByRole('link', { name: 'Buy helios-1' }).click()
  await expect(page).toHaveURL(`${market.url}/addorder?provider=${helios.address}&node=1&for=2h`)
  await expect(page.getByRole('radio', { name: 'hours' })).toBeChecked()
  await expect(page.getByRole('textbox', { name: 'Duration' })).toHaveValue('2')
})

test('keeps a trailing space while typing the next word', async ({ page, market }) => {
  await page.goto(`${market.url}/nodelist`)
  const field = page.getByRole('searchbox', { name: 'Search machines by name, GPU or CPU' })
  await field.pressSequentially('rtx ')
  await expect(page).toHaveURL(/text=rtx$/)
  await field.pressSequentially('3090')
  await expect(page).toHaveURL(/text=rtx\+3090$/)
  await expect(machines(page)).toHaveCount(1)
})

test('shows a list for every manipulated link', async ({ page, market }) => {
  for (const words of [
    'minPledge=0.5',
    'minPledge=999999999999.999999999',
    'minPrice=0.000000001&maxPrice=7',
    'gpu=%2525,%zz,A%252C',
  ]) {
    const pledge = page.getByRole('group', { name: 'Pledge, at least' })
    await page.setViewportSize({ width: 1280, height: 740 })
    await page.goto(`${market.url}/nodelist?${words}`)
    await openFilters(page)
    await expect(pledge).toBeVisible()
    await page.setViewportSize({ width: 800, height: 740 })
    await page.getByRole('button', { name: /^Filters/ }).click()
    await expect(pledge).toBeVisible()
  }
})

test('shows cards and a filter sheet on a phone', async ({ page, market }) => {
  await page.setViewportSize({ width: 360, height: 740 })
  await page.goto(`${market.url}/nodelist?sort=name`)
  await expect(page.getByRole('article')).toHaveCount(6)
  expect((await page.getByRole('article').first().boundingBox())?.y).toBeLessThan(220)
  await page.getByRole('button', { name: 'Filters' }).click()
  const sheet = page.getByRole('dialog', { name: 'Filters' })
  await sheet.waitFor()
  await expect(sheet.getByRole('combobox', { name: 'What you want to run' })).toBeVisible()
  await expect(sheet.getByRole('button', { name: 'Notify me' })).toBeVisible()
  await sheet.getByRole('combobox', { name: 'Sort' }).selectOption({ label: 'Name, Z to A' })
  await expect(page.getByRole('article').first()).toContainText('kiln-2')
  await isAccessibleInEveryLook(page, { widths: [360] })
  await choose(sheet.getByRole('checkbox', { name: 'RTX 3090' }))
  await sheet.getByRole('button', { name: 'Show 1 machine' }).click()
  await expect(page.getByRole('article')).toHaveCount(1)
  await expect(page.getByRole('button', { name: 'Filters · 1' })).toBeFocused()
})

for (const path of ['/nodelist', '/search'])
  test(`${path} lists all machines, with Buy`, async ({ page, market, helios, kiln }) => {
    await page.goto(market.url + path)
    await expect(page.getByRole('heading', { level: 1, name: 'Machines' })).toBeVisible()
    await expect(machines(page)).toHaveCount(6)
    for (const [name, provider] of [
      ['helios-1', helios],
      ['kiln-2', kiln],
    ] as const)
      await expect(row(page, name).getByRole('link', { name: `Buy ${name}` })).toHaveAttribute(
        'href',
        `/addorder?provider=${provider.address}&node=${name.at(-1)}`,
      )
  })

test('searches name, GPU and CPU', async ({ page, market }) => {
  await page.goto(`${market.url}/nodelist?sort=name`)
  await expect(machines(page)).toHaveCount(6)
  for (const [typed, names] of [
    ['kiln', ['kiln-1', 'kiln-2']],
    ['nothing-has-this kiln', ['kiln-1', 'kiln-2']],
    ['3090', ['kiln-2']],
    ['7402', ['helios-1', 'helios-2', 'helios-3', 'helios-4', 'kiln-1', 'kiln-2']],
    ['epyc rtx 3090', ['kiln-2']],
  ] as const) {
    await page.getByRole('searchbox').fill(typed)
    await expect(machines(page)).toHaveCount(names.length)
    for (const [index, name] of names.entries()) await expect(machines(page).nth(index)).toContainText(name)
  }
})

for (const path of ['/nodelist', '/status'])
  test(`Idling only hides the sold machines of ${path} and shows them again`, async ({ page, market }) => {
    await page.goto(`${market.url}${path}?text=helios&sort=name`)
    await page.mouse.move(9, 9)
    const sold = row(page, 'helios-2')
    await expect(sold).toBeVisible()
    if (path === '/nodelist') await openFilters(page)
    const idling = page.getByRole(path === '/status' ? 'switch' : 'checkbox', { name: 'Idling only' })
    await choose(idling)
    await expect(sold).toHaveCount(0)
    await expect(row(page, 'helios-1')).toBeVisible()
    await expect(machines(page).filter({ hasText: /Running|Sold/ })).toHaveCount(0)
    await choose(idling, { to: false })
    await expect(sold).toBeVisible()
  })

test('selects a typed model, and deselects it', async ({ page, market }) => {
  await page.goto(`${market.url}/nodelist`)
  await page.getByRole('searchbox').fill('nvidia rtx 3090 under $400')
  await expect(machines(page)).toHaveCount(1)
  await openFilters(page)
  await expect(page.getByRole('checkbox', { name: 'RTX 3090' })).toBeChecked()
  await expect(page).toHaveURL(/text=nvidia\+rtx\+3090\+under\+%24400$/)
  await page.getByRole('button', { name: 'Remove the filter RTX 3090' }).click()
  await expect(page).toHaveURL(/\/nodelist\?maxPrice=400$/)
  await expect(machines(page)).toHaveCount(6)
})

test('marks a list whose refresh failed as outdated, with its time, until a retry succeeds', async ({ page, market }) => {
  await page.clock.install()
  await page.goto(`${market.url}/nodelist?text=helios`)
  await page.mouse.move(9, 9)
  await page.clock.runFor(5000)
  await expect(machines(page)).toHaveCount(4)
  await page.route(/\/v1\/nodes\?/, (route) => route.abort())
  await page.clock.runFor(310_000)
  const notice = page.getByRole('status').filter({ hasText: 'A newer list could not be read' })
  await expect(async () => {
    await page.clock.runFor(2000)
    await expect(notice).toContainText(/as they were at \d\d:\d\d:\d\d/, { timeout: 500 })
  }).toPass()
  await expect(machines(page)).toHaveCount(4)
  await isAccessibleInEveryLook(page)
  await page.unroute(/\/v1\/nodes\?/)
  await retryUntilGone(notice, notice)
})

for (const path of ['/status', '/nodelist'])
  test(`refreshes the machines of ${path} after five minutes without an update from the platform`, async ({ page, market }) => {
    await page.route('**/v1/events', (route) => route.abort())
    await page.clock.install()
    await page.addInitScript(noteReads)
    await page.goto(market.url + path)
    await page.mouse.move(9, 9)
    await page.clock.runFor(5000)
    await expect(machines(page)).toHaveCount(6)
    const times = () => page.evaluate(() => (window as unknown as { reads: number[] }).reads)
    const { length } = await times()
    await page.clock.runFor(310_000)
    await expect.poll(async () => (await times()).length).toBeGreaterThan(length)
    const [before = 0, again = 0] = (await times()).slice(length - 1)
    expect(again - before).toBeGreaterThanOrEqual(300_000)
  })

test('shows prices per GPU hour, machine hour or month, as in the URL', async ({ page, market }) => {
  await page.goto(`${market.url}/nodelist?text=kiln-1`)
  const machine = row(page, 'kiln-1')
  const switchTo = (unit: string) => page.getByRole('group', { name: 'Prices are for' }).getByText(unit, { exact: true }).click()
  await expect(machine).toContainText('$0.2194')
  await switchTo('$ / month')
  await expect(page).toHaveURL(/per=month/)
  await expect(machine).not.toContainText('$0.2194')
  await expect(machine).toContainText('$158.00')
  await page.reload()
  await expect(page.getByRole('radio', { name: '$ / month' })).toBeChecked()
  await expect(page.getByRole('columnheader', { name: '$ / month' })).toHaveAttribute('aria-sort', 'ascending')
  await switchTo('$ / h')
  await expect(machine).toContainText('$0.2194')
  await expect(page).toHaveURL(/per=hour/)
})

test('compares three machines, marks the best of each row, and keeps them selected over a search', async ({ page, market }) => {
  await page.goto(`${market.url}/nodelist?sort=name`)
  const comparing = (name: string) => page.getByRole('checkbox', { name: `Compare ${name}` })
  await choose(comparing('helios-1'))
  const bar = page.getByRole('region', { name: 'Compare 1 machine' })
  await expect(bar.getByRole('button', { name: 'Compare' })).toHaveAttribute('aria-disabled', 'true')
  await page.getByRole('searchbox').fill('kiln')
  await choose(comparing('kiln-1'))
  await choose(comparing('kiln-2'))
  await page.getByRole('searchbox').fill('')
  await expect(comparing('helios-3')).toBeDisabled()
  await page.getByRole('region', { name: 'Compare 3 machines' }).getByRole('button', { name: 'Compare' }).click()
  const dialog = page.getByRole('dialog', { name: 'Compare 3 machines' })
  await expect(dialog.getByRole('columnheader')).toHaveText(['helios-1', 'kiln-1', 'kiln-2'])
  await expect(dialog.getByRole('row', { name: /^Per month/ }).getByRole('cell')).toHaveText([
    '$158.00best',
    '$158.00best',
    /^\$266\.00$/,
  ])
  await expect(dialog.getByRole('row', { name: /^Memory/ }).getByRole('cell')).toHaveText(['64 GB', '64 GB', '128 GBbest'])
  await isAccessibleInEveryLook(page)
  await dialog.getByRole('button', { name: 'Take kiln-1 out of the comparison' }).click()
  await expect(page.getByRole('dialog', { name: 'Compare 2 machines' }).getByRole('columnheader')).toHaveText([
    'helios-1',
    'kiln-2',
  ])
  await page.keyboard.press('Escape')
  await page.getByRole('region', { name: 'Compare 2 machines' }).getByRole('button', { name: 'Clear' }).click()
  await expect(comparing('helios-3')).toBeEnabled()
})

test('prints the machines as a table, dark on white, without controls', async ({ page, market }) => {
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.goto(`${market.url}/nodelist?gpu=RTX+4090&sort=name`)
  await expect(machines(page)).toHaveCount(5)
  await page.emulateMedia({ colorScheme: 'dark', media: 'print' })
  const buy = page.getByRole('link', { name: 'Buy helios-1', includeHidden: true })
  for (const part of [page.getByRole('banner'), page.getByRole('search'), page.getByRole('contentinfo'), buy])
    await expect(part).toBeHidden()
  await expect(row(page, 'helios-1')).toContainText('$158.00')
  await expect(page.getByRole('columnheader', { name: 'GPU', exact: true })).toBeVisible()
  await expect(page.getByText('5 machines')).toBeVisible()
  await expect(page.getByRole('heading', { level: 1 })).toHaveCSS('color', 'rgb(21, 23, 26)')
})

test('shows the nearest machine and the condition that it misses when nothing matches', async ({ page, market }) => {
  await page.goto(`${market.url}/nodelist?text=rtx+3090+under+%24100`)
  await expect(page.getByRole('heading', { name: 'No machine matches' })).toBeVisible()
  const nearest = page.getByRole('region', { name: 'Nearest matches' }).getByRole('listitem')
  await expect(nearest).toHaveCount(1)
  await expect(nearest).toContainText('kiln-2')
  await expect(nearest).toContainText('meets all but: up to $100')
  await expect(nearest.getByRole('link', { name: 'Buy kiln-2' })).toBeVisible()
  await isAccessibleInEveryLook(page)
  await nearest.getByRole('button', { name: 'Search without it' }).click()
  await expect(page).toHaveURL(/gpu=RTX\+3090$/)
  await expect(machines(page)).toHaveCount(1)
})

test('says that it ignores an unknown word, and still finds machines that miss several conditions', async ({ page, market }) => {
  await page.goto(`${market.url}/nodelist?text=16x+rtx+3090+blorp+under+%24100`)
  const nearest = page.getByRole('region', { name: 'Nearest matches' }).getByRole('listitem')
  await expect(nearest).toContainText('kiln-2')
  await expect(nearest).toContainText('meets all but: 16+ GPUs and up to $100')
  await isAccessibleInEveryLook(page)
  await page.getByRole('button', { name: 'Remove the filter ignored: blorp' }).click()
  await expect(page).toHaveURL(/gpu=RTX\+3090/)
  await expect(page.getByText('ignored:')).toBeHidden()
  await nearest.getByRole('button', { name: 'Search without them' }).click()
  await expect(machines(page)).toHaveCount(1)
})

test('fits every machine on one line from 1024 px, with a readable name', async ({ page, market }) => {
  for (const width of [1024, 1280, 1440]) {
    await page.setViewportSize({ width, height: 800 })
    await page.goto(`${market.url}/nodelist`)
    await expect(machines(page)).toHaveCount(6)
    const heights = await machines(page).evaluateAll((rows) => rows.map((one) => one.getBoundingClientRect().height))
    expect([width, new Set(heights)]).toEqual([width, new Set([44])])
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
    const cut = await machines(page).evaluateAll((rows) =>
      rows.flatMap((one) =>
        [...one.querySelectorAll('td')].filter((cell) => cell.scrollWidth > cell.clientWidth).map((cell) => cell.textContent),
      ),
    )
    expect([width, cut]).toEqual([width, []])
  }
})

/**
 * Runs in the page: when it was opened and when it read machines, on its own clock. That goes on while a test waits for a busy machine, so
 * a test cannot say by itself how much of it has passed.
 */
function noteReads(): void {
  const reads = [Date.now()]
  const { fetch } = window
  const noted: typeof fetch = (...asked) => {
    if (/\/v1\/nodes\?.*limit=200/.test(String(asked[0]))) reads.push(Date.now())
    return fetch(...asked)
  }
  Object.assign(window, { reads, fetch: noted })
}

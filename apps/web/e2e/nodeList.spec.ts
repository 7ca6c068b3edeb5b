import { isAccessibleInEveryLook } from './isAccessible.ts'
import { expect, machines, row, test } from './publicTest.ts'

test('keeps its filters in the address', async ({ page, market }) => {
  await page.goto(`${market.url}/nodelist`)
  await expect(machines(page)).toHaveCount(6)
  await expect(page.getByRole('navigation').getByRole('link', { name: 'Status' })).toHaveAttribute('aria-current', 'page')
  await page.getByRole('checkbox', { name: 'RTX 4090' }).check()
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
  await page.getByRole('combobox', { name: 'Memory, at least' }).selectOption('128')
  await expect(machines(page)).toHaveCount(1)
  await page.getByRole('combobox', { name: 'Provider’s pledge, at least' }).selectOption('1000')
  await expect(page.getByRole('heading', { name: 'No machine matches' })).toBeVisible()
  await page.getByRole('button', { name: 'Clear all' }).last().click()
  await expect(machines(page)).toHaveCount(6)
  await expect(page).toHaveURL(/\/nodelist$/)
})

test('narrows by price with the two thumbs, and sorts by any column', async ({ page, market }) => {
  await page.goto(`${market.url}/nodelist`)
  await expect(machines(page).first()).toContainText('$158.00')
  await page.getByRole('button', { name: 'Price / month' }).click()
  await expect(machines(page).first()).toContainText('kiln-2')
  await expect(page).toHaveURL(/sort=-price/)
  await page.getByRole('button', { name: 'Name' }).click()
  await expect(machines(page).first()).toContainText('helios-1')
  await expect(page.getByRole('columnheader', { name: 'Name' })).toHaveAttribute('aria-sort', 'ascending')
  for (const column of ['CPU', 'GPU', 'Memory', 'Storage', 'Activate', 'State']) {
    await page.getByRole('columnheader').getByRole('button', { name: column }).click()
    await expect(page.getByRole('columnheader', { name: column })).toHaveAttribute('aria-sort', 'ascending')
    await expect(machines(page)).toHaveCount(6)
  }
  const lowest = page.getByRole('slider', { name: 'Lowest price' })
  await lowest.focus()
  for (let press = 0; press < 3; press++) await page.keyboard.press('ArrowRight')
  await expect(page).toHaveURL(/minPrice=/)
  await expect(machines(page)).toHaveCount(1)
  await expect(row(page, 'kiln-2')).toBeVisible()
})

test('offers Buy only where it works and says why not elsewhere', async ({ page, market, helios }) => {
  if ((await (await fetch(`${market.url}/v1/nodes/${helios.address}/3`)).json()).sold === false) await helios.sellToOther(3n)
  await page.goto(`${market.url}/nodelist?text=helios&sort=name`)
  const reason = row(page, 'helios-3').getByRole('button', { name: 'Sold' })
  await expect(reason).toHaveAttribute('aria-disabled', 'true')
  await reason.focus()
  await expect(page.getByRole('tooltip').filter({ hasText: 'the order has not been started yet' })).toBeVisible()
  await row(page, 'helios-1').getByRole('link', { name: 'Buy helios-1' }).click()
  await expect(page).toHaveURL(`${market.url}/addorder?provider=${helios.address}&node=1`)
})

test('keeps the space that somebody types before the next word', async ({ page, market }) => {
  await page.goto(`${market.url}/nodelist`)
  const field = page.getByRole('searchbox', { name: 'Search machines by name, GPU or CPU' })
  await field.pressSequentially('rtx ')
  await expect(page).toHaveURL(/text=rtx$/)
  await field.pressSequentially('3090')
  await expect(page).toHaveURL(/text=rtx\+3090$/)
  await expect(machines(page)).toHaveCount(1)
})

test('shows a list for every link of a stranger', async ({ page, market }) => {
  for (const words of [
    'minPledge=0.5',
    'minPledge=999999999999.999999999',
    'minPrice=0.000000001&maxPrice=7',
    'gpu=%2525,%zz,A%252C',
  ])
    for (const width of [1280, 800]) {
      await page.setViewportSize({ width, height: 740 })
      await page.goto(`${market.url}/nodelist?${words}`)
      if (width < 1280) await page.getByRole('button', { name: /^Filters/ }).click()
      await expect(page.getByRole('group', { name: 'Provider’s pledge, at least' })).toBeVisible()
    }
})

test('is a list of cards with a sheet of filters on a phone', async ({ page, market }) => {
  await page.setViewportSize({ width: 360, height: 740 })
  await page.goto(`${market.url}/nodelist?sort=name`)
  await expect(page.getByRole('article')).toHaveCount(6)
  await page.getByRole('button', { name: 'Filters' }).click()
  const sheet = page.getByRole('dialog', { name: 'Filters' })
  await sheet.waitFor()
  await isAccessibleInEveryLook(page, [360])
  await sheet.getByRole('checkbox', { name: 'RTX 3090' }).check()
  await sheet.getByRole('button', { name: 'Show 1 machine' }).click()
  await expect(page.getByRole('article')).toHaveCount(1)
  await expect(page.getByRole('button', { name: 'Filters · 1' })).toBeFocused()
})

for (const path of ['/nodelist', '/search'])
  test(`${path} is the list of all machines, with Buy`, async ({ page, market, helios, kiln }) => {
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

for (const [typed, names] of [
  ['kiln', ['kiln-1', 'kiln-2']],
  ['3090', ['kiln-2']],
  ['7402', ['helios-1', 'helios-2', 'helios-3', 'helios-4', 'kiln-1', 'kiln-2']],
  ['epyc rtx 3090', ['kiln-2']],
  ['nothing-has-this', []],
] as const)
  test(`${typed} is looked for in name, GPU and CPU`, async ({ page, market }) => {
    await page.goto(`${market.url}/nodelist?sort=name`)
    await expect(machines(page)).toHaveCount(6)
    await page.getByRole('searchbox').fill(typed)
    await expect(machines(page)).toHaveCount(names.length)
    for (const [index, name] of names.entries()) await expect(machines(page).nth(index)).toContainText(name)
  })

for (const path of ['/nodelist', '/status'])
  test(`Idling only leaves the sold machines of ${path} out, and takes them in again`, async ({ page, market, helios }) => {
    if ((await (await fetch(`${market.url}/v1/nodes/${helios.address}/3`)).json()).sold === false) await helios.sellToOther(3n)
    await page.goto(`${market.url}${path}?text=helios&sort=name`)
    await page.mouse.move(9, 9)
    const sold = row(page, 'helios-3')
    await expect(sold).toBeVisible()
    const idling = page.getByRole(path === '/status' ? 'switch' : 'checkbox', { name: 'Idling only' })
    await idling.check()
    await expect(sold).toHaveCount(0)
    await expect(row(page, 'helios-1')).toBeVisible()
    await expect(machines(page).filter({ hasText: /Running|Sold/ })).toHaveCount(0)
    await idling.uncheck()
    await expect(sold).toBeVisible()
  })

for (const path of ['/status', '/nodelist'])
  test(`the machines of ${path} are read again after five minutes without a sign from the platform`, async ({ page, market }) => {
    await page.route('**/v1/events', (route) => route.abort())
    await page.clock.install()
    await page.goto(market.url + path)
    await page.mouse.move(9, 9)
    await page.clock.runFor(5000)
    await expect(machines(page)).toHaveCount(6)
    let read = 0
    page.on('request', (request) => {
      if (/\/v1\/nodes\?.*limit=200/.test(request.url())) read += 1
    })
    await page.clock.runFor(280_000)
    expect(read).toBe(0)
    await page.clock.runFor(30_000)
    await expect.poll(() => read).toBeGreaterThan(0)
  })

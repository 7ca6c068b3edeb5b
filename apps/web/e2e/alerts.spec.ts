import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isAccessibleInEveryLook } from './isAccessible.ts'
import { choose, expect, openConnected, test } from './test.ts'

test('adds an alert, shows its secret once, sends a test and removes it', { tag: '@long' }, async ({ page, market, wallet }) => {
  const bodies: string[] = []
  let status = 204
  const receiver = createServer((request, response) => {
    request.on('data', (chunk) => bodies.push(String(chunk)))
    request.on('end', () => response.writeHead(status).end())
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  const target = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`
  try {
    await openConnected(page, wallet, `${market.url}/myspace`)
    await page.getByRole('link', { name: 'Alerts' }).click()
    const main = page.getByRole('main')
    const address = main.getByLabel('Address', { exact: true })
    await expect(main).toContainText('No alerts yet')
    await page.getByRole('button', { name: 'Add alert' }).click()
    await expect(address).toHaveAccessibleDescription(/Enter where to send it/)
    await address.fill('ftp://example.com/')
    await page.getByRole('button', { name: 'Add alert' }).click()
    await expect(page.getByRole('alert')).toContainText('begins with https')
    await expect(address).toHaveValue('ftp://example.com/')

    await address.fill(target)
    await choose(page.getByLabel('A node of mine is sold'), { to: false })
    await page.getByRole('button', { name: 'Add alert' }).click()
    await expect(main).toContainText('shown only once')
    const row = main.getByRole('listitem').filter({ hasText: target })
    await expect(row).toContainText('Nothing sent yet')
    await expect(row).not.toContainText('is sold')
    await row.getByRole('button', { name: 'Send a test' }).click()
    await expect(row).toContainText('The test arrived')
    expect(JSON.parse(bodies.at(-1) ?? '{}')).toMatchObject({ event: 'test', account: wallet.account.address.toLowerCase() })
    status = 500
    await row.getByRole('button', { name: 'Send a test' }).click()
    await expect(row).toContainText('it answered 500')
    await isAccessibleInEveryLook(page)

    await page.reload()
    await expect(row).toBeVisible()
    await expect(main).not.toContainText('shown only once')
    await row.getByRole('button', { name: 'Remove' }).click()
    await expect(main).toContainText('No alerts yet')
  } finally {
    receiver.close()
  }
})

test('acts on a mailed link only on a press, and reports a used one', async ({ page, market }) => {
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  await page.goto(`${market.url}/alerts?confirm=${'a'.repeat(43)}`)
  await page.getByRole('button', { name: 'Send me these alerts' }).click()
  await expect(page.getByRole('alert')).toContainText('This link could not be used')
  expect(asked.filter((path) => path === '/v1/alerts/confirm')).toHaveLength(1)
  await page.goto(`${market.url}/alerts?unsubscribe=${'a'.repeat(43)}`)
  await page.getByRole('button', { name: 'Stop the mails' }).click()
  await expect(page.getByRole('main').getByRole('status')).toContainText('You get no more of these mails')
})

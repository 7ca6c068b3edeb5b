import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { contractCall } from '@rackfair/sdk'
import { parseEther } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { isAccessibleInEveryLook } from './isAccessible.ts'
import { marketActor } from './marketActor.ts'
import { openAgentLine } from './openAgentLine.ts'
import { takePicture, WIDE_AND_PHONE } from './takePicture.ts'
import { expect, openConnected, test } from './test.ts'

test('shows a provider its earnings, what is locked, its messages and next steps', async ({ page, market, wallet }) => {
  const provider = await marketActor(market, wallet.account)
  // Another provider offers the same for less, so this price is above the median. Nobody else has such a card, and only machines that can
  // be bought have a median.
  const rivalAccount = privateKeyToAccount(generatePrivateKey())
  const rival = await marketActor(market, rivalAccount)
  const parts = { ...rival.node, gpuModel: 'Thalia card', nCPU: 0, core: 0, nMEM: 0, nDISK: 0 }
  await rival.becomeProvider('daphne', { nodes: 3, node: { ...parts, pGPU: parseEther('95') } })
  const line = await openAgentLine(market, rivalAccount)
  await provider.becomeProvider('thalia', { nodes: 2, pledge: '15', node: { ...parts, pGPU: parseEther('190') } })
  const told: { event: string }[] = []
  const receiver = createServer((request, response) => {
    request.on('data', (chunk) => told.push(JSON.parse(String(chunk))))
    request.on('end', () => response.writeHead(204).end())
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))

  await openConnected(page, wallet, `${market.url}/providerinfo`)
  const next = page.getByRole('region', { name: 'Next' })
  const figures = (name: string) => page.getByRole('region', { name, exact: true })
  await expect(next.getByRole('listitem').first()).toContainText('Your agent was never heard')
  await expect(next).toContainText('No alert channel yet')
  await expect(next.getByRole('listitem').filter({ hasText: 'thalia-1 was never sold' })).toContainText(
    /is priced 100% above the median/,
  )
  await expect(figures('Earning now')).toContainText('$0.00 a day')
  await expect(figures('Alerts')).toContainText('Nobody tells you yet')

  await next.getByRole('link', { name: 'Set up' }).click()
  const target = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`
  await page.getByLabel('Address', { exact: true }).fill(target)
  await page.getByRole('button', { name: 'Add alert' }).click()
  await expect(page.getByRole('main')).toContainText('shown only once')

  const buyer = await marketActor(market, privateKeyToAccount(generatePrivateKey()))
  const order = await buyer.buy(provider.address, 1n)
  await provider.send(contractCall(provider.addresses, 'market', 'activate', [order]))
  await page.goto(`${market.url}/providerinfo`)
  await expect(figures('Earning now')).toContainText('$12.66 a day')
  await expect(figures('Earning now')).toContainText('1 of 2 sold, $25.33 if all were')
  await expect(figures('Pledge')).toContainText('$15.00')
  await expect(figures('Pledge')).toContainText('Locked behind orders $12.66')
  // A day of the second node costs more than is left.
  const short = next.getByRole('listitem').filter({ hasText: 'thalia-2 cannot be sold' })
  await expect(short).toContainText('$10.34 more')
  await expect.poll(() => told.map(({ event }) => event)).toContain('sold')
  await page.reload()
  await expect(figures('Alerts')).toContainText(`Order ${order}: a node was sold`)
  await expect(figures('Alerts')).toContainText('delivered')
  const row = page.getByRole('row').filter({ hasText: 'thalia-1' })
  await expect(row.getByRole('link', { name: `Order ${order}` })).toBeVisible()
  await takePicture(page, '26-own-provider', WIDE_AND_PHONE)
  await isAccessibleInEveryLook(page)
  await short.getByRole('button', { name: 'Add pledge' }).click()
  await expect(page.getByRole('dialog', { name: 'Pledge or withdraw' })).toBeVisible()
  line.close()
  receiver.close()
})

import { setOnlineCall, updateNodeCall } from '@rackfair/sdk'
import { allowanceOf, connect, create, duration, expect, purchaseUrl, readyToBuy, success, test, unfold } from './buyerTest.ts'
import { isAccessibleInEveryLook } from './isAccessible.ts'
import { choose, openConnected } from './test.ts'

test('buys with one signature and one transaction, and lists the order under My orders', async ({
  page,
  market,
  provider,
  api,
  wallet,
  node,
}) => {
  await api.faucet(wallet.address)
  await page.goto(`${market.url}/addorder?provider=${provider.address}&node=${node}`)
  await connect(page, wallet)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Rent helios-${node}`)
  await expect(page.getByTestId('fee')).toHaveText(/^\$0\.21/)
  await expect(page.getByRole('radio', { name: 'hours' })).toBeChecked()
  await expect(page.getByText('Back if you stop after 30 minutes')).toBeVisible()
  await choose(page.getByRole('radio', { name: 'months' }), { force: true })
  await expect(page.getByTestId('fee')).toHaveText('$158.00')
  await expect(page.getByText('Back if you stop tomorrow')).toBeVisible()
  await expect(page.getByText('$0.2194 an hour')).toBeVisible()
  const bottom = await create(page).boundingBox()
  expect((bottom?.y ?? 0) + (bottom?.height ?? 0)).toBeLessThan(720)
  await expect(page.getByRole('region', { name: `helios-${node}` })).toContainText('32 cores4 × EPYC 7402')
  await unfold(page)
  const from = page.getByRole('region', { name: 'From helios' })
  await expect(from).toContainText('Online')
  await expect(from).toContainText('Pledge$640.00')
  await expect(from).toContainText('Orders dropped0')
  const runs = page.getByRole('list', { name: 'What it can run' })
  await expect(runs.getByRole('listitem').filter({ hasText: 'nginx' })).not.toContainText('not yet run by us')
  await expect(runs.getByRole('listitem').filter({ hasText: 'FaceFusion' })).toHaveText('FaceFusionnot yet run by us')
  await expect(page.getByText(/^You can cancel at any second/)).toBeVisible()
  await choose(page.getByRole('radio', { name: 'hours' }), { force: true })
  await duration(page).fill('3')
  await expect(page.getByTestId('fee')).toContainText('$0.65')
  await expect(page.getByText('Back if you stop after 1 hour')).toBeVisible()
  await expect(page).toHaveURL(/for=3h/)
  await choose(page.getByRole('radio', { name: 'months' }), { force: true })
  await expect(page.getByTestId('fee')).toHaveText('$474.00')
  await expect(page).toHaveURL(/for=3mo/)
  const asks = page.getByRole('list', { name: 'What your wallet will ask' }).getByRole('listitem')
  await expect(asks).toHaveText(['1Allow exactly $474.00signature, no gas', `2Buy helios-${node} for 3 monthstransaction`])
  await create(page).click()
  await expect(success(page)).toContainText(`helios-${node}`)
  expect(wallet.asked.filter((method) => method === 'eth_signTypedData_v4')).toHaveLength(1)
  expect(wallet.asked.filter((method) => method === 'eth_sendTransaction')).toHaveLength(1)
  await expect(page.getByText('Permit for exactly $474.00')).toBeVisible()
  await expect(success(page).getByRole('button', { name: 'Deploy an application' })).toBeFocused()

  await success(page).getByRole('button', { name: 'Go to My orders' }).click()
  const card = page.getByRole('article').filter({ hasText: `helios-${node}` })
  await expect(card).toContainText('Ready for your application; until its time starts, cancelling returns everything')
  await expect(card).toContainText('$474.00 left of $474.00')
  await expect(card).toContainText('1.5 TB')
  await expect(card).not.toContainText('1970')
})

test('shows every reason against an order, in the order in which it can be resolved', async ({
  start,
  page,
  market,
  provider,
  wallet,
  node,
}) => {
  await page.goto(purchaseUrl(start))
  await expect(create(page)).toHaveText('Connect Wallet and pay')
  await create(page).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.keyboard.press('Escape')
  await connect(page, wallet)
  await expect(page.getByText('Your balance is $158.00 below the fee.')).toBeVisible()
  await expect(create(page)).toHaveAttribute('aria-disabled', 'true')
  await wallet.switchTo(1)
  await expect(page.getByText('Your wallet is on another network.')).toBeVisible()
  await wallet.switchTo(2985)
  await page.getByRole('button', { name: 'Get test Credit and gas' }).click()
  await expect(create(page)).not.toHaveAttribute('aria-disabled', 'true')
  await expect(create(page)).toBeFocused()
  await duration(page).fill('121')
  await expect(page.getByText('Enter a whole number, from 1 hour to 120 months.')).toBeVisible()
  await expect(page.getByText('Choose 1 hour to 120 months first.')).toBeVisible()
  await duration(page).fill('1')
  await expect(create(page)).not.toHaveAttribute('aria-disabled', 'true')

  await provider.send(setOnlineCall(provider.addresses, provider.account, node, false))
  await expect(page.getByText('The provider has switched this machine off.')).toBeVisible()
  await provider.send(setOnlineCall(provider.addresses, provider.account, node, true))
  await expect(create(page)).not.toHaveAttribute('aria-disabled', 'true')

  await page.goto(`${market.url}/addorder?provider=${provider.address}&node=99`)
  await expect(page.getByRole('heading', { name: 'There is no such machine' })).toBeVisible()
  await page.goto(`${market.url}/addorder`)
  await expect(page.getByRole('link', { name: 'See other machines' })).toBeVisible()
})

test('sends nothing without a network, and pays nothing by itself afterwards', async ({ start, page, context, wallet }) => {
  await readyToBuy(start)
  await context.setOffline(true)
  await create(page).click({ force: true })
  await expect(page.getByText('This device is offline. Nothing has been sent.')).toBeVisible()
  await expect(create(page)).toHaveAttribute('aria-disabled', 'true')
  await context.setOffline(false)
  await expect(create(page)).not.toHaveAttribute('aria-disabled', 'true')
  await expect(create(page)).toHaveText('Pay $158.00')
  expect(wallet.asked).not.toContain('eth_signTypedData_v4')
  await create(page).click()
  await success(page).getByRole('button', { name: 'Deploy an application' }).click()
  await expect(page).toHaveURL(/\/orderdeploy\/\d+\//)
})

test('shows a changed price before anything is signed', async ({ start, page, provider, wallet, node }) => {
  await readyToBuy(start)
  await expect(page.getByTestId('fee')).toHaveText('$158.00')
  await page.route('**/v1/events', (route) => route.abort())
  await page.reload()
  await expect(create(page)).not.toHaveAttribute('aria-disabled', 'true')
  const dearer = { ...provider.node, pGPU: provider.node.pGPU + 10n ** 18n }
  await provider.send(updateNodeCall(provider.addresses, node, dearer))
  await create(page).click()
  const changed = page.getByText('The fee was $158.00 and is now $159.00.')
  await expect(changed).toBeVisible()
  const duration = page.getByRole('textbox', { name: 'Duration' })
  const chosen = await duration.inputValue()
  await duration.fill('3')
  await expect(changed).toBeHidden()
  await duration.fill(chosen)
  await expect(changed).toBeVisible()
  expect(wallet.asked).not.toContain('eth_signTypedData_v4')
  await page.getByRole('button', { name: 'Pay $159.00' }).click()
  await expect(success(page)).toBeVisible()
})

test('tells of a price that rises while the wallet is asked, though the page shows it already', async ({
  start,
  page,
  provider,
  wallet,
  node,
}) => {
  await readyToBuy(start)
  const question = wallet.hold('eth_signTypedData_v4')
  await create(page).click()
  await question.asked
  await provider.send(updateNodeCall(provider.addresses, node, { ...provider.node, pGPU: provider.node.pGPU + 10n ** 18n }))
  await expect(page.getByTestId('fee')).toHaveText('$159.00')
  question.release()
  await expect(page.getByText('The fee was $158.00 and is now $159.00.')).toBeVisible()
  await expect(page.getByRole('dialog')).toBeHidden()
  await page.getByRole('button', { name: 'Pay $159.00' }).click()
  await expect(success(page)).toBeVisible()
})

test('is silent and loses nothing when the wallet rejects', async ({ start, page, wallet }) => {
  await readyToBuy(start)
  wallet.refuseNext('eth_signTypedData_v4')
  await create(page).click()
  await expect.poll(() => wallet.asked.includes('eth_signTypedData_v4')).toBe(true)
  await expect(create(page)).toHaveText('Pay $158.00')
  await expect(page.getByRole('dialog')).toBeHidden()
  wallet.refuseNext('eth_sendTransaction')
  await create(page).click()
  await expect.poll(() => wallet.asked.includes('eth_sendTransaction')).toBe(true)
  await expect(create(page)).toHaveText('Pay $158.00')
  await expect(page.getByRole('dialog')).toBeHidden()
  await create(page).click()
  await expect(success(page)).toBeVisible()
})

test('resumes a purchase after a reload', async ({ start, page, node }) => {
  await readyToBuy(start)
  await create(page).click()
  await expect(page).toHaveURL(/tx=0x[0-9a-f]{64}/)
  await page.reload()
  await expect(success(page)).toContainText(`helios-${node}`)
})

test('reports a machine that was sold meanwhile, and pays nothing', async ({ start, page, provider, wallet, node }) => {
  await readyToBuy(start)
  await page.route('**/v1/events', (route) => route.abort())
  await page.reload()
  await expect(create(page)).not.toHaveAttribute('aria-disabled', 'true')

  // Even without events it reads the machine again every thirty seconds.
  const pressed = Promise.withResolvers<void>()
  await page.route('**/v1/nodes/**', (route) => pressed.promise.then(() => route.continue()))
  await provider.sellToOther(BigInt(node))
  await create(page).click()
  pressed.resolve()
  await expect(page.getByText('Somebody else was faster')).toBeVisible()
  await expect(create(page)).toHaveAttribute('aria-disabled', 'true')
  await expect(page.getByRole('link', { name: 'See other machines' })).toBeVisible()
  expect(wallet.asked).not.toContain('eth_sendTransaction')
})

test('pays and deploys with one press, and deploys from the popup what was not signed', async ({
  start,
  page,
  market,
  wallet,
  api,
  provider,
}) => {
  await api.faucet(wallet.address)
  await openConnected(page, wallet, `${purchaseUrl(start)}&run=mefs-user`)
  const choice = page.getByRole('combobox', { name: 'What runs' })
  await expect(choice).toHaveValue('mefs-user')
  await expect(page.getByText('Fill in the settings of the application first.')).toBeVisible()
  await choice.selectOption('nginx')
  await expect(page).toHaveURL(/run=nginx/)
  const asks = page.getByRole('list', { name: 'What your wallet will ask' }).getByRole('listitem')
  await expect(asks).toHaveText([/^1Allow exactly \$158\.00/, /^2Buy helios-/, '3Deploy nginxsignature, no gas'])
  await isAccessibleInEveryLook(page)
  const pay = page.getByRole('button', { name: 'Create Order: Pay $158.00 and start nginx' })
  await expect(pay).not.toHaveAttribute('aria-disabled', 'true')
  // A previous file may have left it willing.
  provider.acceptDeploys(false)
  wallet.refuseNext('personal_sign')
  await pay.click()
  await expect(success(page)).toContainText('nginx was not deployed: the request was not signed.')
  await success(page).getByRole('button', { name: 'Deploy nginx' }).click()
  await expect(success(page)).toContainText('nginx was not deployed: The provider')
  provider.acceptDeploys()
  await success(page).getByRole('button', { name: 'Deploy nginx' }).click()
  await expect(page).toHaveURL(new RegExp(`^${market.url}/orderinfo\\?id=\\d+$`))
  await expect(page.getByRole('main')).toContainText('nginx')
})

test('pays with one batch and no permit from a wallet that batches', async ({ start, page, wallet, node }) => {
  wallet.canBatch = true
  await readyToBuy(start)
  await page.getByRole('combobox', { name: 'What runs' }).selectOption('nginx')
  const asks = page.getByRole('list', { name: 'What your wallet will ask' }).getByRole('listitem')
  await expect(asks).toHaveText([
    `1Allow exactly $158.00. Buy helios-${node} for 1 monthtransaction`,
    '2Deploy nginxsignature, no gas',
  ])
  await page.getByRole('combobox', { name: 'What runs' }).selectOption('Nothing yet; I’ll deploy later')
  await create(page).click()
  await expect(success(page)).toBeVisible()
  expect(wallet.asked.filter((method) => method === 'wallet_sendCalls')).toHaveLength(1)
  expect(wallet.asked).not.toContain('eth_signTypedData_v4')
  expect(wallet.asked).not.toContain('eth_sendTransaction')
})

test('approves exactly the fee first with a wallet that cannot sign a permit', async ({ start, page, provider, wallet }) => {
  wallet.unknown.add('eth_signTypedData_v4')
  await readyToBuy(start)
  await create(page).click()
  await expect(success(page)).toBeVisible()
  await expect(page.getByText('Approval of exactly $158.00')).toBeVisible()
  expect(wallet.asked.filter((method) => method === 'eth_sendTransaction')).toHaveLength(2)
  expect(await allowanceOf(provider, wallet)).toBe(0n)
})

test('buys and cancels with the development wallet without a prompt', async ({ page, market, provider, node }) => {
  await page.goto(purchaseUrl({ market, provider, node }))
  await create(page).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: /Development wallet/ }).click()
  await dialog.getByRole('button', { name: 'Sign the message' }).click()
  await success(page).getByRole('button', { name: 'Go to My orders' }).click()
  await page.getByRole('article').getByRole('button', { name: 'Cancel…' }).click()
  await expect(dialog).toContainText('Nothing is charged.')
  await dialog.getByRole('button', { name: 'Cancel order, get $158.00 back' }).click()
  await expect(page.getByText(/^Order \d+ is cancelled$/)).toBeVisible()
  await expect(page.getByRole('heading', { name: 'No order is active' })).toBeVisible()
})

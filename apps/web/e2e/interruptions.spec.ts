import { buy, connect, create, creditOf, duration, expect, purchaseUrl, readyToBuy, success, test } from './buyerTest.ts'

test('pays nothing with a wallet that locks itself while asked to sign, and continues once it is unlocked', async ({
  start,
  page,
  provider,
  wallet,
}) => {
  await readyToBuy(start)
  await duration(page).fill('2')
  const before = await creditOf(provider, wallet)
  const question = wallet.hold('eth_signTypedData_v4')
  await create(page).click()
  await question.asked
  await wallet.lock()
  question.release()
  await expect(page.getByText('Connect Wallet and pay')).toBeVisible()
  expect(await creditOf(provider, wallet)).toBe(before)

  const popup = page.getByRole('dialog', { name: 'Create Order Error' })
  await expect(popup).toContainText('Your wallet is locked.')
  await expect(popup).toContainText('the fee is still in your wallet')
  await popup.getByRole('button', { name: 'Close' }).last().click()

  await wallet.unlock()
  await expect(duration(page)).toHaveValue('2')
  await expect(create(page)).not.toHaveAttribute('aria-disabled', 'true')
  await create(page).click()
  await expect(success(page)).toBeVisible()
})

test('sends nothing in the name of another account chosen during the wallet’s prompt', async ({
  start,
  page,
  provider,
  wallet,
}) => {
  await readyToBuy(start)
  const first = wallet.account
  const before = await creditOf(provider, wallet)
  const question = wallet.hold('eth_signTypedData_v4')
  await create(page).click()
  await question.asked
  await wallet.switchAccount()
  question.release()
  await expect(page.getByText('Sign in and pay')).toBeVisible()
  const popup = page.getByRole('dialog', { name: 'Create Order Error' })
  await expect(popup).toContainText('The account in your wallet has changed. Nothing was sent from the new one.')
  await popup.getByText('Details').click()
  await expect(popup).toContainText('account_changed')
  await popup.getByRole('button', { name: 'Close' }).last().click()
  expect(wallet.asked).not.toContain('eth_sendTransaction')

  await wallet.switchAccount(first)
  expect(await creditOf(provider, wallet)).toBe(before)
  await create(page).click()
  await expect(success(page)).toBeVisible()
})

test('signs nothing when signed out during a deployment, and asks to sign in', async ({ start, page, wallet, market }) => {
  const id = await buy(start)
  await page.goto(`${market.url}/orderdeploy/${id}/`)
  await page.getByRole('button', { name: 'Deploy nginx' }).click()
  await page.getByLabel('Title of the first page').fill('Kept')
  const signed = wallet.asked.filter((method) => method === 'personal_sign').length
  await wallet.lock()
  await page.getByRole('button', { name: 'Sign and deploy' }).click()
  const notice = page.getByRole('dialog', { name: 'Please connect a wallet' })
  await expect(notice).toBeVisible()
  expect(wallet.asked.filter((method) => method === 'personal_sign')).toHaveLength(signed)
  await wallet.unlock()
  await expect(notice).toBeHidden()
  await expect(page.getByLabel('Title of the first page')).toHaveValue('Kept')
  await page.getByRole('button', { name: 'Sign and deploy' }).click()
  await expect(page.getByRole('dialog', { name: 'Deploy Error' })).toContainText('The provider does not have the image')
})

test('steps back through a purchase, and never into a second payment', async ({ start, page, market, wallet }) => {
  await start.api.faucet(wallet.address)
  await page.goto(`${market.url}/nodelist?q=helios-${start.node}`)
  await connect(page, wallet)
  await page.getByRole('link', { name: `Buy helios-${start.node}`, exact: true }).click()
  await duration(page).fill('3')
  await expect(page).toHaveURL(/for=3h/)
  await page.goBack()
  await expect(page).toHaveURL(/nodelist/)
  await page.goForward()
  await expect(duration(page)).toHaveValue('3')
  await create(page).click()
  await expect(success(page)).toBeVisible()
  await success(page).getByRole('button', { name: 'Go to My orders' }).click()
  await expect(page).toHaveURL(/myspace/)
  await page.goBack()
  await expect(page).toHaveURL(/nodelist/)
})

test('keeps choices over a reload at any step of a purchase, and pays once', async ({ start, page, provider, wallet }) => {
  await start.api.faucet(wallet.address)
  const before = await creditOf(provider, wallet)
  await page.goto(purchaseUrl(start).replace('for=1mo', 'for=2mo'))
  await page.reload()
  await expect(duration(page)).toHaveValue('2')
  await connect(page, wallet)
  await page.reload()
  await expect(create(page)).not.toHaveAttribute('aria-disabled', 'true')
  await duration(page).fill('4')
  await expect(page).toHaveURL(/for=4mo/)
  await page.reload()
  await expect(page.getByTestId('fee')).toHaveText('$632.00')

  const question = wallet.hold('eth_signTypedData_v4')
  await create(page).click()
  await question.asked
  await page.reload()
  question.release()
  await expect(create(page)).not.toHaveAttribute('aria-disabled', 'true')
  expect(wallet.asked).not.toContain('eth_sendTransaction')

  await create(page).click()
  await expect(page).toHaveURL(/tx=0x[0-9a-f]{64}/)
  await page.reload()
  await expect(success(page)).toBeVisible()
  await page.reload()
  await expect(success(page)).toBeVisible()
  expect(wallet.asked.filter((method) => method === 'eth_sendTransaction')).toHaveLength(1)
  expect(before - (await creditOf(provider, wallet))).toBe(632n * 10n ** 18n)
})

test('signs nothing by itself after a reload at any step of a deployment', async ({ start, page, wallet, market }) => {
  const id = await buy(start)
  await page.goto(`${market.url}/orderdeploy/${id}/`)
  const deploy = page.getByRole('button', { name: 'Deploy nginx' })
  await deploy.click()
  await page.reload()
  await deploy.click()
  const question = wallet.hold('personal_sign')
  await page.getByRole('button', { name: 'Sign and deploy' }).click()
  await question.asked
  await page.reload()
  question.release()
  await expect(deploy).not.toHaveAttribute('aria-disabled', 'true')
  await expect(page.getByRole('list', { name: 'Progress of the deployment' })).toBeHidden()
  await deploy.click()
  await page.getByRole('button', { name: 'Sign and deploy' }).click()
  await expect(page.getByRole('dialog', { name: 'Deploy Error' })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('list', { name: 'Progress of the deployment' })).toContainText('Failed')
  await page.goBack()
  await expect(page).toHaveURL(/myspace/)
})

test('waits for the wallet’s reconnection when Deploy is pressed, and continues', async ({ start, page, market }) => {
  const id = await buy(start)
  const answered = Promise.withResolvers<void>()
  await page.route('**/v1/auth/session*', (route) => answered.promise.then(() => route.continue()))
  await page.goto(`${market.url}/orderdeploy/${id}/`)
  const deploy = page.getByRole('button', { name: 'Deploy nginx' })
  await deploy.click()
  await expect(deploy).toHaveText('Connecting your wallet…')
  await expect(page.getByRole('dialog')).toBeHidden()
  answered.resolve()
  await expect(page.getByLabel('Title of the first page')).toBeVisible()
})

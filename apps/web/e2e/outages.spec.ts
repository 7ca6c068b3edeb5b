import { type ProcessName, pidOf, type RunningMarket } from '@rackfair/testkit'
import { chainStateFile, saveState } from '../../market/src/chainState.ts'
import { expect, test, whyNoAgent } from './agentTest.ts'
import { pressMore } from './orderMenu.ts'
import { openConnected } from './test.ts'

test.skip(whyNoAgent !== undefined, whyNoAgent)

test('reports a killed chain, agent and platform, loses nothing, and resumes without a reload', async ({
  page,
  market,
  wallet,
}) => {
  test.setTimeout(300_000)
  const create = page.getByRole('button', { name: /^Create Order/ })
  const success = page.getByRole('dialog', { name: 'Create Order Submit Success' })
  await openConnected(page, wallet, `${market.url}/nodelist`)
  await page.getByRole('link', { name: /^Buy / }).first().click()
  await page.getByRole('button', { name: 'Get test Credit and gas' }).click()
  await expect(create).not.toHaveAttribute('aria-disabled', 'true')

  // The last seconds before a kill may be lost with it.
  await saveState({ rpcUrl: market.rpcUrl, stateFile: chainStateFile(market.stateDir) })

  await test.step('the chain is killed during the wallet’s prompt', async () => {
    const question = wallet.hold('eth_signTypedData_v4')
    await create.click()
    await question.asked
    const back = takeAway(market, 'chain')
    question.release()
    const popup = page.getByRole('dialog', { name: 'Create Order Error' })
    await expect(popup).toContainText('The chain cannot be reached. Nothing was sent; try again.')
    await expect(popup).toContainText('the fee is still in your wallet')
    await popup.getByRole('button', { name: 'Close' }).last().click()
    back()
    await expect(async () => {
      if (await popup.isVisible()) await popup.getByRole('button', { name: 'Close' }).last().click({ timeout: 1000 })
      if (!(await success.isVisible())) await create.click({ timeout: 1000 }).catch(() => undefined)
      await expect(success).toBeVisible({ timeout: 5000 })
    }).toPass({ timeout: 90_000 })
    await success.getByRole('button', { name: 'Go to My orders' }).click()
  })

  await test.step('the agent is killed before a deployment', async () => {
    await page.getByRole('article').getByRole('link', { name: 'Deploy' }).click()
    const back = takeAway(market, 'agent')
    await page.getByRole('button', { name: 'Deploy nginx' }).click()
    await page.getByRole('button', { name: 'Sign and deploy' }).click()
    const steps = page.getByRole('list', { name: 'Progress of the deployment' })
    await expect(steps).toContainText('The request is kept until the provider’s machine takes it')
    await expect(page.getByRole('button', { name: 'Deploy nginx' })).toHaveAttribute('aria-disabled', 'true')
    back()
    await expect(steps).toContainText('after your signature', { timeout: 120_000 })
  })

  await test.step('the platform is killed while the order is open', async () => {
    await page
      .getByRole('navigation', { name: 'Breadcrumb' })
      .getByRole('link', { name: /^Order/ })
      .click()
    await expect(page.getByText('Deployed', { exact: true })).toBeVisible()
    const back = takeAway(market, 'platform')
    const live = page.getByRole('banner').getByRole('status', { name: 'Live', exact: true })
    await expect(live).toBeHidden()
    await page.getByRole('link', { name: 'Receipt' }).click()
    await expect(page.getByRole('heading', { name: 'The receipt could not be read' })).toBeVisible()
    back()
    await expect(live).toBeVisible({ timeout: 60_000 })
    await expect(page.getByRole('row', { name: /Bought/ })).toBeVisible({ timeout: 60_000 })
    await page.getByRole('link', { name: 'Back to the order' }).click()
    await pressMore(page, 'Cancel…')
    await page.getByRole('button', { name: /^Cancel order, get/ }).click()
    await expect(page.getByText('Cancelled by you', { exact: true })).toBeVisible()
    await expect(page.getByRole('region', { name: 'Access' })).toContainText('Closed with the order', {
      timeout: 90_000,
    })
  })
})

/** Kills a process as a fault would. Its supervisor is suspended until resumed. */
function takeAway(market: RunningMarket, name: ProcessName): () => void {
  const keeper = pidOf(market.stateDir, 'market')
  const pid = pidOf(market.stateDir, name)
  process.kill(keeper, 'SIGSTOP')
  process.kill(pid, 'SIGKILL')
  return () => process.kill(keeper, 'SIGCONT')
}

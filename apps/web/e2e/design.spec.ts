import { rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { createServer } from 'vite'
import { isAccessible, isAccessibleInEveryLook } from './isAccessible.ts'
import { expect, test } from './test.ts'

test('shows the design page of `npm run dev` without axe violations, with every dialog open', {
  tag: '@long',
}, async ({ browser, market }) => {
  // Read by vite.config.ts.
  process.env.RACKFAIR_PLATFORM = market.url
  const root = fileURLToPath(new URL('..', import.meta.url))
  const cacheDir = `${root}node_modules/.vite-${process.pid}`
  const server = await createServer({
    root,
    logLevel: 'error',
    cacheDir,
    server: { port: 0, hmr: false },
  })
  await server.listen()
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
  const page = await context.newPage()
  await page.goto(`${server.resolvedUrls?.local[0]}design`)
  await expect(page.getByRole('heading', { level: 1, name: 'Design' })).toBeVisible({ timeout: 60_000 })
  await isAccessibleInEveryLook(page)
  for (const name of ['Dialog', 'Wide dialog', 'Error dialog']) {
    const opener = page.getByRole('button', { name, exact: true })
    await opener.click()
    await expect(page.getByRole('dialog')).toBeVisible()
    await isAccessible(page)
    await page.getByRole('dialog').getByRole('button').last().click()
    await expect(page.getByRole('dialog')).toBeHidden()
    await expect(opener).toBeFocused()
  }
  await context.close()
  await server.close()
  rmSync(cacheDir, { recursive: true })
})

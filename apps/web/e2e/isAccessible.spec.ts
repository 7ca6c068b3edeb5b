import { isAccessible } from './isAccessible.ts'
import { expect, test } from './test.ts'

test('reports an unnamed button and a text of low contrast', async ({ page }) => {
  await page.setContent('<main lang="en"><h1>One</h1><button></button><p style="color: #ddd; background: #fff">faint</p></main>')
  const findings = await isAccessible(page).then(
    () => '',
    (error: Error) => error.message,
  )
  expect(findings).toContain('button-name: <button></button>')
  expect(findings).toContain('color-contrast')
})

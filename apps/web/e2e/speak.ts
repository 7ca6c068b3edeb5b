import type { Page } from '@playwright/test'

/** Changes the language with the page's own switch, even under a dialog. Foreign pages keep their language. */
export async function speak(page: Page, locale: 'en' | 'zh'): Promise<void> {
  await page.evaluate(async (wanted) => {
    const button = [...document.querySelectorAll('header button')].find((one) => ['EN', '中文'].includes(one.textContent ?? ''))
    if (!(button instanceof HTMLElement) || button.textContent === (wanted === 'en' ? 'EN' : '中文')) return
    button.click()
    while (document.documentElement.lang !== wanted) await new Promise((done) => setTimeout(done, 20))
    await new Promise((done) => setTimeout(done, 300))
  }, locale)
}

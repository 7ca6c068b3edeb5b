import type { Page } from '@playwright/test'

/** The annotation of a failed test with the last state of its page; the summary of `npm test` prints it. */
export const LAST_PAGE = 'last page'
const MAX_LINES = 8
const MAX_LINE = 200

/** Records errors of a page. Returns a function that reports the page's URL, its notices and its last errors. */
export function watchPage(page: Page): () => Promise<string> {
  const complaints: string[] = []
  const note = (line: string) => {
    complaints.push(line.slice(0, MAX_LINE))
    if (complaints.length > MAX_LINES) complaints.shift()
  }
  page.on('pageerror', ({ message }) => note(`error: ${message}`))
  page.on('console', (line) => line.type() === 'error' && note(`console: ${line.text()}`))
  page.on('requestfailed', (request) => note(`${request.failure()?.errorText}: ${request.method()} ${request.url()}`))
  return async () => {
    const notices = await page
      .getByRole('region', { name: /^(Notifications|通知)$/ })
      .textContent({ timeout: 2000 })
      .catch(() => '')
    return [`at ${page.url()}`, ...(notices ? [notices.slice(0, MAX_LINE)] : []), ...complaints].join('\n')
  }
}

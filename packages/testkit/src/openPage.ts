const DISTURBED = /ERR_NETWORK_CHANGED|is interrupted by another navigation/
const ATTEMPTS = 10

/**
 * Like `page.goto`: Chromium aborts loads when a container's network appears or disappears on the machine, so the page is opened again.
 * Navigations that follow interrupt a load, too: Chromium's error page, which loads again what was aborted, under the address that a
 * redirect led to; and a page whose own script was aborted, which reloads itself (`apps/web/public/boot.js`).
 */
export async function openPage<Answer>(
  page: { goto(url: string, options?: object): Promise<Answer> },
  url: string,
  options?: object,
): Promise<Answer> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await page.goto(url, options)
    } catch (error) {
      if (!DISTURBED.test(String(error)) || attempt === ATTEMPTS) throw error
    }
  }
}

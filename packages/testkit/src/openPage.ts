/** The load that was let go of says so by name; one that began just after it is interrupted by Chromium's page about it. */
const NETWORK_CHANGED = /ERR_NETWORK_CHANGED|interrupted by another navigation to "chrome-error:/

/** As `page.goto`: Chromium lets go of what it loads when a container's network comes or goes beside it, and then the page is opened again. */
export async function openPage<Where extends unknown[], Answer>(
  page: { goto(...where: Where): Promise<Answer> },
  ...where: Where
): Promise<Answer> {
  try {
    return await page.goto(...where)
  } catch (error) {
    if (!NETWORK_CHANGED.test(String(error))) throw error
    return openPage(page, ...where)
  }
}

/** As `page.goto`: Chromium lets go of what it loads when a container's network comes or goes beside it, and then the page is opened again. */
export async function openPage<Where extends unknown[], Answer>(
  page: { goto(...where: Where): Promise<Answer> },
  ...where: Where
): Promise<Answer> {
  try {
    return await page.goto(...where)
  } catch (error) {
    if (!String(error).includes('ERR_NETWORK_CHANGED')) throw error
    return openPage(page, ...where)
  }
}

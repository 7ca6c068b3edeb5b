import { expect, it, vi } from 'vitest'
import { openPage } from './openPage.ts'

const PAGE = 'http://127.0.0.1:7000/nodelist'
const NETWORK_CHANGED = `page.goto: net::ERR_NETWORK_CHANGED at ${PAGE}`

it.each([
  NETWORK_CHANGED,
  `page.goto: Navigation to "${PAGE}" is interrupted by another navigation to "chrome-error://chromewebdata/"`,
  `page.goto: Navigation to "${PAGE}" is interrupted by another navigation to "http://127.0.0.1:7001/"`,
])('reloads a page after "%s"', async (message) => {
  const goto = vi.fn().mockRejectedValueOnce(new Error(message)).mockResolvedValue('the answer')
  expect(await openPage({ goto }, PAGE)).toBe('the answer')
  expect(goto).toHaveBeenCalledTimes(2)
})

it('rethrows that a server is unreachable', async () => {
  const message = `page.goto: net::ERR_CONNECTION_REFUSED at ${PAGE}`
  const goto = vi.fn().mockRejectedValue(new Error(message))
  await expect(openPage({ goto }, PAGE)).rejects.toThrow(message)
  expect(goto).toHaveBeenCalledTimes(1)
})

it('gives up after ten disturbed loads', async () => {
  const goto = vi.fn().mockRejectedValue(new Error(NETWORK_CHANGED))
  await expect(openPage({ goto }, PAGE)).rejects.toThrow(NETWORK_CHANGED)
  expect(goto).toHaveBeenCalledTimes(10)
})

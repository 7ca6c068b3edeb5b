import { DEVELOPMENT_CHAIN_ID } from '@rackfair/rules/chains'
import { requestText } from '#requestText'
import { isMonitorUrl } from './isMonitorUrl.ts'

const ANSWER_MS = 10_000

/**
 * What a monitor answers at a path below its URL, as parsed JSON. Monitors name their URL themselves: in Node nothing but a public address is
 * connected to, except on a development chain.
 * @throws Error if there is no answer within ten seconds and `maxBytes`, or the URL is none that clients follow.
 * @example await askMonitor('https://monitor.example', '/v1/reports/7', 985, 2 ** 20)
 */
export async function askMonitor(url: string, path: string, chainId: number, maxBytes: number): Promise<unknown> {
  if (!isMonitorUrl(url, chainId)) throw new Error(`${url} is no URL of a monitor`)
  const isPublic = chainId !== DEVELOPMENT_CHAIN_ID
  return JSON.parse(await requestText(url + path, { isPublic, maxBytes, milliseconds: ANSWER_MS }))
}

import type { QueryClient, QueryKey } from '@tanstack/react-query'
import type { Locale } from '../i18n/locale.ts'
import { drawAt } from '../platform/browser/useNow.ts'

/** The data a page was rendered from on the platform, so that the browser renders exactly the same. */
export interface Seed {
  locale: Locale
  /** Unix seconds. */
  time: number
  answers: readonly (readonly [QueryKey, unknown])[]
}

const ELEMENT = 'drawn-from'

/** Serialised for embedding. Escaped so that no text, such as a machine's name, can close the element. */
export function seedElement(seed: Seed): string {
  return `<script id="${ELEMENT}" type="application/json">${JSON.stringify(seed).replaceAll('<', '\\u003c')}</script>`
}

export function readSeed(): Seed | undefined {
  const text = document.getElementById(ELEMENT)?.textContent
  return text ? (JSON.parse(text) as Seed) : undefined
}

/** They count as read now: where the page is live, what changed since is read again as soon as its stream is open. */
export function sow(client: QueryClient, { time, answers }: Seed): void {
  drawAt(time)
  for (const [key, data] of answers) client.setQueryData(key, data)
}

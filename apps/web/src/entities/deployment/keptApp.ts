const KEY = 'rackfair.apps'
const drafts = new Map<string, string>()

/** Hands what was pasted before an order was paid to the page that describes its application. It may hold secrets, so nothing stores it. */
export const keepDraft = (orderId: string, text: string): void => void drafts.set(orderId, text)

/** What was pasted before the order was paid. */
export const draftOf = (orderId: string): string | undefined => drafts.get(orderId)

/** Orders whose application is remembered; the oldest goes first. */
const MOST = 10

type Kept = readonly (readonly [orderId: string, yaml: string])[]

/** Remembers what was last deployed on an order, to be edited after a failure. An app.yaml has no values of secrets. */
export function keepApp(orderId: string, yaml: string): void {
  drafts.delete(orderId)
  const others = readAll().filter(([id]) => id !== orderId)
  try {
    localStorage.setItem(KEY, JSON.stringify([...others, [orderId, yaml]].slice(-MOST)))
  } catch {
    // Without storage it has to be described again.
  }
}

/** The app.yaml that was last deployed on an order from this browser. */
export const keptApp = (orderId: string): string | undefined => readAll().find(([id]) => id === orderId)?.[1]

function readAll(): Kept {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]')
    if (!Array.isArray(kept)) return []
    return kept.filter((one) => Array.isArray(one) && typeof one[0] === 'string' && typeof one[1] === 'string').slice(-MOST)
  } catch {
    return []
  }
}

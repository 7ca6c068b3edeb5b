import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const OF_ORDER = /^order-(\d+)$/

/**
 * The folders of images that are not yet fetched whole, and in each a file for every order that waits for it: whatever ends the agent, what
 * came is of use to a next try, and is removed with its orders. One without an order is nobody's.
 */
export function openPartialPulls(root: string, discard: (folder: string) => unknown) {
  const folder = (digest: string) => join(root, digest.replace('sha256:', 'image-'))
  const remove = (digest: string) => void discard(folder(digest))
  const digests = () =>
    (existsSync(root) ? readdirSync(root, { withFileTypes: true }) : [])
      .filter((one) => one.isDirectory())
      .map(({ name }) => name.replace('image-', 'sha256:'))
  const ordersOf = (digest: string) =>
    readdirSync(folder(digest)).flatMap((name) => {
      const id = OF_ORDER.exec(name)?.[1]
      return id === undefined ? [] : [BigInt(id)]
    })
  for (const digest of digests()) if (ordersOf(digest).length === 0) remove(digest)

  return {
    folder,
    remove,
    digests,
    note(digest: string, orderId: bigint): void {
      mkdirSync(folder(digest), { recursive: true, mode: 0o700 })
      writeFileSync(join(folder(digest), `order-${orderId}`), '')
    },
    /** Answers the images for which no order waits any more. */
    release: (orderId: bigint): string[] =>
      digests().filter((digest) => {
        if (!ordersOf(digest).includes(orderId)) return false
        rmSync(join(folder(digest), `order-${orderId}`))
        return ordersOf(digest).length === 0
      }),
    orders: (): bigint[] => [...new Set(digests().flatMap(ordersOf))],
  }
}

import { PATHS } from './paths.ts'

/** What anybody may read without one, and where mails lead to. */
const FREE: readonly string[] = [
  PATHS.home,
  PATHS.homeToo,
  PATHS.status,
  PATHS.nodeList,
  PATHS.search,
  PATHS.providerDetail,
  PATHS.alerts,
  PATHS.design,
]

/** True for every known screen that needs a wallet; an unknown address asks for nothing. */
export function asksForWallet(path: string): boolean {
  const clean = path.length > 1 ? path.replace(/\/$/, '') : path
  if (FREE.includes(clean)) return false
  return Object.values(PATHS).includes(clean as never) || /^\/orderdeploy\/[^/]+$/.test(clean)
}

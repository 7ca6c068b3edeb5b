import { PATHS } from './paths.ts'

const UNASKED: readonly string[] = [PATHS.home, PATHS.homeToo, PATHS.status, PATHS.alerts, PATHS.design]

/** Shows the same to everybody: only paying needs a wallet. */
const FREE_TO_SEE: readonly string[] = [
  PATHS.nodeList,
  PATHS.search,
  PATHS.machine,
  PATHS.providerDetail,
  PATHS.addOrder,
  PATHS.console,
]

export const isFreeToSee = (path: string): boolean => FREE_TO_SEE.includes(withoutSlash(path))

const withoutSlash = (path: string) => (path.length > 1 ? path.replace(/\/$/, '') : path)

/** True for every known screen except home, status and the targets of mail links; an unknown path needs no wallet. */
export function asksForWallet(path: string): boolean {
  const clean = withoutSlash(path)
  if (UNASKED.includes(clean)) return false
  return Object.values<string>(PATHS).includes(clean) || /^\/orderdeploy\/[^/]+$/.test(clean)
}

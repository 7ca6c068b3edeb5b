import { PATHS } from './paths.ts'

const FREE: readonly string[] = [PATHS.home, PATHS.homeToo, PATHS.status, PATHS.alerts, PATHS.design]

/** True for every known screen except home, status and the targets of mail links; an unknown path needs no wallet. */
export function asksForWallet(path: string): boolean {
  const clean = path.length > 1 ? path.replace(/\/$/, '') : path
  if (FREE.includes(clean)) return false
  return Object.values(PATHS).includes(clean as never) || /^\/orderdeploy\/[^/]+$/.test(clean)
}

import { PATHS } from './paths.ts'

const FREE: readonly string[] = [PATHS.home, PATHS.homeToo, PATHS.status, PATHS.alerts, PATHS.design]

/** True for every known screen but home, status and where mails lead to; an unknown address asks for nothing. */
export function asksForWallet(path: string): boolean {
  const clean = path.length > 1 ? path.replace(/\/$/, '') : path
  if (FREE.includes(clean)) return false
  return Object.values(PATHS).includes(clean as never) || /^\/orderdeploy\/[^/]+$/.test(clean)
}

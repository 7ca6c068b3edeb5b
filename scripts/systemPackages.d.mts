export type Purpose = 'provider' | 'test'
export const SYSTEM_PACKAGES: Readonly<Record<Purpose, readonly string[]>>
export function missingPackages(purpose: Purpose): string[] | undefined
export function ensureSystemPackages(options: {
  purpose: Purpose
  install?: boolean
  log?: (line: string) => void
}): Promise<{ ok: boolean; missing: string[]; reason?: string }>

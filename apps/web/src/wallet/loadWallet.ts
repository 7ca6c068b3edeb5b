import { withTexts } from '../i18n/withTexts.ts'
import { loadOnce } from '../platform/loading/loadOnce.ts'

type Runtime = typeof import('./session/index.ts')

/** Loads the wallet code at the first interaction or on demand, never with a public page's first load. */
export const loadWallet: () => Promise<Runtime> = loadOnce(withTexts(() => import('./session/index.ts')))

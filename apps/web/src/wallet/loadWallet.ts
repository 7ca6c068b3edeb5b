import { withTexts } from '../i18n/withTexts.ts'
import { loadOnce } from '../lib/loadOnce.ts'

type Runtime = typeof import('./runtime/index.ts')

/** The wallet code, loaded when somebody is there or asks for it, and never with a public page's first load. */
export const loadWallet: () => Promise<Runtime> = loadOnce(withTexts(() => import('./runtime/index.ts')))

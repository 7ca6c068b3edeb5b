import type { canBatch as can } from './canBatch.ts'
import type { sendCalls as send } from './transactions/sendCalls.ts'

export { WalletRoot } from './dialogs/WalletRoot.tsx'
export { signText, signTyped } from './sign.ts'

/** The code that sends is loaded with the first transaction. */
export const sendCalls: typeof send = async (...values) => (await import('./transactions/sendCalls.ts')).sendCalls(...values)

export const canBatch: typeof can = async () => (await import('./canBatch.ts')).canBatch()

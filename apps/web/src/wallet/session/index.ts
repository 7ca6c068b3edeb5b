import type { canBatch as can } from './canBatch.ts'
import type * as signing from './sign.ts'
import type { sendCalls as send } from './transactions/sendCalls.ts'

export { WalletRoot } from '../dialogs/WalletRoot.tsx'

/** The code that signs and sends is loaded with the first text and the first transaction. */
export const signText: typeof signing.signText = async (text) => (await import('./sign.ts')).signText(text)

export const signTyped: typeof signing.signTyped = async (data) => (await import('./sign.ts')).signTyped(data)

export const noteNoPermit = async (): Promise<void> => (await import('./sign.ts')).noteNoPermit()

export const sendCalls: typeof send = async (...values) => (await import('./transactions/sendCalls.ts')).sendCalls(...values)

export const canBatch: typeof can = async () => (await import('./canBatch.ts')).canBatch()

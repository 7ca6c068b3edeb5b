export { canBatch } from './canBatch.ts'
export { WalletRoot } from './dialogs/WalletRoot.tsx'
export { signText, signTyped } from './sign.ts'
export { sendCalls } from './transactions/sendCalls.ts'

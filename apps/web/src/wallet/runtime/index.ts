export { sendCalls } from './sendCalls.ts'
export { signText, signTyped } from './sign.ts'
export { WalletRoot } from './WalletRoot.tsx'

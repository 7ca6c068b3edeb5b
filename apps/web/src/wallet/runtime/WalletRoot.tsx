export function WalletRoot() {
  return null
}

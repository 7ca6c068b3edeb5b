export const en = {
  connect: 'Connect Wallet',
  title: 'Connect a wallet',
  connecting: 'Connecting…',
  wrongNetwork: 'Wrong network',
  signIn: 'Sign in',
  account: 'Account',
  network: 'Network',
  opening: 'Opening your wallet',
  unread: 'The balance could not be read',
  notLoaded: {
    title: 'The wallet dialog could not be loaded',
    text: 'Nothing was asked of your wallet. Check your connection and try again.',
  },
}

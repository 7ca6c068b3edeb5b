export const en = {
  connect: 'Connect Wallet',
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
  need: {
    title: 'Connect a wallet to go on',
    text: 'Your wallet is your account here: it signs, and it holds your money until you spend it.',
    signInTitle: 'Sign in to go on',
    signInText: 'Your wallet is connected. One signature shows that it is yours; it costs nothing.',
    networkTitle: 'Your wallet is on another network',
    networkText: 'This market runs on another chain. Switch the network in your wallet to go on.',
    switch: 'Switch network',
  },
}

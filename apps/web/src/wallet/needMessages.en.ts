export const en = {
  title: 'Connect a wallet to go on',
  text: 'Your wallet is your account here: it signs, and it holds your money until you spend it.',
  signInTitle: 'Sign in to go on',
  signInText: 'Your wallet is connected. One signature shows that it is yours; it costs nothing.',
  networkTitle: 'Your wallet is on another network',
  networkText: 'This market runs on another chain. Switch the network in your wallet to go on.',
  switch: 'Switch network',
}

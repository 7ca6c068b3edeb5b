export const en = {
  title: 'Connect a wallet to continue',
  text: 'Your wallet is your account here: it signs, and it holds your money until you spend it.',
  signInTitle: 'Sign in to continue',
  signInText: 'Your wallet is connected. One signature shows that it is yours; it costs nothing.',
  networkTitle: 'Your wallet is on another network',
  networkText: 'This market runs on another chain. Switch the network in your wallet to continue.',
  switch: 'Switch network',
}

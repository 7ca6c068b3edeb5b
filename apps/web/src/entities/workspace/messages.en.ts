export const en = {
  visit: 'Visit',
  askTitle: (app: string) => `Open ${app}`,
  askText:
    'Only the wallet that owns the order opens this application. It signs once that this browser may open and use it, for up to seven days. That costs nothing and moves no money.',
  sign: 'Sign and open',
  signing: 'Sign in your wallet…',
  cancel: 'Cancel',
  readyTitle: 'Your wallet has signed',
  readyText: 'This browser may open the application now. Next time Visit opens it at once.',
  pressText: 'It took so long that your browser wants another press before it opens a new tab.',
  open: (app: string) => `Open ${app}`,
  error: 'The application was not opened',
}

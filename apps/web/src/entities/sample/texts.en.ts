export const en = {
  short: 'Sample',
  title: 'A sample of a local market',
  long: 'Runs real containers on this computer; the hardware is only simulated.',
}

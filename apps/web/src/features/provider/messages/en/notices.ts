export const notices = {
  confirm: 'Confirm in your wallet',
  confirmOf: (step: string, steps: string) => `Confirm in your wallet (${step} of ${steps})`,
  pending: 'Waiting for the transaction',
  provider: 'Create Provider Submit Success',
  providerText: 'It will take a few minutes to complete the transaction.',
  revised: 'Provider updated',
  revisedText: 'It may take a few minutes until the whole market shows the change.',
  node: 'Create Node Submit Success',
  nodeText: 'It will take a few minutes to complete the transaction.',
  nodeEdited: 'Node updated',
  pledge: 'Pledge Submit Success',
  pledgeText: 'It will take a few minutes to complete the transaction.',
  unpledge: 'Unpledge Submit Success',
  describeRegister: (name: string) => `Register ${name} as a provider`,
  describeRevise: (name: string) => `Edit provider ${name}`,
  describeAddNode: 'Add a node',
  describeEditNode: (node: string) => `Edit ${node}`,
}

export const funds = {
  title: 'Your wallet cannot pay for gas yet',
  text: 'On this development network the faucet gives test Credit and gas for free.',
  elsewhere: 'Send a little of the network’s own currency to your wallet first.',
  get: 'Get test Credit and gas',
  got: 'Test Credit and gas are on their way to your wallet',
  failed: 'The faucet did not answer with money',
}

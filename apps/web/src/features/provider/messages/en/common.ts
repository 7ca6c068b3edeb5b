export const common = {
  title: 'Provider',
  sections: 'Nodes, orders and earnings',
  becomeProvider: 'Become a Provider',
  addNode: 'Add a Node',
  retry: 'Retry',
  cancel: 'Cancel',
  save: 'Save',
  edit: 'Edit',
  actions: 'Actions',
  detail: 'Detail',
  none: 'none',
  notSet: 'not set',
  loadFailed: 'Your provider could not be read',
  readSafe: 'The platform did not answer. Your nodes, orders and money are on the chain and not affected.',
  chainFailed: 'The chain could not be read',
  chainSafe: 'Your money is not affected. Figures from the chain appear as soon as it answers.',
  emptyTitle: 'You are not a provider yet',
  emptyText:
    'Your machines earn by the second while somebody uses them. The money waits in a contract, and nobody but you can withdraw it.',
  noGas: 'Your wallet has none of the network’s own currency to pay for gas.',
  start: {
    begin: 'Start with step 1',
    register: 'A name and the address at which buyers reach your machines. One transaction.',
    nodes: 'What each machine has and what each part costs a month. You set the prices and change them whenever a node is idle.',
    pledge:
      'At least $1, and one day of the price of what you sell: it stands behind your promise. It stays yours, bears interest while an order locks it, and comes back when the order is closed.',
  },
}

export const en = {
  waiting: 'Waiting for the Transaction',
  waitingText: 'The transaction is currently being processed. It will take approximately 1 minute.',
}

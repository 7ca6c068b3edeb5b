import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { WalletRuntime } from '../session/connection/WalletRuntime.ts'
import { createTransactionStore } from '../session/transactions/TransactionStore.ts'
import { RecentTransactions } from './RecentTransactions.tsx'

const ACCOUNT = '0x00000000000000000000000000000000000000aa'

test('shows the three newest transactions with links to the explorer', () => {
  localStorage.clear()
  const transactions = createTransactionStore(localStorage)
  for (const number of [1, 2, 3, 4])
    transactions.add(ACCOUNT, 2985, { hash: `0x${String(number).repeat(64)}`, description: `Transaction ${number}` })
  const installation = { chainId: 2985, explorerUrl: 'https://explorer.example' }
  render(<RecentTransactions runtime={{ transactions, installation } as unknown as WalletRuntime} address={ACCOUNT} />)
  expect(screen.getAllByRole('listitem').map((item) => item.querySelector('span')?.textContent)).toEqual([
    'Transaction 4',
    'Transaction 3',
    'Transaction 2',
  ])
  const links = screen.getAllByRole('link').map((link) => link.getAttribute('href'))
  expect(links[0]).toBe(`https://explorer.example/tx/0x${'4'.repeat(64)}`)
})

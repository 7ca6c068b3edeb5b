import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { NodeTable, type NodeTableProps } from './NodeTable.tsx'

afterEach(cleanup)

test('the columns are Name, CPU, GPU, Memory, Storage, the price, Activate and State', () => {
  const search = { rows: [], summary: undefined, stale: false } as unknown as NodeTableProps['search']
  const rest = { user: undefined, now: 0, buy: true, detail: true } as unknown as NodeTableProps
  render(<NodeTable {...rest} search={search} sort="price" onSort={vi.fn()} />)
  const names = screen.getAllByRole('columnheader').map((header) => header.textContent)
  expect(names.slice(0, 8)).toEqual(['Name', 'CPU', 'GPU', 'Memory', 'Storage', 'Price / month', 'Activate', 'State'])
})

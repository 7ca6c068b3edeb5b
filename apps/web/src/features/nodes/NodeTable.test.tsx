import { cleanup, render, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { NodeTable, type NodeTableProps } from './NodeTable.tsx'

const search = { key: '', rows: [], summary: undefined, stale: false } as unknown as NodeTableProps['search']
const rest = { user: undefined, now: 0, buy: true, detail: true, compare: false } as unknown as NodeTableProps

function columns(per: NodeTableProps['per']) {
  render(<NodeTable {...rest} per={per} search={search} sort="price" onSort={vi.fn()} />)
  return screen.getAllByRole('columnheader').map((header) => [header.textContent, header.getAttribute('aria-sort')])
}

test('has the columns of the specification, and the prices', () => {
  expect(columns('gpu').map(([name]) => name)).toEqual([
    'Name',
    'In',
    'GPU',
    'CPU',
    'Memory',
    'Storage',
    '30 days uninterrupted',
    '$ / GPU / h',
    '$ / month',
    'Activate, Online',
    'State',
    'Actions',
  ])
})

test('shows the sort arrow in one column, for any price unit', () => {
  expect(columns('hour').filter(([, sort]) => sort !== null)).toEqual([['$ / h', 'ascending']])
  cleanup()
  expect(columns('month').filter(([, sort]) => sort !== null)).toEqual([['$ / month', 'ascending']])
})

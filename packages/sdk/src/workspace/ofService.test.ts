import { expect, test } from 'vitest'
import { ofService } from './ofService.ts'
import type { Workspace } from './Workspace.ts'

test('asks of one service what is asked of it, and of the order what is of the order', async () => {
  const asked: unknown[] = []
  const workspace = {
    open: async (kind: string, request: unknown) => void asked.push([kind, request]),
    follow: async ({ kind, request }: { kind: string; request: () => unknown }) => void asked.push([kind, request()]),
  } as unknown as Workspace
  const db = ofService(workspace, 'db')
  await db.open('exec', { command: ['ls'] })
  await db.open('usage')
  await db.open('keys', { action: 'list' })
  await db.follow({ kind: 'logs', request: () => ({ follow: true }), onBytes: () => {}, signal: new AbortController().signal })
  expect(asked).toEqual([
    ['exec', { command: ['ls'], service: 'db' }],
    ['usage', { service: 'db' }],
    ['keys', { action: 'list' }],
    ['logs', { follow: true, service: 'db' }],
  ])
  expect(ofService(workspace, 'db')).toBe(db)
})

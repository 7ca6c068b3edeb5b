import type { FileBegin, FileDone, FileList, FileSpace } from '@rackfair/protocol/workspaceRequests'
import { expect, test } from 'vitest'
import { readDownloadMessage, readFilesMessage } from './files.ts'

const ENTRY = { name: 'model.bin', type: 'file' as const, size: 5, modified: -1 }

test('parses a folder as entries and disk space', () => {
  expect(readFilesMessage({ entries: [ENTRY] } satisfies FileList)).toEqual({ entries: [ENTRY] })
  expect(readFilesMessage({ freeBytes: 1, sizeBytes: 2 } satisfies FileSpace)).toEqual({ space: { freeBytes: 1, sizeBytes: 2 } })
  expect(readFilesMessage({ done: true })).toBeUndefined()
})

test.each([
  ['a name of a million characters', { entries: [{ ...ENTRY, name: 'x'.repeat(1e6) }] }, 'files.entries.name'],
  ['a kind that nobody knows', { entries: [{ ...ENTRY, type: 'portal' }] }, 'files.entries.type'],
  ['a size below nothing', { entries: [{ ...ENTRY, size: -5 }] }, 'files.entries.size'],
  ['a file from after all time', { entries: [{ ...ENTRY, modified: 1e15 }] }, 'files.entries.modified'],
  ['entries that are no list', { entries: 'all' }, 'files.entries'],
  ['a disk of a text', { freeBytes: '1', sizeBytes: 2 }, 'files.freeBytes'],
])('%s is refused', (_, json, field) => expect(() => readFilesMessage(json)).toThrow(`cannot be read: ${field}`))

test('parses a download as a file with a size or a folder without, and its end', () => {
  expect(readDownloadMessage({ type: 'file', size: 5 } satisfies FileBegin)).toEqual({ type: 'file', size: 5 })
  expect(readDownloadMessage({ type: 'tar' } satisfies FileBegin)).toEqual({ type: 'tar' })
  expect(readDownloadMessage({ done: true } satisfies FileDone)).toEqual({ notIncluded: 0 })
  expect(readDownloadMessage({ done: true, notIncluded: 3 } satisfies FileDone)).toEqual({ notIncluded: 3 })
  expect(readDownloadMessage({ later: 1 })).toBeUndefined()
})

test.each([
  ['a size that is no number', { type: 'file', size: { toString: 1 } }, 'download.size'],
  ['a size below nothing', { type: 'file', size: -1 }, 'download.size'],
  ['a kind that nobody knows', { type: 'portal', size: 1 }, 'download.type'],
  ['nothing', null, 'download'],
])('a download of %s is refused', (_, json, field) => expect(() => readDownloadMessage(json)).toThrow(`cannot be read: ${field}`))

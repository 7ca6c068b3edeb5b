import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { chooseDestination } from './destination.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** What becomes of a download whose picker says this after so long. */
async function chosen(name: string, afterMs: number): Promise<'nowhere' | 'the downloads'> {
  vi.stubGlobal(
    'showSaveFilePicker',
    () => new Promise((_, reject) => setTimeout(() => reject(new DOMException('', name)), afterMs)),
  )
  const destination = chooseDestination('notes.txt')
  await vi.advanceTimersByTimeAsync(afterMs)
  return (await destination) === undefined ? 'nowhere' : 'the downloads'
}

test.each([
  ['a person closes the dialog', 'AbortError', 700, 'nowhere'],
  ['a browser without windows closes it at once', 'AbortError', 4, 'the downloads'],
  ['the page may not open one', 'SecurityError', 0, 'the downloads'],
  ['the browser rejects the name', 'TypeError', 0, 'the downloads'],
])('a download goes, where %s', async (_, name, afterMs, place) => expect(await chosen(name, afterMs)).toBe(place))

test('a download goes to the downloads of a browser that cannot ask', async () =>
  expect(await chooseDestination('notes.txt')).toBeDefined())

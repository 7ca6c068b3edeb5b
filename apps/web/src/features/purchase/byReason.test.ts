import { expect, test } from 'vitest'
import { byReason } from './byReason.ts'

test('a reason why applications do not run is said once, with all of them', () => {
  const presets = ['nginx', 'vLLM', 'Ollama', 'MEFS'].map((title) => ({ title }))
  const reasons: Record<string, string> = { vLLM: 'no image', Ollama: 'no image', MEFS: 'needs 4 cores' }
  expect([...byReason(presets, ({ title }) => reasons[title] ?? '')]).toEqual([
    ['no image', ['vLLM', 'Ollama']],
    ['needs 4 cores', ['MEFS']],
  ])
})

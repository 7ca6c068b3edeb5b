import { useSyncExternalStore } from 'react'
import { createStore } from '../../ui/createStore.ts'
import type { ListedNode } from './useNodeSearch.ts'
import { rowKey } from './useScrollAnchor.ts'

export const MAX_COMPARED = 3

const NONE: readonly ListedNode[] = []
const chosen = createStore(NONE)

/** The machines to compare, in the order of choice; they stay chosen over filters and pages of the app. */
export function useCompared(): readonly ListedNode[] {
  return useSyncExternalStore(chosen.subscribe, chosen.get, () => NONE)
}

/** Puts a machine beside the others, or takes it away. A fourth one is not taken. */
export function toggleCompared(node: ListedNode): void {
  const before = chosen.get()
  const without = before.filter((other) => rowKey(other) !== rowKey(node))
  if (without.length === before.length && before.length >= MAX_COMPARED) return
  chosen.set(without.length < before.length ? without : [...before, node])
}

export function clearCompared(): void {
  chosen.set([])
}

import { useSyncExternalStore } from 'react'
import type { ListedNode } from './useNodeSearch.ts'
import { rowKey } from './useScrollAnchor.ts'

export const MAX_COMPARED = 3

const NONE: readonly ListedNode[] = []
let chosen = NONE
const listeners = new Set<() => void>()

/** The machines to compare, in the order of choice; they stay chosen over filters and pages of the app. */
export function useCompared(): readonly ListedNode[] {
  return useSyncExternalStore(subscribe, current, () => NONE)
}

/** Puts a machine beside the others, or takes it away. A fourth one is not taken. */
export function toggleCompared(node: ListedNode): void {
  const without = chosen.filter((other) => rowKey(other) !== rowKey(node))
  if (without.length === chosen.length && chosen.length >= MAX_COMPARED) return
  publish(without.length < chosen.length ? without : [...chosen, node])
}

export function clearCompared(): void {
  publish([])
}

function publish(next: readonly ListedNode[]): void {
  chosen = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

const current = () => chosen

let modals: readonly HTMLDialogElement[] = []
const listeners = new Set<() => void>()

/** Puts an open modal dialog on top of the others. Returns what takes it away. */
export function pushModal(dialog: HTMLDialogElement): () => void {
  publish([...modals, dialog])
  return () => publish(modals.filter((one) => one !== dialog))
}

/** The dialog outside of which nothing can be pressed; undefined while none is open. */
export function topModal(): HTMLDialogElement | undefined {
  return modals.at(-1)
}

export function subscribeModals(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function publish(next: readonly HTMLDialogElement[]): void {
  modals = next
  for (const listener of listeners) listener()
}

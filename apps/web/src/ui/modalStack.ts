import { createStore } from './createStore.ts'

const modals = createStore<readonly HTMLDialogElement[]>([])

/** Pushes an open modal dialog onto the stack. Returns a function that removes it. */
export function pushModal(dialog: HTMLDialogElement): () => void {
  modals.set([...modals.get(), dialog])
  return () => modals.set(modals.get().filter((one) => one !== dialog))
}

/** The dialog outside of which nothing can be pressed; undefined while none is open. */
export function topModal(): HTMLDialogElement | undefined {
  return modals.get().at(-1)
}

export const subscribeModals = modals.subscribe

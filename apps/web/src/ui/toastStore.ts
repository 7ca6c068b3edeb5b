import type { ReactNode } from 'react'
import { createStore } from './createStore.ts'

export interface ToastInput {
  tone: 'good' | 'bad'
  title: string
  /** One sentence; long texts are cut by the caller. */
  text?: ReactNode
  /** The whole text of an error, one click away. */
  details?: string | undefined
  /** Milliseconds; 7000 by default. */
  timeout?: number
}

export interface Toast extends ToastInput {
  id: number
}

export const TOAST_MS = 7000
/** Waiting and success notices. */
export const NOTICE_MS = 15_000
/** The notice of a deployment. */
export const DEPLOY_NOTICE_MS = 20_000

const toasts = createStore<readonly Toast[]>([])
const timers = new Map<number, ReturnType<typeof setTimeout>>()
let nextId = 1

/** Shows a timed message, in place of the failures before it where it tells of a success. Returns its id for `dismissToast`. */
export function toast(input: ToastInput): number {
  const id = nextId++
  const before = input.tone === 'good' ? toasts.get().filter((entry) => entry.tone !== 'bad') : toasts.get()
  toasts.set([...before.slice(-3), { ...input, id }])
  releaseToast(id)
  return id
}

/** Keeps a message while somebody reads it. */
export function holdToast(id: number): void {
  clearTimeout(timers.get(id))
  timers.delete(id)
}

/** Restarts the full timeout of a held message. */
export function releaseToast(id: number): void {
  const entry = toasts.get().find((one) => one.id === id)
  if (!entry || timers.has(id)) return
  timers.set(
    id,
    setTimeout(() => dismissToast(id), entry.timeout ?? TOAST_MS),
  )
}

export function dismissToast(id: number): void {
  holdToast(id)
  toasts.set(toasts.get().filter((entry) => entry.id !== id))
}

export const currentToasts = toasts.get
export const subscribeToasts = toasts.subscribe

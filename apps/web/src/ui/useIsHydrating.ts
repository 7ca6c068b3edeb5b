import { useSyncExternalStore } from 'react'

/** True on the server and while the browser hydrates: browser-only values must not be rendered until it is false. */
export function useIsHydrating(): boolean {
  return useSyncExternalStore(subscribe, isNot, is)
}

const subscribe = () => () => {}
const is = () => true
const isNot = () => false

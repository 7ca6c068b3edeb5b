import { useSyncExternalStore } from 'react'

/** True where there is no browser yet, and while the browser takes over what was drawn there: what only a browser knows comes after. */
export function useIsHydrating(): boolean {
  return useSyncExternalStore(subscribe, isNot, is)
}

const subscribe = () => () => {}
const is = () => true
const isNot = () => false

import { type ComponentType, lazy } from 'react'
import { withTexts } from '../../i18n/withTexts.ts'
import { loadOnce } from './loadOnce.ts'

/**
 * A part of a page whose code and texts are loaded when it is rendered. If loading fails, nothing is rendered in its place and the
 * rest of the page keeps working.
 */
export function lazyPart<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  const nothing: ComponentType<Props> = () => null
  const once = loadOnce(withTexts(load))
  return lazy(async () => ({ default: await once().catch(() => nothing) }))
}

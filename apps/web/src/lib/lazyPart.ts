import { type ComponentType, lazy } from 'react'
import { withTexts } from '../i18n/withTexts.ts'
import { loadOnce } from './loadOnce.ts'

/**
 * A part of a page whose code is loaded when it is drawn, with its texts. Where it does not arrive, also at a second try, nothing is drawn
 * in its place and the page goes on.
 */
export function lazyPart<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  const nothing: ComponentType<Props> = () => null
  const once = loadOnce(withTexts(load))
  return lazy(async () => ({ default: await once().catch(() => nothing) }))
}

import { type AppNeeds, matchNodes } from './matchNodes.ts'
import type { SearchIndex } from './SearchIndex.ts'

/** The applications for which there is a machine now that is idle, online, large enough and has or makes their image. */
export function runnable(index: SearchIndex, presets: readonly AppNeeds[]): string[] {
  const runs = (app: AppNeeds) => matchNodes(index, { idle: 'true', online: 'true' }, app).places.length > 0
  return presets.filter(runs).map(({ name }) => name)
}

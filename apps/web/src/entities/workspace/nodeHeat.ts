import type { MachineGpu, MachinesNow } from '@rackfair/sdk/workspace'

/** The hottest GPU of a node; undefined where none says how hot it is. */
export function hottestOf({ nodes, gpus }: Pick<MachinesNow, 'nodes' | 'gpus'>, nodeId: number): MachineGpu | undefined {
  const mine = nodes.find((node) => node.nodeId === nodeId)?.gpus ?? []
  return mine
    .flatMap((place) => gpus[place] ?? [])
    .filter(({ celsius }) => celsius !== undefined)
    .sort((a, b) => (b.celsius ?? 0) - (a.celsius ?? 0))[0]
}

/** From here on the card gives less than was bought. */
export const isHot = ({ celsius, slowsAtCelsius }: MachineGpu): boolean =>
  celsius !== undefined && slowsAtCelsius !== undefined && celsius >= slowsAtCelsius

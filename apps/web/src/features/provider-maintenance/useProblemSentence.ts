import type { MarketNode } from '@rackfair/rules/node/node'
import type { Pace } from '@rackfair/rules/uptime/epoch'
import { MAINTENANCE, maintenanceNotice } from '@rackfair/rules/uptime/maintenance'
import { useFormat } from '../../i18n/useFormat.ts'
import { useMessages } from '../../i18n/useMessages.ts'
import type { ChosenProblem } from './chosenProblem.ts'
import { type MaintenanceLeft, takenSeconds } from './maintenanceLeft.ts'
import { maintenanceMessages } from './messages.ts'

interface AskedTimes {
  from: number
  until: number
  left: { of: (nodeId: number) => MaintenanceLeft }
}

/** A problem of an announcement in words, with the machine and the figures that it is about. */
export function useProblemSentence(pace: Pace, nodes: readonly MarketNode[], { from, until, left }: AskedTimes) {
  const text = useMessages(maintenanceMessages)
  const format = useFormat()
  const nameOf = (nodeId: number) => nodes.find((node) => node.nodeId === nodeId)?.name ?? String(nodeId)
  return (problem: ChosenProblem): string => {
    switch (problem.code) {
      case 'too_long':
        return text.problems.too_long(format.duration(problem.maxSeconds))
      case 'too_soon':
        return text.problems.too_soon(format.longDuration(maintenanceNotice(pace)), format.dateTime(problem.earliest))
      case 'too_far':
        return text.problems.too_far(format.dateTime(problem.latest))
      case 'over_month':
        return text.problems.over_month(format.dateTime(problem.border))
      case 'no_pieces':
        return text.problems.no_pieces(nameOf(problem.nodeId), format.number(MAINTENANCE.maxWindows))
      case 'used':
        return text.problems.used(
          nameOf(problem.nodeId),
          format.duration(left.of(problem.nodeId).seconds),
          format.duration(takenSeconds(pace, { from, until })),
        )
      case 'too_many_nodes':
        return text.refused.TooManyNodes
      default:
        return text.problems[problem.code]
    }
  }
}

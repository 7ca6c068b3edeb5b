import type { MessagesOf } from '../../i18n/defineMessages.ts'
import type { Format } from '../../i18n/format.ts'
import type { en } from './messages.en.ts'
import type { ArgIssue } from './parseArgs.ts'

/** One problem of the parameters as a sentence, without its place. */
export function issueText(issue: ArgIssue, text: MessagesOf<typeof en>['issues'], format: Format): string {
  const { problem } = issue
  switch (problem.code) {
    case 'json':
      return text.json(format.number(problem.line), format.number(problem.column))
    case 'out_of_range':
      return text.out_of_range(problem.min, problem.max)
    case 'wrong_bytes':
      return text.wrong_bytes(format.number(problem.want), format.number(problem.have))
    case 'wrong_length':
      return text.wrong_length(format.number(problem.want), format.number(problem.have))
    default:
      return text[problem.code]
  }
}

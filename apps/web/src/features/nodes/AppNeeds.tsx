import { useQuery } from '@tanstack/react-query'
import { presetsQuery } from '../../entities/order/queries.ts'
import { useFormat } from '../../i18n/useFormat.ts'
import { useMessages } from '../../i18n/useMessages.ts'
import { nodeMessages } from './messages.ts'

/** What the chosen application needs of a machine, in one sentence. */
export function AppNeeds({ runs }: { runs: string }) {
  const words = useMessages(nodeMessages)
  const text = words.filters
  const format = useFormat()
  const { data } = useQuery(presetsQuery)
  const app = data?.find(({ name }) => name === runs)
  if (!app) return null
  const parts = [
    ...(app.gpu.count > 0 ? [text.needGpus(app.gpu.count)] : []),
    ...(app.gpu.memoryGb > 0 ? [text.needVram(format.gigabytes(app.gpu.memoryGb))] : []),
    words.coreCount(app.cores),
    text.needMemory(format.gigabytes(app.memoryGb)),
    text.needDisk(format.gigabytes(app.diskGb)),
  ]
  return <p className="text-xs text-ink-3">{text.needs(app.title, format.list(parts))}</p>
}

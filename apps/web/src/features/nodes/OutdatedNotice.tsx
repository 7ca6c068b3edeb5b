import { useFormat } from '../../i18n/useFormat.ts'
import { useMessages } from '../../i18n/useMessages.ts'
import { Button } from '../../ui/Button.tsx'
import { uiMessages } from '../../ui/messages.ts'
import { Notice } from '../../ui/Notice.tsx'
import { nodeMessages } from './messages.ts'
import type { NodeSearch } from './useNodeSearch.ts'

/** Shown when refetching the list failed and the older one stays: says how old it is, and what an outdated price can and cannot cause. */
export function OutdatedNotice({ search }: { search: NodeSearch }) {
  const text = useMessages(nodeMessages)
  const { retry } = useMessages(uiMessages)
  const format = useFormat()
  return (
    <Notice
      tone="warn"
      title={text.outdatedTitle}
      actions={
        <Button pending={search.reading} onClick={search.readAgain}>
          {retry}
        </Button>
      }
    >
      {text.outdatedText(format.clock(search.readAt / 1000))}
    </Notice>
  )
}

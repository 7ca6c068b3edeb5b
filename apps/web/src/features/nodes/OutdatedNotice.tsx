import { useFormat } from '../../i18n/useFormat.ts'
import { useMessages } from '../../i18n/useMessages.ts'
import { Button } from '../../ui/Button.tsx'
import { uiMessages } from '../../ui/messages.ts'
import { Notice } from '../../ui/Notice.tsx'
import { nodeMessages } from './messages.ts'
import type { NodeSearch } from './useNodeSearch.ts'

/** A newer list could not be read, and the older one stays: says of when it is, and what an older price can and cannot do. */
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

import { useMessages } from '../i18n/useMessages.ts'
import { Button } from './Button.tsx'
import { uiMessages } from './messages.ts'

export function LoadMore({ onLoad, pending }: { onLoad: () => void; pending: boolean }) {
  const text = useMessages(uiMessages)
  return (
    <div className="flex justify-center py-4">
      <Button onClick={onLoad} pending={pending}>
        {text.loadMore}
      </Button>
    </div>
  )
}

import type { ReactNode } from 'react'
import { useLocation } from 'wouter'
import { useMessages } from '../../../i18n/useMessages.ts'
import { Button } from '../../../ui/Button.tsx'
import { registrationMessages } from '../messages.ts'

/** Step 2: `children` add nodes and list them; `listed` says that there is one. */
export function NodesStep({ listed, children }: { listed: boolean; children: ReactNode }) {
  const text = useMessages(registrationMessages).wizard
  const [, navigate] = useLocation()
  return (
    <div className="flex flex-col gap-7">
      {children}
      <div className="flex justify-between gap-3 border-t border-line pt-5">
        <Button onClick={() => navigate('/addprovider?step=1')}>{text.previous}</Button>
        <Button variant={listed ? 'accent' : 'outline'} onClick={() => navigate('/addprovider?step=3')}>
          {text.next}
        </Button>
      </div>
    </div>
  )
}

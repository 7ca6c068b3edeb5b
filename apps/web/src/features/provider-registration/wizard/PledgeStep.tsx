import type { ReactNode } from 'react'
import { useLocation } from 'wouter'
import { useMessages } from '../../../i18n/useMessages.ts'
import { Button } from '../../../ui/Button.tsx'
import { registrationMessages } from '../messages.ts'

/** Step 3: `children` take the pledge. */
export function PledgeStep({ pledged, children }: { pledged: boolean; children: ReactNode }) {
  const text = useMessages(registrationMessages).wizard
  const [, navigate] = useLocation()
  return (
    <div className="flex flex-col gap-6">
      {children}
      <div className="flex justify-between gap-3 border-t border-line pt-5">
        <Button onClick={() => navigate('/addprovider?step=2')}>{text.previous}</Button>
        <Button variant={pledged ? 'accent' : 'outline'} onClick={() => navigate('/addprovider?step=4')}>
          {text.next}
        </Button>
      </div>
    </div>
  )
}

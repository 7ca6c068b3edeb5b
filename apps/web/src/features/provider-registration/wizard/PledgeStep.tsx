import type { ReactNode } from 'react'
import { useLocation } from 'wouter'
import { useMessages } from '../../../i18n/useMessages.ts'
import { Button } from '../../../ui/Button.tsx'
import { ButtonLink } from '../../../ui/ButtonLink.tsx'
import { ExternalLink } from '../../../ui/ExternalLink.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import { registrationMessages } from '../messages.ts'

interface PledgeStepProps {
  onMarket: boolean
  online: boolean
  children: ReactNode
}

/** Step 3: `children` take the pledge; once it stands, what is left to do on the machine itself. */
export function PledgeStep({ onMarket, online, children }: PledgeStepProps) {
  const text = useMessages(registrationMessages).wizard
  const [, navigate] = useLocation()
  return (
    <div className="flex flex-col gap-6">
      {onMarket && !online && (
        <Notice tone="good" title={text.agentTitle} actions={<ExternalLink to="/docs/">{text.agentGuide}</ExternalLink>}>
          {text.agentText}
        </Notice>
      )}
      {children}
      <div className="flex justify-between gap-3 border-t border-line pt-5">
        <Button onClick={() => navigate('/addprovider?step=2')}>{text.previous}</Button>
        <ButtonLink to="/providerinfo" variant={onMarket ? 'accent' : 'outline'}>
          {text.finish}
        </ButtonLink>
      </div>
    </div>
  )
}

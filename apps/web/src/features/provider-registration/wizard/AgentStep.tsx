import type { Provider } from '@rackfair/rules/provider/provider'
import { useLocation } from 'wouter'
import { useMessages } from '../../../i18n/useMessages.ts'
import { useConfig } from '../../../platform/api/config.ts'
import { Button } from '../../../ui/Button.tsx'
import { ButtonLink } from '../../../ui/ButtonLink.tsx'
import { Card } from '../../../ui/Card.tsx'
import { CopyButton } from '../../../ui/CopyButton.tsx'
import { ExternalLink } from '../../../ui/ExternalLink.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { type Step, Steps } from '../../../ui/Steps.tsx'
import { registrationMessages } from '../messages.ts'
import { useEdge } from './useEdge.ts'

const NOBODY = /^0x0*$/

/** Step 4: what is left to do on the machine itself, ticked live as the agent is heard. */
export function AgentStep({ provider, isListed }: { provider: Provider; isListed: boolean }) {
  const text = useMessages(registrationMessages).agent
  const wizard = useMessages(registrationMessages).wizard
  const config = useConfig()
  const [, navigate] = useLocation()
  const { online } = provider
  const edge = useEdge(provider.address).text.trim()
  const appointed = provider.operator !== undefined && !NOBODY.test(provider.operator)
  const line =
    config &&
    `rackfair-agent init --rpc ${config.rpcUrl} --platform ${window.location.origin} --provider ${provider.address}${/^[a-z0-9.:#-]+$/i.test(edge) ? ` --edge ${edge}` : ''}`
  const steps: Step[] = [
    { key: 'listed', title: text.listed, state: isListed ? 'done' : 'now', ...(isListed ? {} : { detail: text.notListed }) },
    {
      key: 'operator',
      title: appointed ? text.operator : text.noOperator,
      state: appointed ? 'done' : 'now',
      ...(appointed ? {} : { detail: text.operatorText }),
    },
    {
      key: 'agent',
      title: online ? text.heard : text.waiting,
      state: online ? 'done' : 'now',
      ...(online ? {} : { detail: text.waitingText }),
    },
  ]
  return (
    <div className="flex flex-col gap-6">
      <Card
        title={online && isListed ? text.onMarket : text.title}
        aside={<ExternalLink to="/docs/providers/">{text.guide}</ExternalLink>}
      >
        <div className="flex flex-col gap-4">
          {!online && (
            <>
              <p className="text-ink-2">{text.what}</p>
              {line === undefined ? (
                <Skeleton size="line" />
              ) : (
                <div className="flex flex-wrap items-center gap-3 rounded-md bg-sunk py-3 pr-3 pl-4">
                  <code className="num min-w-0 flex-1 basis-80 text-xs break-all" data-testid="agent-line">
                    {line}
                  </code>
                  <CopyButton value={line}>{text.copy}</CopyButton>
                </div>
              )}
            </>
          )}
          <div aria-live="polite">
            <Steps label={text.steps} steps={steps} />
          </div>
        </div>
      </Card>
      <div className="flex justify-between gap-3 border-t border-line pt-5">
        <Button onClick={() => navigate('/addprovider?step=3')}>{wizard.previous}</Button>
        <ButtonLink to="/providerinfo" variant={online ? 'accent' : 'outline'}>
          {wizard.finish}
        </ButtonLink>
      </div>
    </div>
  )
}

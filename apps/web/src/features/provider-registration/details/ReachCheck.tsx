import type { Provider } from '@rackfair/rules/provider/provider'
import { type Reach, readReach } from '@rackfair/sdk/http'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useFormat } from '../../../i18n/useFormat.ts'
import { useMessages } from '../../../i18n/useMessages.ts'
import { api } from '../../../platform/api/api.ts'
import { knownBlock } from '../../../platform/api/knownBlock.ts'
import { useErrorText } from '../../../platform/errors/useErrorText.ts'
import { Button } from '../../../ui/Button.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import { registrationMessages } from '../messages.ts'

const TONES: Record<Reach['outcome'], 'good' | 'warn' | 'bad'> = {
  reachable: 'good',
  refused: 'bad',
  timed_out: 'bad',
  no_route: 'bad',
  not_this_agent: 'warn',
  not_public: 'warn',
}

/** Beside other buttons: asks the platform to probe the registered address, and says below what came of it and what to do next. */
export function ReachCheck({ provider, children }: { provider: Provider; children: ReactNode }) {
  const text = useMessages(registrationMessages).reach
  const format = useFormat()
  const errorText = useErrorText()
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: async () => readReach(await api.reach(provider.address, { minBlock: knownBlock() })),
  })
  const isCurrent = data !== undefined && data.ip === provider.ip && data.port === provider.port
  const place = (ip: string, port: number) => (ip.includes(':') ? `[${ip}]:${port}` : `${ip}:${port}`)

  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap gap-2.5">
        {children}
        <Button pending={isPending} onClick={() => mutate()}>
          {text.test}
        </Button>
      </div>
      <p role="status" className="text-xs text-ink-2 empty:hidden">
        {isPending && text.knocking(place(provider.ip, provider.port))}
      </p>
      {error && !isPending && (
        <Notice tone="warn" title={text.failed}>
          {errorText(error).full}
        </Notice>
      )}
      {isCurrent && !isPending && (
        <Notice tone={TONES[data.outcome]} title={text.outcomes[data.outcome].title(place(data.ip, data.port))}>
          {data.outcome === 'reachable'
            ? text.outcomes.reachable.next(format.number(data.milliseconds))
            : text.outcomes[data.outcome].next}
        </Notice>
      )}
    </div>
  )
}

import type { NodeVerification } from '@rackfair/rules/node/node'
import { ShieldAlert, ShieldCheck, ShieldQuestionMark } from 'lucide-react'
import { useFormat } from '../../i18n/useFormat.ts'
import { useMessages } from '../../i18n/useMessages.ts'
import { type HardwareState, hardwareState } from './hardwareState.ts'
import { hardwareTexts } from './hardwareTexts.ts'

const LOOK: Record<HardwareState, { Icon: typeof ShieldCheck; tone: string }> = {
  verified: { Icon: ShieldCheck, tone: 'text-idle' },
  failed: { Icon: ShieldAlert, tone: 'text-bad' },
  old: { Icon: ShieldQuestionMark, tone: 'text-ink-3' },
  unmeasured: { Icon: ShieldQuestionMark, tone: 'text-ink-3' },
}

/** Whether a machine is verified, and when it was tested, in one line. */
export function HardwareStateLine({ verification, now }: { verification: NodeVerification | null | undefined; now: number }) {
  const text = useMessages(hardwareTexts)
  const format = useFormat()
  const state = hardwareState(verification, now)
  const { Icon, tone } = LOOK[state]
  return (
    <span className="inline-flex min-w-0 items-center gap-2">
      <Icon aria-hidden className={`size-4 shrink-0 ${tone}`} />
      <span>
        {verification && state !== 'unmeasured'
          ? text[state](format.ago(Math.min(verification.time, now), now))
          : text.unmeasured}
      </span>
      {verification && state === 'verified' && (
        <span className="text-xs whitespace-nowrap text-ink-3">{text.classOf(String(verification.hardwareClass))}</span>
      )}
    </span>
  )
}

import { orderActions } from '@rackfair/rules/order/actions'
import { type Order, whoIs } from '@rackfair/rules/order/order'
import { PRESET_NAMES, type Preset } from '@rackfair/rules/presets'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useDeployRequest } from '../../entities/deployment/useDeployRequest.ts'
import { presetsQuery } from '../../entities/order/queries.ts'
import { useApplication } from '../../entities/order/useApplication.ts'
import { useBlockerText } from '../../entities/order/useBlockerText.ts'
import { useOrderTakes } from '../../entities/provider/takes/useOrderTakes.ts'
import { useTakesText } from '../../entities/provider/takes/useTakesText.ts'
import { useFormat } from '../../i18n/useFormat.ts'
import { useMessages } from '../../i18n/useMessages.ts'
import { useNow } from '../../platform/browser/useNow.ts'
import { useErrorText } from '../../platform/errors/useErrorText.ts'
import { DEPLOY_ERROR_LENGTH } from '../../platform/errors/writeError.ts'
import { ErrorDialog } from '../../ui/ErrorDialog.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { Section } from '../../ui/Section.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { DEPLOY_NOTICE_MS, toast } from '../../ui/toastStore.ts'
import { useAccountState } from '../../wallet/index.ts'
import { DeploymentCard } from './DeploymentCard.tsx'
import { deployMessages } from './messages.ts'
import { NeedsWallet, useMissingWallet } from './NeedsWallet.tsx'
import { nextStep } from './nextStep.ts'
import { OwnAppCard } from './OwnAppCard.tsx'
import { PresetCard } from './PresetCard.tsx'
import { SettingsDialog } from './SettingsDialog.tsx'

/** The applications, checked against the order's machine, and what is being deployed on it. */
export function Catalogue({ order }: { order: Order }) {
  const text = useMessages(deployMessages)
  const format = useFormat()
  const errorText = useErrorText()
  const now = useNow(15_000)
  const { lowerCase, status } = useAccountState()
  const missing = useMissingWallet()
  const presets = useQuery(presetsQuery)
  const { latest, name, error: unread } = useApplication(order, now)
  const blockerText = useBlockerText()
  const { request, stage } = useDeployRequest()
  const takesText = useTakesText(useOrderTakes(order))
  const [chosen, setChosen] = useState<Preset>()
  const [settings, setSettings] = useState(false)
  const [needsWallet, setNeedsWallet] = useState(false)
  const reconnecting = status === 'loading'
  /** The button that was pressed while the previous wallet was reconnecting. */
  const [held, setHeld] = useState<Preset>()
  const [error, setError] = useState<unknown>()

  const { deploy: answer } = orderActions(order, latest, whoIs(order, lowerCase), now)
  // Enabled for visitors too: the missing wallet is then requested.
  const blocked = answer === 'yes' || answer.code === 'not_connected' ? undefined : blockerText(answer, name)

  const deploy = async (preset: Preset, env: Record<string, string>) => {
    // The wallet may have gone while the settings were open; they stay as they are.
    if (missing) return setNeedsWallet(true)
    setNeedsWallet(false)
    setChosen(preset)
    try {
      const done = await request(order, preset.id, env)
      if (!done) return
      setSettings(false)
      toast({
        tone: 'good',
        title: text.noticeTitle,
        text: text.noticeText(format.duration(preset.startSeconds)),
        timeout: DEPLOY_NOTICE_MS,
      })
      window.scrollTo(0, 0)
    } catch (failure) {
      setError(failure)
    }
  }
  const press = (preset: Preset) => {
    setHeld(reconnecting ? preset : undefined)
    if (reconnecting) return
    if (missing) return setNeedsWallet(true)
    if (preset.settings.length === 0) return void deploy(preset, {})
    setChosen(preset)
    setSettings(true)
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the wallet is back or is not coming
  useEffect(() => {
    if (!held || reconnecting) return
    if (blocked === undefined) press(held)
    else setHeld(undefined)
  }, [held, reconnecting])

  if (presets.isError)
    return (
      <ErrorState title={text.catalogueFailed} details={presets.error.message} onRetry={() => void presets.refetch()}>
        {text.readSafe}
      </ErrorState>
    )
  const failure = error === undefined ? undefined : errorText(error, DEPLOY_ERROR_LENGTH)
  const code = error instanceof Error && 'code' in error ? String(error.code) : undefined
  return (
    <>
      {(latest || unread) && <DeploymentCard order={order} action />}
      <Section title={text.catalogue}>
        <div className="cols-cards">
          <OwnAppCard order={order} blocked={takesText.blocksOwn()} />
          {presets.data
            ? presets.data.map((preset) => (
                <PresetCard
                  key={preset.id}
                  preset={preset}
                  order={order}
                  blocked={blocked}
                  refused={takesText.blocksPreset(preset)}
                  wait={takesText.builtFirst(preset)}
                  doing={
                    held?.id === preset.id
                      ? text.reconnecting
                      : stage !== 'idle' && chosen?.id === preset.id
                        ? text.deploying
                        : undefined
                  }
                  onDeploy={() => press(preset)}
                />
              ))
            : PRESET_NAMES.map((key) => <Skeleton key={key} size="panel" />)}
        </div>
      </Section>
      {settings && chosen && (
        <SettingsDialog
          preset={chosen}
          stage={stage}
          onDeploy={(env) => void deploy(chosen, env)}
          onClose={() => setSettings(false)}
        />
      )}
      {needsWallet && missing && <NeedsWallet onClose={() => setNeedsWallet(false)} />}
      {failure && (
        <ErrorDialog title={text.error} text={failure.short} details={failure.details} onClose={() => setError(undefined)}>
          <p>{text.next[nextStep(code)]}</p>
          <p>{text.errorSafe}</p>
        </ErrorDialog>
      )}
    </>
  )
}

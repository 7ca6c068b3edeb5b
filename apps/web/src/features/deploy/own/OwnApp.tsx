import { OWN_APP_DEPLOY_ID } from '@rackfair/app-spec/AppSpec'
import { formatApplicationYaml } from '@rackfair/app-spec/import/applicationYaml'
import { asApplication } from '@rackfair/app-spec/services/Application'
import { applicationText, valueNames } from '@rackfair/app-spec/services/applicationText'
import { orderActions } from '@rackfair/rules/order/actions'
import { type Order, whoIs } from '@rackfair/rules/order/order'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { BesideFields } from '../../../entities/application/BesideFields.tsx'
import { ownMessages } from '../../../entities/application/messages.ts'
import { PastePanel } from '../../../entities/application/PastePanel.tsx'
import { type FormReading, readServices } from '../../../entities/application/readServices.ts'
import { ServiceValues } from '../../../entities/application/ServiceValues.tsx'
import { keepApp } from '../../../entities/deployment/keptApp.ts'
import { useDeployRequest } from '../../../entities/deployment/useDeployRequest.ts'
import { useApplication } from '../../../entities/order/useApplication.ts'
import { useBlockerText } from '../../../entities/order/useBlockerText.ts'
import { useOrderTakes } from '../../../entities/provider/takes/useOrderTakes.ts'
import { useTakesText } from '../../../entities/provider/takes/useTakesText.ts'
import { useMessages } from '../../../i18n/useMessages.ts'
import { useNow } from '../../../platform/browser/useNow.ts'
import { useErrorText } from '../../../platform/errors/useErrorText.ts'
import { DEPLOY_ERROR_LENGTH } from '../../../platform/errors/writeError.ts'
import { Choice } from '../../../ui/Choice.tsx'
import { ErrorDialog } from '../../../ui/ErrorDialog.tsx'
import { DEPLOY_NOTICE_MS, toast } from '../../../ui/toastStore.ts'
import { useAccountState } from '../../../wallet/index.ts'
import { deployMessages } from '../messages.ts'
import { NeedsWallet, useMissingWallet } from '../NeedsWallet.tsx'
import { nextStep } from '../nextStep.ts'
import { AppFields } from './AppFields.tsx'
import { AppSummary } from './AppSummary.tsx'
import { EMPTY_FORM, formOf, readForm } from './appForm.ts'
import { SecretFields } from './SecretFields.tsx'
import { SecretProposal } from './SecretProposal.tsx'
import { useDescription } from './useDescription.ts'

/** Describes an application of the renter's own, shows what is signed, and deploys it. */
export default function OwnApp({ order }: { order: Order }) {
  const text = useMessages(ownMessages)
  const deployText = useMessages(deployMessages)
  const errorText = useErrorText()
  const blockerText = useBlockerText()
  const [, navigate] = useLocation()
  const now = useNow(15_000)
  const { lowerCase } = useAccountState()
  const missing = useMissingWallet()
  const { latest, name } = useApplication(order, now)
  const { request, stage } = useDeployRequest()
  const takesText = useTakesText(useOrderTakes(order))
  const { way, setWay, form, setForm, pasted, beside, read, paste, open } = useDescription(order.id)
  const [values, setValues] = useState<Readonly<Record<string, string>>>({})
  const [needsWallet, setNeedsWallet] = useState(false)
  const [error, setError] = useState<unknown>()

  const { deploy: answer } = orderActions(order, latest, whoIs(order, lowerCase), now)
  const stopped = answer === 'yes' || answer.code === 'not_connected' ? undefined : blockerText(answer, name)
  const isRefused = way === 'paste' && read !== undefined && read.problems.length > 0
  const several = way === 'paste' ? read?.application : undefined
  const typed = { ...read?.values, ...values }
  const reading: FormReading = isRefused ? { values: {}, problems: [] } : several ? readServices(several, typed) : readForm(form)
  const signed = reading.application ?? (reading.spec && asApplication(reading.spec))
  const secrets = several ? (
    <ServiceValues names={valueNames(several)} values={typed} onChange={setValues} />
  ) : (
    <SecretFields form={form} onChange={setForm} />
  )
  const blocked = takesText.blocksOwn(several ?? signed) ?? stopped
  const deploy = async () => {
    if (!signed) return
    if (missing) return setNeedsWallet(true)
    try {
      const done = await request(order, OWN_APP_DEPLOY_ID, reading.values, applicationText(signed))
      if (!done) return
      keepApp(order.id, formatApplicationYaml(signed))
      toast({ tone: 'good', title: text.noticeTitle, text: text.noticeText, timeout: DEPLOY_NOTICE_MS })
      navigate(`/orderdeploy/${order.id}/`)
      window.scrollTo(0, 0)
    } catch (failure) {
      setError(failure)
    }
  }

  const failure = error === undefined ? undefined : errorText(error, DEPLOY_ERROR_LENGTH)
  const code = error instanceof Error && 'code' in error ? String(error.code) : undefined
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Choice
          value={way}
          onChange={setWay}
          label={text.way}
          options={(['form', 'paste'] as const).map((value) => ({ value, label: text[value] }))}
        />
        {way === 'form' && <span className="text-xs text-ink-3">{text.anywhere}</span>}
      </div>
      <SecretProposal form={form} onChange={setForm} />
      <div className="cols-aside">
        {way === 'form' ? (
          <AppFields form={form} onChange={setForm} problems={reading.problems} />
        ) : (
          <PastePanel
            value={pasted}
            read={read}
            onChange={(text) => paste(text)}
            secrets={
              <>
                {read && <BesideFields wanted={read.wanted} beside={beside} onChange={(given) => paste(pasted, given)} />}
                {!isRefused && secrets}
              </>
            }
            onUse={(draft) => {
              setForm((before) => formOf(draft, before, read?.values))
              setWay('form')
            }}
          />
        )}
        <AppSummary
          reading={reading}
          pasted={way === 'paste' ? read?.spec : undefined}
          several={several}
          isEmpty={form === EMPTY_FORM && !isRefused}
          stage={stage}
          blocked={blocked}
          onOpen={open}
          onDeploy={() => void deploy()}
        />
      </div>
      {needsWallet && missing && <NeedsWallet onClose={() => setNeedsWallet(false)} />}
      {failure && (
        <ErrorDialog title={deployText.error} text={failure.short} details={failure.details} onClose={() => setError(undefined)}>
          <p>{deployText.next[nextStep(code)]}</p>
          <p>{deployText.errorSafe}</p>
        </ErrorDialog>
      )}
    </>
  )
}

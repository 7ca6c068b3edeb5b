import { formatApplicationYaml } from '@rackfair/app-spec/import/applicationYaml'
import type { Beside } from '@rackfair/app-spec/import/Beside'
import { readPasted } from '@rackfair/app-spec/import/readPasted'
import { type Application, asApplication, mainService } from '@rackfair/app-spec/services/Application'
import { applicationText, valueNames } from '@rackfair/app-spec/services/applicationText'
import type { ProviderTakes } from '@rackfair/rules/node/takes'
import { useEffect, useMemo, useState } from 'react'
import { BesideFields } from '../../../entities/application/BesideFields.tsx'
import { PastePanel } from '../../../entities/application/PastePanel.tsx'
import { readServices } from '../../../entities/application/readServices.ts'
import { ServiceList } from '../../../entities/application/ServiceList.tsx'
import { ServiceValues } from '../../../entities/application/ServiceValues.tsx'
import { usePasteAnywhere } from '../../../entities/application/usePasteAnywhere.ts'
import { useTakesText } from '../../../entities/provider/takes/useTakesText.ts'
import { useFormat } from '../../../i18n/useFormat.ts'
import { useMessages } from '../../../i18n/useMessages.ts'
import { Card } from '../../../ui/Card.tsx'
import { purchaseMessages } from '../messages.ts'
import type { Draft } from './useChosenApp.ts'

export interface OwnDraftProps {
  takes: ProviderTakes | undefined
  onChange: (draft: Draft) => void
}

/** Reads an application of the buyer's own before anything is paid, and says whether it can start by itself after the payment. */
export default function OwnDraft({ takes, onChange }: OwnDraftProps) {
  const text = useMessages(purchaseMessages)
  const format = useFormat()
  const takesText = useTakesText(takes)
  const [pasted, setPasted] = useState('')
  const [beside, setBeside] = useState<Beside>({})
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({})
  usePasteAnywhere(setPasted)

  /** A single container by its image, several by their names, the main one first. */
  const titleOf = (application: Application): string => {
    const main = mainService(application)
    const { services } = application
    const first = services.length > 1 ? main.name : shortName(main.image)
    const others = services.filter((service) => service !== main).map(({ name }) => name)
    return others.length > 2 ? text.draftMore(first, format.number(others.length)) : format.list([first, ...others])
  }

  const read = useMemo(() => (pasted.trim() === '' ? undefined : readPasted(pasted, beside)), [pasted, beside])
  const application = read?.application ?? (read?.spec && asApplication(read.spec))
  const values = { ...read?.values, ...typed }
  const blocked = application && takesText.blocksOwn(application)
  const reading = application && readServices(application, values)
  const ready =
    reading?.application && blocked === undefined
      ? {
          title: titleOf(reading.application),
          app: applicationText(reading.application),
          yaml: formatApplicationYaml(reading.application),
          values: reading.values,
        }
      : undefined
  const signed = JSON.stringify(ready)
  // biome-ignore lint/correctness/useExhaustiveDependencies: `signed` is `ready` by its value
  useEffect(() => {
    onChange({ pasted, ready })
  }, [pasted, signed])

  return (
    <PastePanel
      value={pasted}
      read={read}
      onChange={setPasted}
      secrets={
        <>
          {read && <BesideFields wanted={read.wanted} beside={beside} onChange={setBeside} />}
          {application && <ServiceValues names={valueNames(application)} values={values} onChange={setTyped} />}
          {application && (
            <Card title={text.draft} aside={blocked === undefined ? text.draftAside(ready !== undefined) : undefined}>
              <ServiceList application={application} />
              {blocked !== undefined && (
                <p role="status" className="mt-3 text-xs text-warn">
                  {blocked}
                </p>
              )}
            </Card>
          )}
        </>
      }
    />
  )
}

/** `ghcr.io/acme/shop:1.4@sha256:…` as `shop`. */
const shortName = (image: string): string => /([^/:@]+)(?::[^/@]*)?(?:@.*)?$/.exec(image)?.[1] ?? image

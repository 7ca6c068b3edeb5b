import type { AppSpec } from '@rackfair/app-spec/AppSpec'
import { formatApplicationYaml } from '@rackfair/app-spec/import/applicationYaml'
import { formatAppYaml } from '@rackfair/app-spec/import/formatAppYaml'
import { type Application, asApplication } from '@rackfair/app-spec/services/Application'
import { applicationText } from '@rackfair/app-spec/services/applicationText'
import { shareable } from '@rackfair/app-spec/services/shareable'
import { type ChangeEvent, useRef } from 'react'
import { keccak256, toHex } from 'viem'
import { ownMessages } from '../../../entities/application/messages.ts'
import type { FormReading } from '../../../entities/application/readServices.ts'
import { ServiceList } from '../../../entities/application/ServiceList.tsx'
import type { RequestStage } from '../../../entities/deployment/useDeployRequest.ts'
import { useMessages } from '../../../i18n/useMessages.ts'
import { saveFile } from '../../../platform/browser/saveFile.ts'
import { Button } from '../../../ui/Button.tsx'
import { Card } from '../../../ui/Card.tsx'
import { Copyable } from '../../../ui/Copyable.tsx'
import { CopyButton } from '../../../ui/CopyButton.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import { sharedLink } from './sharedLink.ts'

export interface AppSummaryProps {
  reading: FormReading
  /** What was pasted, which only lacks the values of its secrets. */
  pasted: AppSpec | undefined
  /** What was pasted, of several services. */
  several: Application | undefined
  isEmpty: boolean
  stage: RequestStage
  /** Why nothing can be deployed on the order now. */
  blocked: string | undefined
  onOpen: (file: string) => void
  onDeploy: () => void
}

/** The file that the form makes, its hash, which is what is signed, and the button to sign it. */
export function AppSummary({ reading, pasted, several, isEmpty, stage, blocked, onOpen, onDeploy }: AppSummaryProps) {
  const text = useMessages(ownMessages)
  const picker = useRef<HTMLInputElement>(null)
  const { spec = pasted, application } = reading
  const yaml = several ? formatApplicationYaml(several) : spec && formatAppYaml(spec)
  const signed = application ?? (reading.spec && asApplication(reading.spec))
  const hash = signed && keccak256(toHex(applicationText(signed)))
  const link = linkTo(several ?? (spec && asApplication(spec)))

  const pick = async (event: ChangeEvent<HTMLInputElement>) => {
    const [file] = event.target.files ?? []
    event.target.value = ''
    if (file) onOpen(await file.slice(0, MAX_FILE_BYTES).text())
  }
  const save = () => saveFile('app.yaml', new Blob([yaml ?? ''], { type: 'application/yaml' }))
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <Card title={text.file} aside={text.fileText}>
        {several ? (
          <ServiceList application={several} />
        ) : yaml === undefined ? (
          <p className="text-ink-3">{isEmpty ? text.fileEmpty : text.fix}</p>
        ) : (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
          <pre tabIndex={0} className="num max-h-96 overflow-auto rounded-md bg-sunk p-3 text-xs" data-testid="app-yaml">
            {yaml}
          </pre>
        )}
        <div className="mt-3 flex flex-wrap gap-2">
          {yaml !== undefined && (
            <>
              <CopyButton size="sm" value={yaml}>
                {text.copy}
              </CopyButton>
              <Button size="sm" onClick={save}>
                {text.save}
              </Button>
              {link !== undefined && (
                <CopyButton size="sm" value={link}>
                  {text.link}
                </CopyButton>
              )}
            </>
          )}
          <Button size="sm" onClick={() => picker.current?.click()}>
            {text.open}
          </Button>
          <input
            ref={picker}
            type="file"
            accept=".yaml,.yml,.txt,.sh"
            className="hidden"
            onChange={(event) => void pick(event)}
          />
        </div>
        {hash !== undefined && (
          <p className="mt-3 flex min-w-0 flex-wrap items-baseline gap-2 text-xs text-ink-3">
            {text.hash} <Copyable value={hash}>{`${hash.slice(0, 10)}…${hash.slice(-4)}`}</Copyable>
          </p>
        )}
      </Card>
      {signed && (
        <Notice tone="info" title={text.good}>
          {several ? text.goodServices : text.goodText}
        </Notice>
      )}
      <Button
        variant="primary"
        size="lg"
        block
        pending={stage !== 'idle'}
        disabledReason={signed ? blocked : (pasted ?? several) ? text.secretsMissing : isEmpty ? text.fileEmpty : text.fix}
        onClick={onDeploy}
      >
        {stage === 'signing' ? text.signing : stage === 'sending' ? text.sending : text.sign}
      </Button>
      <p className="text-xs text-ink-3">{text.notSigned}</p>
    </div>
  )
}

/** A link to this page with the application in it, as far as it is for others. */
const linkTo = (application: Application | undefined): string | undefined =>
  application && sharedLink(window.location.href.split('#')[0] ?? '', formatApplicationYaml(shareable(application)))

/** A little more than a specification may have, so that a larger one is refused by its size. */
const MAX_FILE_BYTES = 70_000

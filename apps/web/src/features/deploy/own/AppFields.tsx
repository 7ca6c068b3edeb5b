import type { AppProblem } from '@rackfair/app-spec/AppSpec'
import { Plus, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { LinesInput } from '../../../entities/application/LinesInput.tsx'
import { ownMessages } from '../../../entities/application/messages.ts'
import { useMessages } from '../../../i18n/useMessages.ts'
import { Button } from '../../../ui/Button.tsx'
import { Field } from '../../../ui/Field.tsx'
import { Select } from '../../../ui/Select.tsx'
import { Switch } from '../../../ui/Switch.tsx'
import { TextInput } from '../../../ui/TextInput.tsx'
import { type AppForm, nextKey } from './appForm.ts'

/** The form of an own application: image, start, environment, ports, volumes, user, registry. */
export function AppFields({
  form,
  onChange,
  problems,
}: {
  form: AppForm
  onChange: (form: AppForm) => void
  problems: readonly AppProblem[]
}) {
  const text = useMessages(ownMessages)
  const set = (change: Partial<AppForm>) => onChange({ ...form, ...change })
  const problemOf = (field: string) => {
    const found = problems.find((one) => one.field === field || one.field.startsWith(`${field}.`))
    // An empty form is not wrong yet.
    return found && !(found.code === 'missing' && form.image === '') ? text.problems[found.code] : undefined
  }
  const part = { form, set, problemOf }
  return (
    <div className="flex min-w-0 flex-col divide-y divide-line rounded-lg border border-line bg-raised">
      <Part>
        <Field label={text.image} hint={text.imageHint} error={problemOf('image')}>
          <TextInput value={form.image} onChange={(image) => set({ image })} mono large placeholder="redis:7" />
        </Field>
      </Part>
      <StartPart {...part} />
      <EnvironmentPart {...part} />
      <PortsPart {...part} />
      <VolumesPart {...part} />
      <FilesPart {...part} />
      <Part>
        <div className="grid gap-4 sm:grid-cols-2">
          <Field label={text.user} hint={text.userHint} error={problemOf('user')}>
            <TextInput value={form.user} onChange={(user) => set({ user })} mono placeholder="1000:1000" />
          </Field>
          <Field label={text.workdir} error={problemOf('workdir')}>
            <TextInput value={form.workdir} onChange={(workdir) => set({ workdir })} mono placeholder="/workspace" />
          </Field>
        </div>
      </Part>
      <Part title={text.job} aside={text.jobText}>
        <div className="flex flex-col gap-2">
          <Switch checked={form.job !== undefined} onChange={(isJob) => set({ job: isJob ? 'keep' : undefined })}>
            {text.isJob}
          </Switch>
          {form.job !== undefined && (
            <Switch checked={form.job === 'cancel'} onChange={(cancels) => set({ job: cancels ? 'cancel' : 'keep' })}>
              {text.jobCancels}
            </Switch>
          )}
        </div>
      </Part>
      <Part title={text.isolation} aside={text.isolationText}>
        <Switch
          checked={form.sandbox !== undefined}
          onChange={(isSandboxed) => set({ sandbox: isSandboxed ? 'gvisor' : undefined })}
        >
          {text.gvisor}
        </Switch>
      </Part>
      <RegistryPart {...part} />
    </div>
  )
}

interface PartProps {
  form: AppForm
  set: (change: Partial<AppForm>) => void
  /** What is wrong with a field, as a sentence. */
  problemOf: (field: string) => string | undefined
}

function StartPart({ form, set, problemOf }: PartProps) {
  const text = useMessages(ownMessages)
  return (
    <Part title={text.start} aside={text.asImage}>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label={text.command} error={problemOf('command')}>
          <LinesInput value={form.command} onChange={(command) => set({ command })} />
        </Field>
        <Field label={text.args} error={problemOf('args')}>
          <LinesInput value={form.args} onChange={(args) => set({ args })} />
        </Field>
      </div>
      {form.noArgs && form.command.trim() === '' && form.args.trim() === '' && (
        <Switch checked onChange={(noArgs) => set({ noArgs })}>
          {text.noArgs}
        </Switch>
      )}
    </Part>
  )
}

function EnvironmentPart({ form, set, problemOf }: PartProps) {
  const text = useMessages(ownMessages)
  return (
    <Part title={text.environment} error={problemOf('env') ?? problemOf('secrets')}>
      <Rows
        rows={form.env}
        onChange={(env) => set({ env })}
        add={text.addVariable}
        fresh={() => ({ key: nextKey(), name: '', value: '', secret: false })}
        what={(row, at) => row.name || text.envName(String(at))}
        problemOf={problemOf}
      >
        {(row, change, at) => (
          <>
            <span className="w-full sm:w-2/5">
              <TextInput aria-label={text.envName(at)} value={row.name} onChange={(name) => change({ name })} mono />
            </span>
            <span className="min-w-0 flex-1">
              <LinesInput
                aria-label={text.envValue(at)}
                masked={row.secret}
                value={row.value}
                onChange={(value) => change({ value })}
              />
            </span>
            <Switch checked={row.secret} onChange={(secret) => change({ secret })}>
              {text.secret}
            </Switch>
          </>
        )}
      </Rows>
      {form.env.some(({ secret }) => secret) && <p className="text-xs text-ink-3">{text.secretsText}</p>}
    </Part>
  )
}

function PortsPart({ form, set, problemOf }: PartProps) {
  const text = useMessages(ownMessages)
  const kinds = [
    { value: 'http' as const, label: text.http },
    { value: 'tcp' as const, label: text.tcp },
    { value: 'udp' as const, label: text.udp },
  ]
  return (
    <Part title={text.ports} error={problemOf('ports')}>
      <Rows
        rows={form.ports}
        onChange={(ports) => set({ ports })}
        add={text.addPort}
        fresh={() => ({
          key: nextKey(),
          protocol: form.ports.length === 0 ? ('http' as const) : ('tcp' as const),
          port: '',
          ready: '',
        })}
        what={(row, at) => row.port || text.portNumber(String(at))}
        problemOf={problemOf}
      >
        {(row, change, at) => (
          <>
            <span className="w-24">
              <TextInput
                aria-label={text.portNumber(at)}
                inputMode="numeric"
                value={row.port}
                onChange={(port) => change({ port })}
                mono
              />
            </span>
            <span className="w-28">
              <Select
                label={text.portKind(at)}
                value={row.protocol}
                onChange={(protocol) => change({ protocol })}
                options={kinds}
              />
            </span>
            <span className="min-w-0 flex-1 basis-40 text-xs text-ink-3">
              {row.protocol === 'http' ? (
                <TextInput
                  aria-label={text.readyPath(at)}
                  value={row.ready}
                  onChange={(ready) => change({ ready })}
                  placeholder={text.readyPlaceholder}
                  mono
                />
              ) : (
                text.portOpen
              )}
            </span>
          </>
        )}
      </Rows>
    </Part>
  )
}

function VolumesPart({ form, set, problemOf }: PartProps) {
  const text = useMessages(ownMessages)
  return (
    <Part title={text.volumes} aside={text.volumesText} error={problemOf('volumes')}>
      <Rows
        rows={form.volumes}
        onChange={(volumes) => set({ volumes })}
        add={text.addVolume}
        fresh={() => ({ key: nextKey(), path: '' })}
        what={(row, at) => row.path || text.volumePath(String(at))}
        problemOf={problemOf}
      >
        {(row, change, at) => (
          <span className="min-w-0 flex-1">
            <TextInput
              aria-label={text.volumePath(at)}
              value={row.path}
              onChange={(path) => change({ path })}
              placeholder="/data"
              mono
            />
          </span>
        )}
      </Rows>
    </Part>
  )
}

function FilesPart({ form, set, problemOf }: PartProps) {
  const text = useMessages(ownMessages)
  return (
    <Part title={text.files} aside={text.filesText} error={problemOf('files')}>
      <Rows
        rows={form.files}
        onChange={(files) => set({ files })}
        add={text.addFile}
        fresh={() => ({ key: nextKey(), path: '', text: '', secret: undefined })}
        what={(row, at) => row.path || text.filePath(String(at))}
        problemOf={problemOf}
      >
        {(row, change, at) => (
          <>
            <span className="w-full sm:w-2/5">
              <TextInput
                aria-label={text.filePath(at)}
                value={row.path}
                onChange={(path) => change({ path, ...(row.secret === undefined ? {} : { secret: path }) })}
                placeholder="/etc/app.conf"
                mono
              />
            </span>
            <span className="min-w-0 flex-1">
              <LinesInput
                aria-label={text.fileContent(at)}
                masked={row.secret !== undefined}
                value={row.text}
                onChange={(content) => change({ text: content })}
              />
            </span>
            <Switch checked={row.secret !== undefined} onChange={(secret) => change({ secret: secret ? row.path : undefined })}>
              {text.secret}
            </Switch>
          </>
        )}
      </Rows>
    </Part>
  )
}

function RegistryPart({ form, set, problemOf }: PartProps) {
  const text = useMessages(ownMessages)
  return (
    <Part title={text.registry} aside={text.registryText}>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label={text.username} error={problemOf('registry.username')}>
          <TextInput value={form.username} onChange={(username) => set({ username })} mono />
        </Field>
        <Field label={text.password} error={problemOf('registry.password')}>
          <LinesInput masked value={form.password} onChange={(password) => set({ password })} />
        </Field>
      </div>
    </Part>
  )
}

function Part({
  title,
  aside,
  error,
  children,
}: {
  title?: string
  aside?: string
  error?: string | undefined
  children: ReactNode
}) {
  return (
    <section className="flex flex-col gap-3 p-5">
      {title !== undefined && (
        <div className="flex flex-wrap items-baseline justify-between gap-x-3">
          <h2 className="text-sm">{title}</h2>
          {aside !== undefined && <span className="text-xs text-ink-3">{aside}</span>}
        </div>
      )}
      {children}
      <p aria-live="polite" className="text-xs text-bad empty:hidden">
        {error}
      </p>
    </section>
  )
}

/** Rows of one kind, each with its problem and a cross, and a button for one more. */
function Rows<Row extends { key: number }>({
  rows,
  onChange,
  add,
  fresh,
  what,
  problemOf,
  children,
}: {
  rows: readonly Row[]
  onChange: (rows: Row[]) => void
  add: string
  fresh: () => Row
  /** A row in words, for its cross. */
  what: (row: Row, at: number) => string
  problemOf: (field: string) => string | undefined
  children: (row: Row, change: (part: Partial<Row>) => void, at: string) => ReactNode
}) {
  const text = useMessages(ownMessages)
  return (
    <>
      {rows.map((row, index) => {
        const problem = problemOf(`row.${row.key}`)
        return (
          <div key={row.key}>
            <div className="flex flex-wrap items-center gap-2">
              {children(
                row,
                (part) => onChange(rows.map((one) => (one.key === row.key ? { ...one, ...part } : one))),
                String(index + 1),
              )}
              <button
                type="button"
                aria-label={text.remove(what(row, index + 1))}
                onClick={() => onChange(rows.filter(({ key }) => key !== row.key))}
                className="rounded-sm p-1.5 text-ink-3 hover:text-ink"
              >
                <X aria-hidden className="size-4" />
              </button>
            </div>
            <p aria-live="polite" className="mt-1 text-xs text-bad empty:hidden">
              {problem}
            </p>
          </div>
        )
      })}
      <div>
        <Button
          variant="quiet"
          size="sm"
          icon={<Plus aria-hidden className="size-4" />}
          onClick={({ currentTarget }) => {
            flushSync(() => onChange([...rows, fresh()]))
            // Focus the new row.
            currentTarget.parentElement?.previousElementSibling?.querySelector('input')?.focus()
          }}
        >
          {add}
        </Button>
      </div>
    </>
  )
}

import { type Application, mainService } from '@rackfair/app-spec/services/Application'
import { useFormat } from '../../i18n/useFormat.ts'
import { useMessages } from '../../i18n/useMessages.ts'
import { ownMessages } from './messages.ts'

/** The services that are signed: what each runs, where it is reached, what it keeps, and what it waits for. */
export function ServiceList({ application }: { application: Application }) {
  const text = useMessages(ownMessages)
  const format = useFormat()
  const main = mainService(application)
  return (
    <ul className="flex flex-col gap-2" data-testid="services">
      {application.services.map((service) => {
        const { name, image, ports, volumes, files = {}, after, once } = service
        const facts = [
          ...(service === main ? [text.isMain] : []),
          ...(ports.length > 0 ? [format.list(ports.map(({ port, protocol }) => `${port}/${protocol}`))] : []),
          ...(Object.keys(volumes).length > 0 ? [text.keeps(format.list([...new Set(Object.values(volumes))]))] : []),
          ...(Object.keys(files).length > 0 ? [text.reads(format.list(Object.keys(files)))] : []),
          ...Object.entries(after).map(([other, condition]) => text.startsAfter[condition](other)),
          ...(once ? [text.endsItself] : []),
        ]
        return (
          <li key={name} className="min-w-0 rounded-md bg-sunk px-3 py-2">
            <span className="font-medium">{name}</span> <span className="num text-xs break-all text-ink-2">{image}</span>
            {facts.length > 0 && <span className="block text-xs break-words text-ink-3">{facts.join(' · ')}</span>}
          </li>
        )
      })}
    </ul>
  )
}

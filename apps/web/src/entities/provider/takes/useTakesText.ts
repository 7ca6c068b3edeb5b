import { parseImage } from '@rackfair/app-spec/imageReference'
import type { Application } from '@rackfair/app-spec/services/Application'
import { asSpec } from '@rackfair/app-spec/services/applicationText'
import { imageState, isLargeImage, type ProviderTakes } from '@rackfair/rules/node/takes'
import type { Preset } from '@rackfair/rules/presets'
import { defineMessages } from '../../../i18n/defineMessages.ts'
import { useFormat } from '../../../i18n/useFormat.ts'
import { useMessages } from '../../../i18n/useMessages.ts'
import { en } from './texts.en.ts'

const bundle = defineMessages({ en, zh: () => import('./texts.zh.ts') })

/** What a provider takes, and why it does not run an application, as sentences. A provider that has not said is not judged. */
export function useTakesText(takes: ProviderTakes | undefined) {
  const text = useMessages(bundle)
  const format = useFormat()
  const images = takes?.ownImages
  const registries = format.list(images?.registries ?? [])
  return {
    title: text.title,
    facts: takes
      ? [
          {
            term: text.images,
            value: !images
              ? text.noImages
              : images.registries
                ? text.imagesOf(format.gigabytes(images.maxGb), registries)
                : text.imagesUpTo(format.gigabytes(images.maxGb)),
          },
          { term: text.ports, value: takes.ports ? text.yes : text.no },
          { term: text.ssh, value: takes.ssh ? text.sshPort : text.sshWorkspace },
          { term: text.protected, value: takes.protected ? text.protectedYes : text.protectedNo },
          { term: text.runtime, value: format.list(takes.runtimes.map((one) => text.runtimes[one])) },
        ]
      : [],
    /** Which applications start without a wait for their image; nothing where the provider has not said, or before `presets` are known. */
    readyFacts: (presets: readonly Preset[] | undefined) => {
      const titles = presets?.filter((one) => imageState(one, takes) === 'ready').map(({ title }) => title)
      return takes?.ready && titles ? [{ term: text.ready, value: format.list(titles) || text.noneReady }] : []
    },
    /** What the first deploy of an application waits for; undefined where nothing is known to be waited for. */
    builtFirst(preset: Pick<Preset, 'name' | 'image' | 'imageMb'>): string | undefined {
      if (imageState(preset, takes) !== 'built_first') return undefined
      const { imageMb = 0 } = preset
      return isLargeImage(preset) ? text.largeBuiltFirst(format.gigabytes(Math.round(imageMb / 100) / 10)) : text.builtFirst
    },
    /** Undefined where it runs, and for one that has not said. */
    blocksPreset(preset: Pick<Preset, 'access' | 'name' | 'image' | 'ports'>): string | undefined {
      if (takes && preset.access === 'owner' && !takes.protected) return text.blocked.protected
      if (takes && preset.ports.length > 0 && !takes.ports) return text.blocked.ports
      return imageState(preset, takes) === 'missing' ? text.blocked.image : undefined
    },
    /** Without a specification: whether any application of one's own is taken. */
    blocksOwn(application?: Application): string | undefined {
      if (!takes) return undefined
      if (!images) return text.blocked.images
      if (!application) return undefined
      const { services, sandbox } = application
      const ports = services.flatMap((service) => service.ports)
      const taken = images.registries
      if (taken && services.some(({ image }) => !taken.includes(parseImage(image)?.registry ?? '')))
        return text.blocked.registry(registries)
      if (!takes.services && asSpec(application) === undefined) return text.blocked.services
      if (!takes.files && services.some(({ files = {} }) => Object.keys(files).length > 0)) return text.blocked.files
      if (!takes.ports && ports.some(({ protocol }) => protocol !== 'http')) return text.blocked.ports
      if (sandbox && !takes.runtimes.includes('runsc')) return text.blocked.gvisor
      return !takes.protected && ports.some(({ access }) => access === 'owner') ? text.blocked.protected : undefined
    },
  }
}

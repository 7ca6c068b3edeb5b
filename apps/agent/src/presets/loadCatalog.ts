import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Condition } from '@rackfair/app-spec/services/Application'
import { type PresetWire, presetList } from '@rackfair/protocol/presets'
import { zodOf } from '@rackfair/protocol/zodOf'
import { resource } from '../foundation/resources.ts'
import type { RunSpec } from '../runtime/RunSpec.ts'
import { parsePresetYaml } from './parsePresetYaml.ts'

/** An application as the agent knows it: from the catalogue, or the renter's own. */
export interface Application {
  wire: Pick<PresetWire, 'name' | 'title' | 'access'>
  /** Of several services, the main one. */
  app: RunSpec
  /** Set where there are several, in the order in which they start. */
  services?: readonly Service[]
}

/** One of the services of an application. */
export interface Service {
  name: string
  app: RunSpec
  /** Environment values that override those of the application itself. */
  env: Readonly<Record<string, string>>
  /** What must be so of others, by their names, before it starts. */
  after: Readonly<Record<string, Condition>>
  /** It ends when it is done. */
  once: boolean
}

export interface Preset extends Application {
  wire: PresetWire
}

/** The catalogue shipped with this agent. */
export const PRESETS_FOLDER = resource('presets', () => fileURLToPath(new URL('../../../../presets', import.meta.url)))

/** Reads the whole catalogue by deploy id; one broken preset stops the agent before it takes an order. */
export function loadCatalog(folder: string = PRESETS_FOLDER): ReadonlyMap<number, Preset> {
  const list = zodOf(presetList).parse(JSON.parse(readFileSync(join(folder, 'catalog.json'), 'utf8')))
  const presets = list.map((wire): Preset => {
    const app = parsePresetYaml(readFileSync(join(folder, wire.yaml), 'utf8'))
    if (app.image !== wire.image) throw new Error(`preset ${wire.name}: the yaml names ${app.image}, the catalogue ${wire.image}`)
    const ports = app.ports.flatMap(({ protocol, port }) => (protocol === 'http' ? [] : [{ protocol, port }]))
    if (JSON.stringify(ports) !== JSON.stringify(wire.ports)) throw new Error(`preset ${wire.name}: the yaml has other ports`)
    return { wire, app }
  })
  return new Map(presets.map((preset) => [preset.wire.id, preset]))
}

import type { RackSlot } from '@rackfair/sdk/http'
import type { Tone } from '../../ui/tone.ts'

export const SLOT_TONE: Record<RackSlot['state'], Tone> = { idle: 'idle', running: 'run', offline: 'off' }

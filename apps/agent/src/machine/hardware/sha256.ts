import { hash } from 'node:crypto'
import type { Hash } from '@rackfair/hardware/Hash'

export const sha256: Hash = (bytes) => hash('sha256', bytes, 'buffer')

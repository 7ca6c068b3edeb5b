import { hash } from 'node:crypto'
import type { Hash } from '@rackfair/core/hardware'

export const sha256: Hash = (bytes) => hash('sha256', bytes, 'buffer')

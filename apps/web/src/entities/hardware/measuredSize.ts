import type { Format } from '../../i18n/format.ts'

const MIB = 2 ** 20
const GIB = 2 ** 30

/** In the GB that memory is sold in; less than one in MB. */
export const measuredSize = (bytes: number, format: Format): string =>
  bytes >= GIB ? `${format.number(bytes / GIB, 1)} GB` : `${format.number(bytes / MIB, 1)} MB`

import { ONE_CREDIT_WEI } from './money.ts'

export const MIN_PLEDGE_WEI = ONE_CREDIT_WEI
/** Below this balance an operator key is nearly out of gas: 0.001 of the chain's native currency. */
export const MIN_GAS_WEI = 10n ** 15n
/** Live nodes of a provider; fewer while its pledge is below the minimum. */
export const MAX_NODES = 1000
export const MAX_NODES_UNPLEDGED = 16
/** Largest memory or storage of a node, in GB. */
export const MAX_GB = 2 ** 20
/** Maximum number of processors, cores or GPUs of a node. */
export const MAX_COUNT = 4096
/** The greatest time value of a `Date`, in milliseconds: to format a greater one throws. */
export const MAX_DATE_MS = 8_640_000_000_000_000
/** Bytes of UTF-8. */
export const MAX_MODEL_BYTES = 31
export const MAX_NAME_BYTES = 64
export const MAX_IP_BYTES = 45
export const MAX_DOMAIN_BYTES = 253

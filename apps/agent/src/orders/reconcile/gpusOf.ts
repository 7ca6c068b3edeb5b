import { AppError } from '@rackfair/rules/errors/AppError'
import type { Gpu } from '../../runtime/Gpu.ts'
import type { OrderManagerOptions } from '../OrderManagerOptions.ts'

/**
 * The GPUs with these ids.
 * @throws AppError `gpu_unavailable` if one of them is broken or missing.
 */
export function gpusOf(ids: readonly string[], watch: OrderManagerOptions['gpus']): Gpu[] {
  return ids.map((id) => {
    const gpu = watch.gpus.find((one) => one.id === id)
    const problem = watch.problemOf(id) ?? (gpu ? undefined : 'it is no longer in this machine')
    if (!gpu || problem) throw new AppError('gpu_unavailable', `GPU ${gpu?.model ?? id}: ${problem}`, { retryable: true })
    return gpu
  })
}

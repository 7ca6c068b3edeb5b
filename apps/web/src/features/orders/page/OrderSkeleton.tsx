import { Skeleton } from '../../../ui/Skeleton.tsx'

/** Holds the places of an order's bands while it is read. */
export function OrderSkeleton() {
  return (
    <div className="flex flex-col gap-4">
      <Skeleton size="line" />
      <Skeleton size="band" />
      <Skeleton size="page" />
    </div>
  )
}

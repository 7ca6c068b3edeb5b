import { Skeleton } from '../../../ui/Skeleton.tsx'

/** Holds the places of an order's bands while it is read. */
export function OrderSkeleton() {
  return (
    <div className="flex flex-col gap-4">
      <Skeleton size="band" />
      <Skeleton size="figures" />
      <div className="cols-rail">
        <Skeleton size="page" />
        <div className="flex flex-col gap-4">
          <Skeleton size="panel" />
          <Skeleton size="card" />
        </div>
      </div>
    </div>
  )
}

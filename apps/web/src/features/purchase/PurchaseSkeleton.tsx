import { Skeleton } from '../../ui/Skeleton.tsx'

export function PurchaseSkeleton() {
  return (
    <div className="cols-aside">
      <div className="flex flex-col gap-6">
        <Skeleton size="card" />
        <Skeleton size="panel" />
      </div>
      <Skeleton size="panel" />
    </div>
  )
}

import { Skeleton } from '../../ui/Skeleton.tsx'

/** The places of the machine, its provider, the months and the prices, and of the column that ends in the button. */
export function PurchaseSkeleton() {
  return (
    <div className="cols-purchase">
      <div className="flex min-w-0 flex-col gap-6">
        <Skeleton size="figures" />
        <Skeleton size="figures" />
        <div className="grid gap-4 md:grid-cols-2">
          <Skeleton size="card" />
          <Skeleton size="card" />
        </div>
        <Skeleton size="figures" />
        <div className="flex flex-col gap-1">
          <Skeleton size="line" />
          <Skeleton size="line" />
          <Skeleton size="line" />
          <Skeleton size="line" />
        </div>
      </div>
      <Skeleton size="page" />
    </div>
  )
}

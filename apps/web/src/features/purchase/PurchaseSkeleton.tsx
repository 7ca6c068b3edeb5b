import { Skeleton } from '../../ui/Skeleton.tsx'

/** The places of the machine, of what speaks for it, and of the column that ends in the button. */
export function PurchaseSkeleton() {
  return (
    <div className="cols-pay">
      <div className="flex min-w-0 flex-col gap-6">
        <Skeleton size="figures" />
        <Skeleton size="line" />
        <div className="grid gap-4 md:grid-cols-2">
          <Skeleton size="card" />
          <Skeleton size="card" />
        </div>
      </div>
      <Skeleton size="page" />
    </div>
  )
}

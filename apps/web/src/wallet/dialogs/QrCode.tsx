import { lazy, Suspense } from 'react'
import { Spinner } from '../../ui/Spinner.tsx'

const QrDrawing = lazy(() => import('./QrDrawing.tsx').then((module) => ({ default: module.QrDrawing })))

/** A QR code in a frame of its size; the code that draws it is loaded when one is shown. */
export function QrCode(props: { value: string; label: string; compact: boolean }) {
  return (
    <div className={`grid place-items-center ${props.compact ? 'size-56' : 'size-64'}`}>
      <Suspense fallback={<Spinner large />}>
        <QrDrawing {...props} />
      </Suspense>
    </div>
  )
}

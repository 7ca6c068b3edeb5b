import encode from 'qr'
import { useMemo } from 'react'

/** Error correction level M; smaller below 768 px. Always dark on light, so that every camera reads it. */
export function QrDrawing({ value, label, compact }: { value: string; label: string; compact: boolean }) {
  const path = useMemo(() => {
    const rows = encode(value, 'raw', { ecc: 'medium', border: 2 })
    return {
      size: rows.length,
      d: rows.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : []))).join(''),
    }
  }, [value])
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${path.size} ${path.size}`}
      className={`rounded-lg bg-on-icon ${compact ? 'size-56' : 'size-64'}`}
      shapeRendering="crispEdges"
    >
      <path d={path.d} className="fill-qr" />
    </svg>
  )
}

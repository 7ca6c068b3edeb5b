import { type DragEvent, useState } from 'react'

/** Files that a person drops on an element. `over` while they are held above it; what is no file, as a folder, is counted. */
export function useDrop(onFiles: (files: File[], others: number) => void) {
  const [depth, setDepth] = useState(0)
  const hasFiles = (event: DragEvent) => event.dataTransfer.types.includes('Files')
  return {
    over: depth > 0,
    handlers: {
      onDragEnter: (event: DragEvent) => hasFiles(event) && setDepth((now) => now + 1),
      onDragLeave: (event: DragEvent) => hasFiles(event) && setDepth((now) => Math.max(0, now - 1)),
      onDragOver: (event: DragEvent) => hasFiles(event) && event.preventDefault(),
      onDrop: (event: DragEvent) => {
        if (!hasFiles(event)) return
        event.preventDefault()
        setDepth(0)
        const items = [...event.dataTransfer.items].filter(({ kind }) => kind === 'file')
        const files = items.flatMap((item) => (item.webkitGetAsEntry()?.isDirectory ? [] : (item.getAsFile() ?? [])))
        onFiles(files, items.length - files.length)
      },
    },
  }
}

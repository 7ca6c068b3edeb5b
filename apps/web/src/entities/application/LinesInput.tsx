import { TextArea, type TextAreaProps } from '../../ui/TextArea.tsx'

const MAX_ROWS = 12

/**
 * A field for a value that may have several lines, such as a script or a key, and is as high as it: a field for one line would drop the line
 * breaks of what is pasted into it.
 */
export function LinesInput(props: Omit<TextAreaProps, 'mono' | 'rows'>) {
  return <TextArea autoComplete="off" {...props} mono rows={Math.min(MAX_ROWS, props.value.split('\n').length)} />
}

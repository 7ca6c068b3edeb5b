import { TextInput, type TextInputProps } from './TextInput.tsx'

/** A figure as it is typed: the caller parses and judges the text, so nothing is rounded behind a person's back. */
export function NumberInput({
  decimals = true,
  ...rest
}: Omit<TextInputProps, 'mono' | 'type' | 'inputMode'> & { decimals?: boolean }) {
  return <TextInput {...rest} mono inputMode={decimals ? 'decimal' : 'numeric'} />
}

/** Widths of the window in px. Apart from the other tokens: the only ones that screens read while they run. */
export const BREAKPOINTS = { sm: 640, md: 768, lg: 1024, xl: 1280, '2xl': 1440 } as const

/**
 * The only place where a colour, a size of text, a space, a radius or a duration is written down. `theme.css` is made from it. What one
 * control or one layout measures inside, in rem, stands with its shape in controls.css, range.css and layouts.css.
 */
export const tokens = {
  colors: {
    light: {
      paper: '#F7F6F2',
      raised: '#FFFFFF',
      sunk: '#EFEDE6',
      ink: '#15171A',
      'ink-2': '#4A4E55',
      'ink-3': '#646971',
      line: '#DEDBD2',
      'line-2': '#C9C5BA',
      edge: '#85817A',
      accent: '#C2410C',
      'accent-2': '#A2360A',
      'accent-ink': '#FFFFFF',
      'accent-soft': '#FDEFE7',
      idle: '#17723F',
      'idle-soft': '#E0F0E6',
      run: '#2456C9',
      'run-soft': '#E3EAFA',
      off: '#646971',
      'off-soft': '#E9E8E4',
      warn: '#855A00',
      'warn-soft': '#F7EBCF',
      bad: '#B42318',
      'bad-soft': '#FBE4E1',
      slot: '#E3E0D6',
      code: '#FBFAF7',
      veil: '#0A0B0C73',
      'on-icon': '#FFFFFF',
      'chain-main': '#C2410C',
      'chain-test': '#1D5FBF',
      'chain-development': '#5B6168',
      qr: '#15171A',
    },
    dark: {
      paper: '#0F1113',
      raised: '#16191C',
      sunk: '#0B0C0E',
      ink: '#ECEAE4',
      'ink-2': '#B5B6B3',
      'ink-3': '#8F9294',
      line: '#26292D',
      'line-2': '#383C41',
      edge: '#6C7075',
      accent: '#FF8A4C',
      'accent-2': '#FFA171',
      'accent-ink': '#1A0E07',
      'accent-soft': '#33200F',
      idle: '#4CC38A',
      'idle-soft': '#12291E',
      run: '#7AA2F7',
      'run-soft': '#16213B',
      off: '#8F9294',
      'off-soft': '#202326',
      warn: '#E0B04C',
      'warn-soft': '#2E2410',
      bad: '#F2766B',
      'bad-soft': '#351512',
      slot: '#1D2024',
      code: '#0B0C0E',
      veil: '#050607B3',
      'on-icon': '#FFFFFF',
      'chain-main': '#C2410C',
      'chain-test': '#1D5FBF',
      'chain-development': '#5B6168',
      qr: '#15171A',
    },
  },
  fonts: {
    sans: '"Instrument Sans", "Instrument Sans Fallback", system-ui, "PingFang SC", "Noto Sans SC", sans-serif',
    mono: '"Geist Mono", "Geist Mono Fallback", ui-monospace, "SFMono-Regular", Menlo, Consolas, monospace',
  },
  /** Size and line height in px. */
  text: {
    xs: [12, 18],
    sm: [14, 21],
    base: [16, 24],
    lg: [18, 27],
    xl: [20, 28],
    '2xl': [28, 34],
    hero: [60, 62],
    'hero-small': [40, 44],
  },
  weights: { normal: 400, medium: 550, semibold: 600 },
  /** Multiples of 4 px; `0.5`, `1.5` and `2.5` are for the insides of badges and icons. */
  spacing: [
    0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 18, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60,
    64, 72, 80, 88, 96, 112, 120, 144,
  ],
  radius: { xs: 3, sm: 4, md: 6, lg: 10, xl: 14 },
  /** Widths in px. */
  containers: {
    note: 360,
    dialog: 480,
    form: 640,
    'dialog-wide': 720,
    read: 760,
    'table-narrow': 928,
    table: 1120,
    page: 1280,
    wide: 1600,
  },
  breakpoints: BREAKPOINTS,
  /** Milliseconds. */
  motion: { fast: 120 },
} as const

export type ColorName = keyof typeof tokens.colors.light
export const SPACING_PX = 4

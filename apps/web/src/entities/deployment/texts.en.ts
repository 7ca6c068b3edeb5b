export const en = {
  problem: 'This value is not in a form that the application accepts.',
  tooLong: (most: string) => `At most ${most} characters.`,
  sealed:
    'These values are handed to the application. They are sealed in this browser: on the way nobody can read or change them.',
}

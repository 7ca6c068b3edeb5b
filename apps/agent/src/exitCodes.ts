/** The agent cannot go on until a person has looked: starting it again would not help (EX_CONFIG of sysexits.h). */
export const EX_CONFIG = 78

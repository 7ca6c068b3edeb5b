/** The agent cannot continue until a person steps in: restarting would not help (EX_CONFIG of sysexits.h). */
export const EX_CONFIG = 78

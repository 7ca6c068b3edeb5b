/** Where something stands: names of fields, and places in lists from 0. */
export type Path = readonly (string | number)[]

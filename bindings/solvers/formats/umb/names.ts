/** The group of annotations that Foreguard writes beside UMB's own `aps` and `rewards`. */
export const GROUP = 'foreguard';

/** In that group, of type bool: the states whose row is empty because the data say nothing about them. */
export const UNKNOWN = 'unknown';

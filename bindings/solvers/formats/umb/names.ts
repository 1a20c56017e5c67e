/** The group of annotations that Foreguard writes beside UMB's own `aps` and `rewards`. */
export const GROUP = 'foreguard';

/** The annotation in that group, of type bool, that marks the states whose row is empty for lack of data. */
export const UNKNOWN = 'unknown';

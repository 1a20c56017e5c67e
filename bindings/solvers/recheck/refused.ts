/** Says what a certificate does not show. */
export class Refused extends Error {}

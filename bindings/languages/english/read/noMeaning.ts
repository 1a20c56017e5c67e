/** Thrown inside: a tree that the grammar allows but that says nothing that is safe to take for a rule. */
export class NoMeaning extends Error {
  readonly endless: boolean;
  constructor(endless = false) {
    super();
    this.endless = endless;
  }
}

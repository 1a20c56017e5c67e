/** Words that a name ends with, and behind "is", which say in which state a thing is. */
export const STATES: ReadonlySet<string> = new Set(
  'on off open closed shut locked unlocked full empty ready busy active idle broken dirty clean hot cold running stopped approved confirmed done safe visible held'.split(
    ' ',
  ),
);

import { parseFormula } from 'foreguard/english';

/** FRET's own notation as a formula: V is release, LAST the last step. */
export function fromFret(text) {
  return parseFormula(
    text
      .replaceAll('LAST', '(!(X true))')
      .replaceAll('TRUE', 'true')
      .replace(/ V /g, ' R ')
      .replace(/(\w+) = (\w+)/g, '$1 == $2'),
  );
}

/** A formula with its comparisons as predicates that they name, so that their values play no part. */
export function plain(formula) {
  if (formula.kind === 'comparison')
    return { kind: 'predicate', name: formula.source, source: formula.source };
  return Object.fromEntries(
    Object.entries(formula).map(([key, value]) => [key, value?.kind === undefined ? value : plain(value)]),
  );
}

/** What becomes of a requirement in FRET's English: `right`, `wrong` or `refused`. */
export function fretishOutcome({ readFretish, equivalent }, { sentence, finite }) {
  try {
    const { formula } = readFretish(sentence);
    return { outcome: equivalent(plain(formula), plain(fromFret(finite))) ? 'right' : 'wrong' };
  } catch {
    return { outcome: 'refused' };
  }
}

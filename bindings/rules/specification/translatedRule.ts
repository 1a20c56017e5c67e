import { isSeq, type Node } from 'yaml';
import { nearestName } from '../../base/suggest.js';
import { allows } from '../../languages/automaton/index.js';
import type { Formula } from '../../languages/logic/index.js';
import type { Entry, SpecificationDocument } from './document.js';

/** A translated rule, as it stands beside its formula. */
export interface TranslatedRule {
  readonly formula: Formula;
  /** Whether the rule only reports. */
  readonly shadow: boolean;
  readonly predicates: readonly string[];
  readonly samplingPeriod: string | null;
}

/**
 * Checks a rule that a language model translated (`translated`, the sentence): it is enforced only if a person has confirmed it by runs (`confirmed`), and the formula
 * still says of each run what they said.
 */
export function checkTranslated(
  document: SpecificationDocument,
  what: string,
  entries: ReadonlyMap<string, Entry>,
  rule: TranslatedRule,
): void {
  const [translated, confirmed] = [entries.get('translated'), entries.get('confirmed')];
  if (translated === undefined) {
    if (confirmed !== undefined)
      document.problem(
        confirmed.key,
        `${what}: confirmed goes with translated, the sentence that a language model translated`,
        'translated',
      );
    return;
  }
  if (entries.has('english')) {
    document.problem(
      translated.key,
      `${what} has english and translated; english is read each time, and translated was read once, by a language model; write one of them`,
    );
    return;
  }
  if (confirmed !== undefined) checkConfirmed(document, `${what}: confirmed`, confirmed.value, rule);
  else if (!rule.shadow)
    document.problem(
      translated.key,
      `${what} was translated by a language model, and nobody has confirmed it; foreguard translate --confirm writes what confirms it, and without it the rule may only report (strategy: report)`,
      'confirmed',
    );
}

function checkConfirmed(
  document: SpecificationDocument,
  what: string,
  node: Node | null,
  rule: TranslatedRule,
): void {
  const entries = document.entries(node, what, ['by', 'allowed', 'forbidden']);
  document.text(entries.get('by')?.value ?? node, `${what}: by`);
  let runs = 0;
  for (const kind of ['allowed', 'forbidden'] as const) {
    const entry = entries.get(kind);
    for (const run of entry === undefined ? [] : document.items(entry.value, `${what}: ${kind}`)) {
      runs++;
      checkRun(document, `${what}: ${kind}`, run, kind === 'allowed', rule);
    }
  }
  if (runs === 0)
    document.problem(
      node,
      `${what} has no run, so that nothing was confirmed`,
      'allowed and forbidden, lists of runs',
    );
}

/** @param run a list of steps, each a list of the predicates that are true there */
function checkRun(
  document: SpecificationDocument,
  what: string,
  run: Node,
  isAllowed: boolean,
  { formula, predicates, samplingPeriod }: TranslatedRule,
): void {
  const before = document.problems.length;
  const steps = (isSeq(run) ? document.items(run, what) : []).map((step) =>
    document.items(step, what).map((name) => {
      const text = document.text(name, what);
      if (text !== undefined && !predicates.includes(text)) {
        const nearest = nearestName(text, predicates);
        document.problem(
          name,
          `${what} names ${JSON.stringify(text)}, which is no predicate`,
          nearest ?? 'a predicate',
        );
      }
      return [text ?? '', true] as const;
    }),
  );
  if (document.problems.length > before) return;
  if (steps.length === 0) {
    document.problem(run, `${what} has a run without steps`, 'a list of steps, each a list of predicates');
    return;
  }
  const trace = steps.map((names) => Object.fromEntries(names));
  const found = document.attempt(run, () =>
    allows(formula, trace, { samplingPeriod }) ? 'allows' : 'forbids',
  );
  if (found !== undefined && (found === 'allows') !== isAllowed)
    document.problem(
      run,
      `${what}: the formula ${found} this run, which was confirmed as ${isAllowed ? 'allowed' : 'forbidden'}; the formula or a predicate has changed since: translate and confirm the sentence again`,
    );
}

import type { ComparedTrace, Demand } from '../../languages/automaton/compare/index.js';
import type { Assumption, Needed } from './finding.js';
import { kept, type Member } from './members.js';
import { runOf } from './runOf.js';

/** A smallest set of members, in the sense that none can be left out, under which no run does what is asked. */
export interface Reasons {
  readonly because: readonly string[];
  readonly under: readonly Assumption[];
  readonly needs: readonly Needed[];
}

/**
 * Why no run that keeps the members does one of several things; null if some run does. Members are left out one by one, in their order, as long as no run is found.
 *
 * @param members rules first, then what is assumed
 * @param asked what runs are asked for: each entry is one thing, a list of demands that are to be met together
 * @throws NotSupportedError if a question takes more than `maxTuples` tuples of states
 */
export function reasons(
  members: readonly Member[],
  asked: readonly (readonly Demand[])[],
  maxTuples: number,
): Reasons | null {
  const runUnder = (some: readonly Member[]): ComparedTrace | null => {
    for (const demands of asked) {
      // What is assumed comes first, because it leaves little of the rest.
      const run = runOf([...kept([...some].reverse()), ...demands], maxTuples);
      if (run !== null) return run;
    }
    return null;
  };
  if (runUnder(members) !== null) return null;
  let needed = members;
  for (const member of members) {
    const others = needed.filter((one) => one !== member);
    if (runUnder(others) === null) needed = others;
  }
  const rules = needed.filter(({ kind }) => kind === 'rule');
  // Assumptions are left out last, so that a run without one of the rules exists that keeps all of them: it is one that may happen.
  const assumed = members.filter(({ kind }) => kind !== 'rule');
  return {
    because: rules.map(({ name }) => name),
    under: needed.flatMap(({ kind }) => (kind === 'rule' ? [] : [kind])),
    needs: rules.map((member) => ({
      rule: member.name,
      trace: completed(
        runUnder([...rules.filter((one) => one !== member), ...assumed]) as ComparedTrace,
        member.automata.flatMap(({ predicates }) => predicates),
      ),
    })),
  };
}

/** The run with these predicates too, false where nothing that was asked reads them. */
function completed(trace: ComparedTrace, names: readonly string[]): ComparedTrace {
  const unread = Object.fromEntries(names.map((name) => [name, false]));
  return trace.map((step) => ({ ...unread, ...step }));
}

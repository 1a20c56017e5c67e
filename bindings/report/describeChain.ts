import { InvalidArgumentError } from '../errors.js';
import type { Dtmc } from '../model/index.js';
import type { RiskEntry, RuleRiskTable } from '../risk/index.js';
import type { ReportChain, ReportState } from './reportData.js';

/** Rarer transitions, which smoothing makes by the thousand, are left out of the drawing. */
const leastProbability = 0.001;

/**
 * A learnt chain with the risk of one rule, for a report. Where a rule has a history, a state's risk is the largest over
 * the histories that have not decided the rule yet; a state that every history has decided shows how.
 *
 * @param model as `learn` made it: `start` first, `end` last
 * @param table of the same model, from `riskTable`
 * @throws InvalidArgumentError where the table speaks of states that the model does not have
 */
export function describeChain(
  model: Dtmc,
  table: RuleRiskTable,
  options: { readonly title: string; readonly threshold: number | null },
): ReportChain {
  const last = model.states - 1;
  const entries: RiskEntry[][] = Array.from({ length: last }, () => []);
  for (const entry of table.entries) {
    if (entry.state + 1 >= last) {
      throw new InvalidArgumentError(
        `the risk table has state ${entry.state}, but the model only ${last - 1} states besides start and end; they do not belong together`,
      );
    }
    entries[entry.state + 1].push(entry);
  }
  const states = Array.from({ length: model.states }, (_, s): ReportState => {
    if (s === last) return { ...runEnds, label: runEnds.words };
    if (s > 0) return describeState(model, s, entries[s]);
    const words = 'before the first observation';
    return {
      name: 'start',
      kind: 'start',
      label: words,
      words,
      risk: table.start,
      draws: drawsOf(model, 0),
      violated: false,
    };
  });
  const transitions = [];
  for (let from = 0; from < last; from++) {
    for (let i = model.rowStart[from]; i < model.rowStart[from + 1]; i++) {
      const probability = model.values[i];
      if (probability >= leastProbability) transitions.push({ from, to: model.columns[i], probability });
    }
  }
  return { ...options, rule: table.formula, states, transitions };
}

const runEnds = {
  name: 'end',
  kind: 'end',
  words: 'the run is over',
  risk: null,
  draws: 0,
  violated: false,
} as const;

/** Of what holds in a state, the names of the true predicates. */
function labelOfState({ valuations }: Dtmc, s: number): string {
  const names = (valuations?.variables ?? []).flatMap(({ name, type }, v) =>
    type === 'bool' && valuations?.values[v][s] ? [name] : [],
  );
  return names.length > 0 ? names.join(', ') : 'none of the predicates';
}

function drawsOf({ annotations }: Dtmc, s: number): number {
  const draws = annotations?.find(({ name, appliesTo }) => name === 'draws' && appliesTo === 'states');
  return draws?.values[s] ?? 0;
}

function describeState(model: Dtmc, s: number, entries: readonly RiskEntry[]): ReportState {
  const open = entries.filter(({ verdict }) => verdict === 'open');
  const shown = (open.length > 0 ? open : entries).reduce<RiskEntry | undefined>(
    (worst, entry) => (worst && worst.upper >= entry.upper ? worst : entry),
    undefined,
  );
  return {
    name: `s${s - 1}`,
    kind: 'state',
    label: labelOfState(model, s),
    words: shown?.description ?? 'no run comes here',
    risk: shown ? { lower: shown.lower, upper: shown.upper } : null,
    draws: drawsOf(model, s),
    violated: shown?.verdict === 'violated',
  };
}

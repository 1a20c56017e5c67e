import { InvalidArgumentError } from '../../base/errors.js';
import { learntParameters } from '../../estimation/learning/index.js';
import { describeOffset, describeSampled } from '../../observations/trace/index.js';
import {
  type Certificate,
  horizonInWords,
  type RiskEntry,
  type RuleCertificate,
  type RuleRiskTable,
} from '../../rules/risk/index.js';
import type { Dtmc } from '../../solvers/model/index.js';
import { drawnTransitions } from './drawnTransitions.js';
import type { ReportChain, ReportState } from './reportData.js';

/**
 * Describes a learnt chain with the risk of one rule, for a report. If a rule has a history, a state's risk is the largest over the
 * histories that have not decided the rule yet. A state in which every history has decided the rule shows the decision, and one in which
 * some histories have broken it is `breaking`. Transitions with a probability below 0.001 are left out and counted, except those on which
 * something rests (`drawnTransitions`).
 *
 * @param model as `learn` made it: `start` first, `end` last
 * @param table of the same model, from `riskTable`
 * @param options `certificate` of the same model, from `certify`, gives each state a confidence interval too. Default none.
 *
 * @throws InvalidModelError if the model was not learnt by Foreguard; InvalidArgumentError if the table has states that the model lacks, or
 * the certificate lacks the table's rule
 */
export function describeChain(
  model: Dtmc,
  table: RuleRiskTable,
  {
    certificate,
    ...options
  }: { readonly title: string; readonly threshold: number | null; readonly certificate?: Certificate },
): ReportChain {
  const certified = certificate?.rules.find(({ name }) => name === table.name);
  if (certificate !== undefined && certified === undefined) {
    throw new InvalidArgumentError(
      `the certificate has no rule "${table.name}", of which the risk table is; they do not belong together`,
    );
  }
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
    if (s > 0) return describeState(model, s, entries[s], certified);
    const words = 'before the first observation';
    return {
      name: 'start',
      kind: 'start',
      label: words,
      words,
      risk: table.start,
      ...(certified && { confidence: intervalOf({ ...certified.start, unbounded: null }) }),
      draws: drawsOf(model, 0),
      violated: false,
    };
  });
  const { transitions, notDrawn } = drawnTransitions(model, states);
  const { resampled, period } = learntParameters(model);
  const sampled = [
    ...(resampled ? describeSampled(resampled) : []),
    describeOffset(resampled?.onTime, period),
  ].filter((line) => line !== undefined);
  return {
    ...options,
    evaluation: table.evaluation,
    rule: `${table.formula}${horizonInWords(table.horizonSteps)}`,
    ...(table.english !== undefined && { english: table.english }),
    ...(certificate && { confidence: Number((1 - certificate.delta).toPrecision(12)) }),
    states: states.map((state, s) =>
      notDrawn[s].transitions > 0 ? { ...state, notDrawn: notDrawn[s] } : state,
    ),
    transitions,
    ...(sampled.length > 0 && { sampled }),
  };
}

const runEnds = {
  name: 'end',
  kind: 'end',
  words: 'the run is over',
  risk: null,
  draws: 0,
  violated: false,
} as const;

/** The names of the predicates that are true in a state. */
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

function intervalOf({
  confidenceLower,
  confidenceUpper,
  unbounded,
}: Pick<
  RuleCertificate['entries'][number],
  'confidenceLower' | 'confidenceUpper' | 'unbounded'
>): NonNullable<ReportState['confidence']> {
  return { lower: confidenceLower, upper: confidenceUpper, unbounded };
}

function describeState(
  model: Dtmc,
  s: number,
  entries: readonly RiskEntry[],
  certified: RuleCertificate | undefined,
): ReportState {
  const open = entries.filter(({ verdict }) => verdict === 'open');
  const shown = (open.length > 0 ? open : entries).reduce<RiskEntry | undefined>(
    (worst, entry) => (worst && worst.upper >= entry.upper ? worst : entry),
    undefined,
  );
  const interval = certified?.entries.find(
    ({ state, automatonState }) => state === s - 1 && automatonState === shown?.automatonState,
  );
  return {
    name: `s${s - 1}`,
    kind: 'state',
    label: labelOfState(model, s),
    words: shown?.inWords ?? shown?.description ?? 'no run comes here',
    risk: shown ? { lower: shown.lower, upper: shown.upper } : null,
    ...(interval && { confidence: intervalOf(interval) }),
    draws: drawsOf(model, s),
    violated: shown?.verdict === 'violated',
    ...(open.length > 0 && entries.some(({ verdict }) => verdict === 'violated') && { breaking: true }),
  };
}

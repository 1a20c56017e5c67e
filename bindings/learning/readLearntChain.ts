import { InvalidModelError } from '../errors.js';
import type { Annotation, Dtmc, Model } from '../model/index.js';
import type { Forgetting } from './forgetting.js';
import type { LearningParameters } from './parameters.js';

/** A learnt chain as risk tables and guards see it: chain state c is model state c + 1. */
export interface LearntView {
  readonly model: Dtmc;
  readonly parameters: LearningParameters;
  /** What was forgotten: then counts are not draws that all count once, and no certificate holds. Null: nothing. */
  readonly forgetting: Forgetting | null;
  /** Number of chain states. */
  readonly states: number;
  /** Model state `start`, always 0. */
  readonly start: number;
  /** Model state `end`, always the last. */
  readonly end: number;
  /** 32-bit words of a packed valuation. */
  readonly words: number;
  /** Uint32Array(states * words): predicate i of chain state c is bit `i & 31` of word `c * words + (i >>> 5)`. */
  readonly valuations: Uint32Array;
  /** Float64Array(states): how often each chain state was left; 0 is unknown to a guard. */
  readonly draws: Float64Array;
  /** Transitions seen between chain states, as compressed rows; those to `end` are not among them. */
  readonly seen: { readonly rowStart: Uint32Array; readonly columns: Uint32Array };
  /** Float64Array, one entry per branch of the model: how often it was seen. */
  readonly counts: Float64Array;
}

/**
 * Reads back what `learn` wrote, also after the model was kept in a file.
 *
 * A learnt chain has state 0 = `start`, then the valuations in order of discovery, then (`states: valid`) those never seen,
 * last `end`. Labels: `start`, `end`, and one per predicate (false in both). Variables: one Boolean per predicate, and
 * `phase` (0 start, 1 running, 2 end). Annotations of branches: `count`, and `firstDraw`, the draw of its source (from 1;
 * 0 never) that first showed it; of states: `draws`, `drawsSinceNew` a new successor, and `rank` of discovery (`start` 1;
 * 0 never). `parameters.foreguard` says how it was learnt. States without data and smoothing are `unknown`, their row empty.
 *
 * @throws InvalidModelError if the model was not learnt by Foreguard, saying what it lacks
 */
export function readLearntChain(model: Dtmc): LearntView {
  const parameters = learntParameters(model);
  const states = model.states - 2;
  const counts = annotation(model, 'branches', 'count');
  const draws = annotation(model, 'states', 'draws').slice(1, -1);
  const words = Math.max(1, Math.ceil(parameters.predicates.length / 32));
  return {
    model,
    parameters,
    forgetting: parameters.forgetting ?? null,
    states,
    start: 0,
    end: states + 1,
    words,
    valuations: packValuations(model, parameters, words),
    draws,
    seen: seenTransitions(model, counts),
    counts,
  };
}

/** How a model was learnt. @throws InvalidModelError if it was not */
export function learntParameters({ parameters, states }: Model): LearningParameters {
  const found = (parameters as { foreguard?: Partial<LearningParameters> } | undefined)?.foreguard;
  if (!found) throw notLearnt('it has no parameters.foreguard');
  if (!Array.isArray(found.predicates) || !found.learning) {
    throw notLearnt('its parameters.foreguard lack predicates or learning');
  }
  if (states < 3) throw notLearnt(`it has ${states} states, fewer than start, end and one between`);
  return found as LearningParameters;
}

function annotation(model: Dtmc, appliesTo: Annotation['appliesTo'], name: string): Float64Array {
  const found = model.annotations?.find((one) => one.appliesTo === appliesTo && one.name === name);
  if (!found) throw notLearnt(`its ${appliesTo} have no annotation "${name}"`);
  return found.values;
}

/** The valuations of all states but the first and the last. @throws InvalidModelError where there are none */
export function packValuations(model: Model, { predicates }: LearningParameters, words: number): Uint32Array {
  const packed = new Uint32Array((model.states - 2) * words);
  predicates.forEach(({ name }, i) => {
    const variable = model.valuations?.variables.findIndex((one) => one.name === name) ?? -1;
    if (variable < 0) throw notLearnt(`its states have no variable "${name}"`);
    const values = model.valuations!.values[variable];
    for (let state = 0; state < model.states; state++) {
      if (values[state]) packed[(state - 1) * words + (i >>> 5)] |= 1 << (i & 31);
    }
  });
  return packed;
}

function seenTransitions(model: Dtmc, counts: Float64Array): LearntView['seen'] {
  const states = model.states - 2;
  const rowStart = new Uint32Array(states + 1);
  const columns: number[] = [];
  for (let c = 0; c < states; c++) {
    for (let i = model.rowStart[c + 1]; i < model.rowStart[c + 2]; i++) {
      if (counts[i] > 0 && model.columns[i] <= states) columns.push(model.columns[i] - 1);
    }
    rowStart[c + 1] = columns.length;
  }
  return { rowStart, columns: Uint32Array.from(columns) };
}

function notLearnt(why: string): InvalidModelError {
  return new InvalidModelError(
    `the model was not learnt by Foreguard: ${why}; make one from traces with \`foreguard learn\``,
  );
}

import { InvalidModelError } from '../../base/errors.js';
import {
  type Annotation,
  type ChainView,
  type Dtmc,
  type Mdp,
  type Model,
  NO_ACTION,
} from '../../solvers/model/index.js';
import type { Forgetting } from './forgetting.js';
import type { LearningParameters } from './parameters.js';

/**
 * A learnt model as products and certificates read it. States have the model's numbers: `start` is 0, `end` is the last. State s is s - 1
 * in guard files, risk tables and certificates.
 */
export interface LearntView<Learnt extends Dtmc | Mdp = Dtmc> extends ChainView {
  readonly model: Learnt;
  readonly parameters: LearningParameters;
  /** The forgetting rule: counts are then not draws that all count once, and no certificate holds. Null: nothing was forgotten. */
  readonly forgetting: Forgetting | null;
  /** Float64Array(states): how often each state was left; 0 at `start` and `end`. */
  readonly draws: Float64Array;
  /** Float64Array, one entry per branch of the model: how often it was seen. */
  readonly counts: Float64Array;
}

/** A learnt decision process. */
export interface LearntMdpView extends LearntView<Mdp> {
  /** Uint32Array(rows): the state of each row of the model. */
  readonly stateOf: Uint32Array;
  /** The action of each row; null if none was taken, and in rows without a choice. */
  readonly actions: readonly (string | null)[];
  /** Float64Array(rows): how often the action was taken in the state. */
  readonly rowDraws: Float64Array;
  /** Float64Array(rows): the share of the row's action among all draws of its state; 1 in rows without choice. */
  readonly policy: Float64Array;
}

/**
 * Reads back a chain that `learn` made, also from a model file.
 *
 * A learnt chain has state 0 = `start`, then the valuations in order of discovery, then (`states: valid`) the valuations never seen, and
 * last `end`. Labels: `start`, `end`, and one per predicate (false in both). Variables: one Boolean per predicate, and `phase` (0 start, 1
 * running, 2 end). Annotations of branches: `count`, and `firstDraw`, the draw of its source (from 1; 0 never) that first showed it; of
 * states: `draws`, `drawsSinceNew` (draws since the last new successor), and `rank` of discovery (`start` 1; 0 never).
 * `parameters.foreguard` says how the chain was learnt. Without smoothing, states without data are `unknown` and their rows empty.
 *
 * @throws InvalidModelError if the model was not learnt by Foreguard, naming what is missing
 */
export function readLearntChain(model: Dtmc): LearntView {
  return viewOf(model, annotations(model, notLearnt, ['branches', 'count'], ['states', 'draws']));
}

/**
 * Reads back a decision process that `learnMdp` made, also from a model file.
 *
 * States, labels and variables are those of a learnt chain (`readLearntChain`). `start` and `end` have one row, without action. Other
 * states have one row for each action with an observed outcome there, in the order in which actions were discovered, the nameless one (no
 * action) first. States never left have a single row, without action, and the label `unknown`; the row is smoothed, or is a self-loop if
 * there is nothing to smooth. Annotations of branches: `count` and `firstDraw` (draws of the row); of choices: `draws`, `drawsSinceNew`,
 * `rank` of first draws (`start` 1; 0 never), and `policy` (the action's share of all draws of the state); of states: `left`, the number of
 * draws.
 *
 * @throws InvalidModelError if the model is not a decision process learnt by Foreguard, naming what is missing
 */
export function readLearntMdp(model: Mdp): LearntMdpView {
  const [counts, left, rowDraws, policy] = annotations(
    model,
    notDecided,
    ['branches', 'count'],
    ['states', 'left'],
    ['choices', 'draws'],
    ['choices', 'policy'],
  );
  const { names, ofRow } = model.actions ?? { names: [], ofRow: new Uint32Array(0) };
  const actions = Array.from(ofRow, (action) => (action === NO_ACTION ? null : names[action]));
  const stateOf = new Uint32Array(model.rowStart.length - 1);
  for (let s = 0; s < model.states; s++) stateOf.fill(s, model.rowGroupStart[s], model.rowGroupStart[s + 1]);
  return { ...viewOf(model, [counts, left]), stateOf, actions, rowDraws, policy };
}

function viewOf<Learnt extends Dtmc | Mdp>(
  model: Learnt,
  [counts, left]: readonly Float64Array[],
): LearntView<Learnt> {
  const parameters = learntParameters(model);
  const predicates = parameters.predicates.map(({ name }) => name);
  const words = Math.max(1, Math.ceil(predicates.length / 32));
  const { states, rowStart, columns, values } = model;
  const [start, end] = [0, states - 1];
  return {
    ...{ model, parameters, forgetting: parameters.forgetting ?? null },
    ...{ states, start, end, rowStart, columns, values },
    ...{ predicates, words, valuations: packValuations(model, predicates, words) },
    draws: left.map((times, s) => (s === start || s === end ? 0 : times)),
    counts,
  };
}

/** How a model was learnt. @throws InvalidModelError if it was not learnt */
export function learntParameters({ parameters, states }: Model): LearningParameters {
  const found = (parameters as { foreguard?: Partial<LearningParameters> } | undefined)?.foreguard;
  if (!found) throw notLearnt('it has no parameters.foreguard');
  if (!Array.isArray(found.predicates) || !found.learning) {
    throw notLearnt('its parameters.foreguard lack predicates or learning');
  }
  if (states < 3) throw notLearnt(`it has ${states} states, fewer than start, end and one between`);
  return found as LearningParameters;
}

/** @throws InvalidModelError if the model was not learnt, or lacks an annotation */
function annotations(
  model: Model,
  lacks: (what: string) => InvalidModelError,
  ...wanted: readonly (readonly [appliesTo: Annotation['appliesTo'], name: string])[]
): Float64Array[] {
  learntParameters(model);
  const missing: string[] = [];
  const found = wanted.map(([appliesTo, name]) => {
    const one = model.annotations?.find((each) => each.appliesTo === appliesTo && each.name === name);
    if (!one) missing.push(`its ${appliesTo} have no annotation "${name}"`);
    return one?.values ?? new Float64Array(0);
  });
  if (missing.length > 0) throw lacks(missing.join(', '));
  return found;
}

/** @throws InvalidModelError if a predicate is not a variable of the states */
function packValuations(
  { states, valuations }: Model,
  predicates: readonly string[],
  words: number,
): Uint32Array {
  const packed = new Uint32Array(states * words);
  predicates.forEach((name, i) => {
    const variable = valuations?.variables.findIndex((one) => one.name === name) ?? -1;
    if (variable < 0) throw notLearnt(`its states have no variable "${name}"`);
    const values = valuations!.values[variable];
    for (let s = 0; s < states; s++) if (values[s]) packed[s * words + (i >>> 5)] |= 1 << (i & 31);
  });
  return packed;
}

function notLearnt(why: string): InvalidModelError {
  return new InvalidModelError(
    `the model was not learnt by Foreguard: ${why}; make one from traces with \`foreguard learn\``,
  );
}

function notDecided(why: string): InvalidModelError {
  return new InvalidModelError(
    `the model was not learnt as a decision process by Foreguard: ${why}; make one from traces with \`foreguard learn\` and learning.model: mdp`,
  );
}

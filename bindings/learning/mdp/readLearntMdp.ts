import { InvalidModelError } from '../../errors.js';
import { type Annotation, type Mdp, NO_ACTION } from '../../model/index.js';
import type { LearningParameters } from '../parameters.js';
import { learntParameters, packValuations } from '../readLearntChain.js';

/** A learnt decision process: learnt state c is model state c + 1. */
export interface LearntMdpView {
  readonly model: Mdp;
  readonly parameters: LearningParameters;
  /** Number of states, `start` and `end` not among them. */
  readonly states: number;
  /** Model state `start`, always 0. */
  readonly start: number;
  /** Model state `end`, always the last. */
  readonly end: number;
  /** 32-bit words of a packed valuation. */
  readonly words: number;
  /** Uint32Array(states * words), as in `LearntView`. */
  readonly valuations: Uint32Array;
  /** Float64Array(states): how often each was left. */
  readonly draws: Float64Array;
  /** Per row of the model its action; null where none was taken, and where nothing is chosen. */
  readonly actions: readonly (string | null)[];
  /** Float64Array(rows): how often the action was taken in the state. */
  readonly rowDraws: Float64Array;
  /** Float64Array(rows): how often, of all times that the state was left; 1 in rows without choice. */
  readonly policy: Float64Array;
  /** Float64Array(branches): how often each was seen. */
  readonly counts: Float64Array;
}

/**
 * Reads back what `learnMdp` wrote, also after the model was kept in a file.
 *
 * States, labels and variables are those of a learnt chain (`readLearntChain`). `start` and `end` have one row, without action; other states one
 * for each action that something came of there, in the order in which actions were discovered, the one without a name (no action) first; states
 * never left have a single one, without action, and the label `unknown`: smoothed, or, where there is nothing to smooth, staying where they are.
 * Annotations of branches: `count` and `firstDraw` (draws of the row); of choices: `draws`, `drawsSinceNew`, `rank` of first draws (`start` 1; 0 never),
 * and `policy`, how often the action was taken of all times that the state was left; of states: `left`, how often that was.
 *
 * @throws InvalidModelError if the model is no decision process learnt by Foreguard, saying what it lacks
 */
export function readLearntMdp(model: Mdp): LearntMdpView {
  const parameters = learntParameters(model);
  const words = Math.max(1, Math.ceil(parameters.predicates.length / 32));
  const { names, ofRow } = model.actions ?? { names: [], ofRow: new Uint32Array(0) };
  return {
    model,
    parameters,
    states: model.states - 2,
    start: 0,
    end: model.states - 1,
    words,
    valuations: packValuations(model, parameters, words),
    draws: annotation(model, 'states', 'left').slice(1, -1),
    actions: Array.from(ofRow, (action) => (action === NO_ACTION ? null : names[action])),
    rowDraws: annotation(model, 'choices', 'draws'),
    policy: annotation(model, 'choices', 'policy'),
    counts: annotation(model, 'branches', 'count'),
  };
}

function annotation(model: Mdp, appliesTo: Annotation['appliesTo'], name: string): Float64Array {
  const found = model.annotations?.find((one) => one.appliesTo === appliesTo && one.name === name);
  if (found) return found.values;
  throw new InvalidModelError(
    `the model was not learnt as a decision process by Foreguard: its ${appliesTo} have no annotation "${name}"; make one from traces with \`foreguard learn\` and learning.model: mdp`,
  );
}

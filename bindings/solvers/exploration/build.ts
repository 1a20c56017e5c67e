import { InvalidArgumentError, NotSupportedError } from '../../base/errors.js';
import type { Rational } from '../../base/rational.js';
import { describeValue, type OptionNames, refuseUnknownOptions } from '../../base/suggest.js';
import type { GivenConstants, PrismExpression, Scope } from '../../languages/logic/index.js';
import type { PrismModel } from '../formats/index.js';
import type { ExactRewards, Model, Rounding, StateVariables } from '../model/index.js';
import { assemble, evaluateStates, type StateValues } from './assemble.js';
import { exactRewards } from './exactRewards.js';
import { exploreByClosures } from './exploreByClosures.js';
import type { Control, Explored } from './explored.js';
import { type Fractions, fractionsFor } from './fractions.js';
import { limitsOf } from './limits.js';
import { roundingOf } from './rounding.js';
import { compileSystem, type System } from './system.js';
import { exploreByWasm } from './wasm/exploreByWasm.js';

/** Options for exploring a model: method, limits, and the data to keep. */
export interface BuildOptions {
  /** Values of constants, for those that the model leaves open or to override its own. */
  readonly constants?: GivenConstants;
  /** The largest number of states. Default: limited by memory only. */
  readonly maxStates?: number;
  /** The most memory that states and transitions may take. Default: all available. */
  readonly maxMemoryBytes?: number;
  /** Also keep every probability and reward as a fraction, and compare non-integers exactly. Default false. */
  readonly exact?: boolean;
  /**
   * Conditions on states. A state that satisfies one is not explored: it gets a self-loop. Suitable if the behaviour after such
   * a state does not matter. Default: none.
   */
  readonly stopAt?: readonly PrismExpression[];
  /**
   * `wasm` compiles guards and updates to WebAssembly; `closures` does not. Both give the same model. Default: closures up to a
   * thousand states, then `wasm`. Closures are also used if the runtime compiles no bytes, for `exact`, for intervals, and for
   * a few forms of `system … endsystem`.
   */
  readonly backend?: 'wasm' | 'closures';
  /** Called every few thousand states with the counts so far. */
  readonly onProgress?: (progress: { states: number; explored: number; transitions: number }) => void;
  readonly signal?: AbortSignal;
}

const buildOptions: OptionNames<BuildOptions> = {
  constants: true,
  maxStates: true,
  maxMemoryBytes: true,
  exact: true,
  stopAt: true,
  backend: true,
  onProgress: true,
  signal: true,
};

/** A model with the data needed to evaluate expressions over its states. */
export interface BuiltModel {
  readonly model: Model;
  readonly variables: StateVariables;
  /** Constants, formulas and variables of the model, for properties. */
  readonly scope: Scope;
  /** The probability of each transition as a fraction, if it is one; only with `exact`. */
  readonly exactValues?: readonly (Rational | undefined)[];
  /** For each reward structure, the fractions behind its rewards; only with `exact`. */
  readonly exactRewards?: readonly ExactRewards[];
  /** The error of the model's doubles against the numbers of its source. */
  readonly rounding: Rounding;
  /**
   * Returns the numbers of the source. Without `exact`, the first call explores again, by closures.
   *
   * @throws NotSupportedError if exact comparisons of non-integers have other results, so that the fractions belong to another
   * model; the reason of an aborted signal
   */
  readonly fractions: (signal?: AbortSignal) => Fractions;
  /** The number of states without a choice, which were given a self-loop. */
  readonly deadlocks: number;
  /** The number of states left unexplored because of `stopAt`, which were given a self-loop. */
  readonly stopped: number;
  /** The method of exploration. */
  readonly backend: 'wasm' | 'closures';
  readonly seconds: number;
}

/**
 * Explores, breadth first, the states of a model in PRISM's language that are reachable from its initial states.
 *
 * As in PRISM: in a chain several choices of a state are taken with equal probability; a state without a choice gets a
 * self-loop, carries the label "deadlock", and is counted in a warning. Probabilities are the doubles nearest to their exact
 * values. Transition rewards become rewards of choices; in a chain, their mean over the choices of a state.
 *
 * @throws ParseError on names and types, with the line and a caret
 * @throws InvalidModelError on a variable that leaves its range, a term without a value (`mod` by 0, a negative power of an int), or
 * probabilities that do not sum to 1 within 1e-9, naming command and state
 * @throws InvalidArgumentError on constants without a value, or more states than `maxStates`
 * @throws KernelError if memory runs out, with the progress made
 * @throws NotSupportedError for `ctmc` models
 */
export function build(model: PrismModel, options: BuildOptions = {}): BuiltModel {
  const started = performance.now();
  refuseUnknownOptions('build', options, buildOptions);
  if (!Array.isArray(model?.modules)) {
    throw new InvalidArgumentError(
      `build is given ${describeValue(model)}; expected what parseModel returns`,
    );
  }
  if (model.type === 'ctmc') {
    throw new NotSupportedError(
      `${model.name} is a ctmc: models in continuous time can be read, but not checked`,
    );
  }
  const control: Control = {
    limits: limitsOf(model.name, options),
    exact: options.exact ?? false,
    checkpoint({ states, explored, transitions }) {
      options.signal?.throwIfAborted();
      options.onProgress?.({ states, explored, transitions });
    },
  };
  const system = compileSystem(model, options);
  const { backend, explored, values } = explore(system, control, options.backend);
  const { states: variables, exactValues } = explored;
  const assembled = assemble(system, explored, values ?? evaluateStates(system, explored));
  let known: Fractions | undefined = exactValues && {
    exactValues,
    exactRewards: exactRewards(system, explored),
  };
  return {
    model: assembled,
    variables,
    scope: system.scope,
    ...known,
    rounding: roundingOf(system),
    fractions: (signal) => {
      known ??= fractionsFor(
        { model: assembled, variables },
        exactTwin(model, options, assembled.states, signal),
      );
      return known;
    },
    deadlocks: explored.deadlocks.length,
    stopped: explored.stopped,
    backend,
    seconds: (performance.now() - started) / 1000,
  };
}

/** Explores the same source with fractions; if that gives more states, it is another model. */
function exactTwin(
  model: PrismModel,
  { constants, stopAt }: BuildOptions,
  maxStates: number,
  signal: AbortSignal | undefined,
): BuiltModel | undefined {
  try {
    return build(model, {
      ...(constants && { constants }),
      ...(stopAt && { stopAt }),
      ...(signal && { signal }),
      exact: true,
      maxStates,
    });
  } catch (error) {
    if (error instanceof InvalidArgumentError) return undefined;
    throw error;
  }
}

/** Up to this size, closures finish before a module is compiled. */
const MAX_SMALL_STATES = 1000;

function explore(
  system: System,
  control: Control,
  backend: BuildOptions['backend'],
): { readonly backend: BuiltModel['backend']; readonly explored: Explored; readonly values?: StateValues } {
  const byClosures = (explored: Explored) => ({ backend: 'closures' as const, explored });
  if (backend === 'closures' || control.exact) return byClosures(exploreByClosures(system, control));
  const small = backend === undefined ? exploreByClosures(system, control, MAX_SMALL_STATES) : undefined;
  if (small) return byClosures(small);
  const generated = exploreByWasm(system, control);
  return generated ? { backend: 'wasm', ...generated } : byClosures(exploreByClosures(system, control));
}

import { InvalidArgumentError } from '../../../base/errors.js';
import { nearestName } from '../../../base/suggest.js';
import { bindAutomaton, buildAutomaton, OPEN, VIOLATED } from '../../../languages/automaton/index.js';
import type { PredicateWords } from '../../../languages/english/index.js';
import {
  deriveAbstraction,
  type Formula,
  parseFormula,
  pastSteps,
  predicatesOf,
} from '../../../languages/logic/index.js';
import {
  Abstraction,
  type ConstraintDefinitions,
  type PredicateDefinition,
} from '../../../observations/abstraction/index.js';
import { type Guard, History } from '../../guard/index.js';
import { Explainer } from '../explainer.js';
import { explainerOf } from '../explainRule.js';
import { PredicateNames } from '../predicateNames.js';
import { recordedPrefix } from '../recordedPrefix.js';
import { ActionFilter, type Track } from './actionFilter.js';
import { and, constraintFormula } from './constraintFormula.js';

/** The rules by which actions are pruned, and their predicates. */
export interface PrunerOptions {
  readonly rules: readonly { readonly name: string; readonly formula: string | Formula }[];
  /**
   * Definitions of predicates over states. If given, even empty, the pruner takes states, and comparisons in rules become predicates of their own; if omitted,
   * it takes predicate values by name, and a comparison's name is its source.
   */
  readonly predicates?: readonly PredicateDefinition[];
  /** How people say predicates, by their names; refusals speak the words of those that have some. Default none. */
  readonly words?: Readonly<Record<string, PredicateWords>>;
  /** Seconds between steps, for windows in time. */
  readonly samplingPeriod?: number | string | null;
  /** Constraints on possible continuations: a rule must be satisfiable by a continuation that meets them. Default: all continuations are possible. */
  readonly constraints?: ConstraintDefinitions;
  /** Whether all rules together must stay satisfiable, which checking each alone does not guarantee; default false. */
  readonly jointly?: boolean;
}

/** An action filter that follows a run itself. */
export class Pruner extends ActionFilter {
  readonly #tracks: readonly OwnTrack[];
  readonly #history: History;
  readonly #encode: Encode;
  readonly #valuation: Uint32Array;

  /** @internal Use `createPruner`. */
  constructor(tracks: readonly OwnTrack[], history: History, encode: Encode) {
    super(tracks, history.words, encode);
    this.#tracks = tracks;
    this.#history = history;
    this.#encode = encode;
    this.#valuation = new Uint32Array(history.words);
  }

  /** Takes the observed step. */
  observe(valuation: Readonly<Record<string, unknown>>): void {
    this.#encode(valuation, this.#valuation);
    this.#history.record({
      valuation: this.#valuation,
      known: this.#valuation,
      complete: true,
    });
    this.#history.number(this.#history.length - 1);
    this.#tracks.forEach((track, r) => {
      track.state = track.stepper.step(track.state, this.#valuation);
      this.#history.follow(r, track.state, track.automaton.verdict[track.state]);
    });
  }

  /** Begins a new run. */
  reset(): void {
    this.#history.reset();
    for (const track of this.#tracks) track.state = track.automaton.initial;
  }

  /** The rules that no continuation can satisfy any more. */
  get violated(): string[] {
    return this.#tracks.flatMap(({ rank, rules, automaton, state }) =>
      rank === RULE && automaton.verdict[state] === VIOLATED ? rules : [],
    );
  }
}

type Encode = (valuation: Readonly<Record<string, unknown>>, into: Uint32Array) => void;
type OwnTrack = Track & { state: number };

const [CONSTRAINTS, RULE, JOINTLY] = [0, 1, 2];

/**
 * Makes a pruner: given proposed actions, each with its expected outcome, it finds those that keep every rule satisfiable.
 *
 * @throws ParseError, NotSupportedError, InvalidArgumentError if a formula, predicate or constraint is malformed, or an automaton is too large
 * @see Yang, Raman, Shah, Tellex: Plug in the safety chip, 2023, arXiv:2309.09919
 */
export function createPruner(options: PrunerOptions): Pruner {
  const samplingPeriod = options.samplingPeriod ?? undefined;
  const parsed = options.rules.map(({ name, formula }) =>
    typeof formula === 'string' ? parseFormula(formula, { name: `rule "${name}"` }) : formula,
  );
  const { formulas, predicates, definitions, encode } = reading(parsed, options);
  const constraint = constraintFormula(options.constraints ?? {});
  for (const name of constraint === null ? [] : predicatesOf(constraint)) requireName(name, predicates);
  const under = (formula: Formula): Formula => (constraint === null ? formula : and(formula, constraint));
  const wanted = [
    ...(constraint === null ? [] : [{ rank: CONSTRAINTS, rules: [], formula: constraint }]),
    ...formulas.map((formula, r) => ({
      rank: RULE,
      rules: [options.rules[r].name],
      formula: under(formula),
    })),
    ...(options.jointly === true && formulas.length > 1
      ? [
          {
            rank: JOINTLY,
            rules: options.rules.map(({ name }) => name),
            formula: under(formulas.reduce(and)),
          },
        ]
      : []),
  ];
  const automata = wanted.map(({ formula }) =>
    buildAutomaton(formula, samplingPeriod === undefined ? {} : { samplingPeriod }),
  );
  const words = Math.max(1, Math.ceil(predicates.length / 32));
  const history = new History(
    words,
    automata,
    wanted.map(({ formula }) => pastSteps(formula, samplingPeriod)),
  );
  const tracks = wanted.map(({ rank, rules, formula }, r): OwnTrack => {
    const automaton = automata[r];
    let explainer: Explainer | undefined;
    return {
      rank,
      rules,
      automaton,
      stepper: bindAutomaton(automaton, predicates),
      state: automaton.initial,
      states() {
        return [this.state];
      },
      explain(further, ended) {
        explainer ??= new Explainer(formula, definitions, samplingPeriod, undefined, options.words);
        return refusal(this, explainer, history, r, predicates, further, ended);
      },
    };
  });
  return new Pruner(tracks, history, encode);
}

/**
 * Prunes actions by the rules of a guard, from the current position of its run; rules on probabilities (`P<0.1 [ … ]`) are ignored.
 *
 * @param options.takes Kind of `valuation`: a `state` that the guard's predicates read (default), or `values` of the predicates.
 */
export function prunerFromGuard(
  guard: Guard,
  options: { readonly takes?: 'state' | 'values' } = {},
): ActionFilter {
  const predicates = guard.file.predicates.map(({ name }) => name);
  const { history } = guard;
  const tracks = guard.file.rules.flatMap((rule, r): Track[] => {
    if (rule.evaluation === 'state') return [];
    const { automaton, name } = rule;
    const all = Array.from({ length: automaton.states }, (_, q) => q);
    const status = guard.rules[r];
    return [
      {
        rank: RULE,
        rules: [name],
        automaton,
        stepper: bindAutomaton(automaton, predicates),
        states: () =>
          status.automatonState >= 0 ? [status.automatonState] : all.filter((q) => status.mayBeIn(q)),
        explain(further, ended) {
          return refusal(this, explainerOf(guard, rule), history, r, predicates, further, ended);
        },
      },
    ];
  });
  const encode = options.takes === 'values' ? valuesOf(predicates) : statesOf(guard.file.predicates);
  return new ActionFilter(tracks, history.words, encode);
}

/** The rules over predicates, the predicates in the order of their bits, and their encoding. */
function reading(
  parsed: readonly Formula[],
  { predicates, constraints }: PrunerOptions,
): {
  formulas: readonly Formula[];
  predicates: readonly string[];
  definitions: readonly PredicateDefinition[];
  encode: Encode;
} {
  if (predicates === undefined) {
    const formulas = parsed.map((formula) => new PredicateNames([]).resolve(formula));
    const constraint = constraintFormula(constraints ?? {});
    const names = [...new Set([...formulas, ...(constraint ? [constraint] : [])].flatMap(predicatesOf))];
    return { formulas, predicates: names, definitions: [], encode: valuesOf(names) };
  }
  const derived = deriveAbstraction(
    parsed,
    predicates.map(({ name }) => name),
  );
  const definitions = [...predicates, ...derived.predicates];
  const names = definitions.map(({ name }) => name);
  for (const name of derived.formulas.flatMap(predicatesOf)) requireName(name, names);
  return { formulas: derived.formulas, predicates: names, definitions, encode: statesOf(definitions) };
}

function requireName(name: string, names: readonly string[]): void {
  if (names.includes(name)) return;
  const nearest = nearestName(name, names);
  throw new InvalidArgumentError(
    `predicate "${name}" is not defined${nearest === undefined ? '' : `; did you mean "${nearest}"?`}`,
  );
}

function valuesOf(names: readonly string[]): Encode {
  return (values, into) => {
    into.fill(0);
    names.forEach((name, i) => {
      const value = values[name];
      if (typeof value !== 'boolean') {
        const nearest = nearestName(name, Object.keys(values));
        throw new InvalidArgumentError(
          `predicate "${name}" is ${value}, expected true or false${value === undefined && nearest !== undefined ? `; did you mean "${nearest}"?` : ''}`,
        );
      }
      if (value) into[i >>> 5] |= 1 << (i & 31);
    });
  };
}

function statesOf(predicates: readonly PredicateDefinition[]): Encode {
  const abstraction = new Abstraction({ predicates });
  return (state, into) => abstraction.encode(state, {}, into);
}

function refusal(
  { rank, rules }: Pick<Track, 'rank' | 'rules'>,
  explainer: Explainer,
  history: History,
  r: number,
  predicates: readonly string[],
  further: Uint32Array,
  ended: boolean,
): string {
  const before = history.decidedAt(r) >= 0;
  const { prefix, firstStep, origin, numberOf, keptFrom } = recordedPrefix(
    history,
    r,
    predicates,
    before ? undefined : further,
  );
  const run = {
    verdict: ended && !before ? OPEN : VIOLATED,
    step: prefix.length - 1,
    verdictAtEnd: VIOLATED,
  };
  const { text } = explainer.explain(prefix, {
    run,
    ended: ended && !before,
    firstStep,
    origin,
    keptFrom,
    numberOf,
  });
  if (rank === CONSTRAINTS) return `the constraints would be ${text}`;
  const named = rules.map((name) => `"${name}"`).join(', ');
  if (rank === JOINTLY) return `the rules ${named} can each be kept, but not all of them: ${text}`;
  return `"${rules[0]}" ${before ? 'is' : 'would be'} ${text}`;
}

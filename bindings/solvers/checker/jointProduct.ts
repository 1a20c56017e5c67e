import { InvalidModelError, KernelError } from '../../base/errors.js';
import {
  type AtEnd,
  type Automaton,
  bindAutomaton,
  brokenAtEnd,
  OPEN,
  SATISFIED,
  statesAfterWords,
  tuplesAfterWords,
  VIOLATED,
} from '../../languages/automaton/index.js';
import {
  BitSet,
  type Csr,
  getKernel,
  type KernelChain,
  type LabelAutomaton,
  type ProductOptions,
} from '../kernel/index.js';
import type { ChainView } from '../model/index.js';

/** A rule of a product. */
export interface ProductRule {
  readonly automaton: Automaton;
  /** `strong`: a finished run must satisfy the rule; `weak`: a run may end in any state that is not violated. */
  readonly atEnd: AtEnd;
}

/** The start states of a product, and its limits. */
export interface JointOptions extends ProductOptions {
  /**
   * `words` (default): every chain state with every tuple that some word leads to, because at run time an unseen transition may
   * lead to any of them. `start`: only the tuples that runs of the chain reach.
   */
  readonly from?: 'words' | 'start';
}

/**
 * Chain × automata: node (s, q1, q2, …) stands for chain state s after every automaton has read its valuation. Nodes are
 * numbered by chain state, then automaton states. A run stops when one rule is violated or all are satisfied. Automata do not
 * read `end`: there each is in one of two further states, numbered after its own: the run ended well, or in violation.
 *
 * Free it with `using`.
 */
export interface JointProduct extends Disposable {
  readonly chain: ChainView;
  readonly rules: readonly ProductRule[];
  readonly nodes: number;
  /** The chain state of each node. */
  readonly chainState: Uint32Array;
  /** For each rule, the state of its automaton in each node. */
  readonly automatonState: readonly Uint32Array[];
  /** Nodes in which some rule is violated, including by the run's end. */
  readonly violated: BitSet;
  /** Nodes in which all rules are satisfied, or the run ended well. */
  readonly satisfied: BitSet;
  /** Nodes in neither set whose chain state has no row; they have a self-loop in `kernel`. */
  readonly withoutData: BitSet;
  /** Nodes of first states, by chain state; -1 for states that the start cannot lead to. */
  readonly first: Int32Array;
  readonly kernel: KernelChain;
  readonly matrix: Csr | null;
  /** Returns the node of a chain state and a state of each automaton, or -1 if it does not exist. */
  find(chainState: number, automatonStates: readonly number[]): number;
}

/** The largest number of automaton-state tuples: with more, in each of a few chain states, a product cannot hold them. */
const MAX_SEEDS = 1_000_000;

/** Memory that building a product takes per transition, measured on products of millions of states. */
const BYTES_A_TRANSITION = 40;

/**
 * Builds the product of a chain and the automata of rules.
 *
 * @throws InvalidArgumentError if the chain lacks a predicate of an automaton; InvalidModelError if a row is neither empty nor
 * a distribution; KernelError if the product does not fit in memory or has more than `maxStates` states
 */
export function openJointProduct(
  chain: ChainView,
  rules: readonly ProductRule[],
  { from = 'words', ...options }: JointOptions = {},
): JointProduct {
  const { states, start, end, words, valuations } = chain;
  const steppers = rules.map(({ automaton }) => bindAutomaton(automaton, chain.predicates));
  const verdicts = rules.map(({ automaton }) => [...Array.from(automaton.verdict), SATISFIED, VIOLATED]);
  const initial = rules.map(({ automaton }) => automaton.initial);
  const ending = BitSet.of(states, [end]);
  const running = BitSet.of(states, [start, end]).complement();
  const firsts = BitSet.of(
    states,
    chain.columns.subarray(chain.rowStart[start], chain.rowStart[start + 1]),
  ).difference(ending);
  const seeds =
    from === 'start'
      ? [{ states: firsts, from: initial }]
      : [{ states: running, from: tuplesOf(rules, chain).flat() }];
  const ends = (offset: number): number[] => rules.map(({ automaton }) => automaton.states + offset);
  const product = getKernel().product(
    { ...chain, unread: ending, absorbing: ending },
    rules.map((rule) => judgedAtEnd(rule, chain)),
    [...seeds, { states: ending, from: [...ends(0), ...ends(1)] }],
    options,
  );
  const { chainState, automatonState } = product;
  const nodes = chainState.length;
  const violated = new BitSet(nodes);
  const satisfied = BitSet.full(nodes);
  for (const [i, verdict] of verdicts.entries()) {
    const own = automatonState[i];
    for (let node = 0; node < nodes; node++) {
      const decided = verdict[own[node]];
      if (decided === VIOLATED) violated.add(node);
      if (decided !== SATISFIED) satisfied.delete(node);
    }
  }
  const first = new Int32Array(states).fill(-1);
  for (const t of firsts) {
    first[t] = product.find(
      t,
      steppers.map((stepper, i) => stepper.step(initial[i], valuations, t * words)),
    );
  }
  if (chain.columns.subarray(chain.rowStart[start], chain.rowStart[start + 1]).includes(end)) {
    first[end] = product.find(
      end,
      rules.map((rule) => endOf(rule, rule.automaton.initial)),
    );
  }
  return {
    chain,
    rules,
    nodes,
    chainState,
    automatonState,
    violated,
    satisfied,
    withoutData: BitSet.where(nodes, (node) => {
      const s = chainState[node];
      const empty = s !== end && chain.rowStart[s] === chain.rowStart[s + 1];
      return empty && !violated.has(node) && !satisfied.has(node);
    }),
    first,
    kernel: product.chain,
    matrix: product.matrix,
    find: (s, tuple) => product.find(s, tuple),
    [Symbol.dispose]: () => product.free(),
  };
}

/** The tuples that enter a chain state. */
function tuplesOf(rules: readonly ProductRule[], { columns }: ChainView): readonly (readonly number[])[] {
  const automata = rules.map(({ automaton }) => automaton);
  if (automata.length === 1) return [[automata[0].initial], ...statesAfterWords(automata[0]).map((q) => [q])];
  const violated = (tuple: readonly number[]): boolean =>
    tuple.some((q, i) => automata[i].verdict[q] === VIOLATED);
  const tuples = tuplesAfterWords(automata, violated, MAX_SEEDS);
  if (tuples !== null) return tuples;
  const most = automata.reduce((all, { states }) => all * states, columns.length);
  const gibibytes = ((most * BYTES_A_TRANSITION) / 2 ** 30).toPrecision(2);
  throw new KernelError(
    `words lead to more than ${MAX_SEEDS} tuples of states of ${automata.length} automata, which have ${automata.map(({ states }) => states).join(', ')} states; the product of all with the chain would need about ${gibibytes} GiB: ` +
      "build what runs come to alone (from: 'start'), fewer rules at once, or shorter windows",
  );
}

/** The successor of automaton state q when the run ends: one of two states after the automaton's own, for well or in violation. */
function endOf({ automaton, atEnd }: ProductRule, q: number): number {
  return automaton.states + Number(brokenAtEnd(automaton, q, atEnd));
}

/** The automaton in the kernel's form, with the two states for runs that ended. */
function judgedAtEnd(rule: ProductRule, { predicates }: ChainView): LabelAutomaton {
  const { automaton } = rule;
  const { states, roots, nodes, verdict } = automaton;
  const ends = [states, states + 1];
  const all = Array.from({ length: states }, (_, q) => q);
  const kinds = { [OPEN]: 0, [VIOLATED]: 1, [SATISFIED]: 2 };
  return {
    states: states + 2,
    roots: [...Array.from(roots), ...ends.map((q) => -q - 1)],
    nodes,
    bits: automaton.predicates.map((name) => predicates.indexOf(name)),
    passes: [...all.map((q) => endOf(rule, q)), ...ends],
    absorbing: [...all.map((q) => kinds[verdict[q] as keyof typeof kinds]), 2, 1],
  };
}

/**
 * A strong rule is judged when the run ends. Wherever an obligation can be open, the run must therefore end (or be decided, or
 * come to a state without a row) with probability 1. States never left in the data, whose rows come from smoothing alone,
 * excuse the states behind them.
 *
 * @throws InvalidModelError with the state at fault
 */
export function requireEnds(product: JointProduct): void {
  for (const [i, { atEnd, automaton }] of product.rules.entries()) {
    if (atEnd === 'strong') requireEnd(product, automaton, product.automatonState[i]);
  }
}

function requireEnd(product: JointProduct, { verdict, accepting }: Automaton, own: Uint32Array): void {
  const { chain, kernel, nodes, chainState, violated, satisfied, withoutData } = product;
  const isOpen = (node: number): boolean =>
    chainState[node] !== chain.end && verdict[own[node]] === OPEN && !violated.has(node);
  const seen = BitSet.where(nodes, (node) => isOpen(node) && chain.draws[chainState[node]] > 0);
  const obliged = BitSet.where(nodes, (node) => seen.has(node) && !accepting[own[node]]);
  const decided = BitSet.where(
    nodes,
    (node) => !isOpen(node) || satisfied.has(node) || withoutData.has(node),
  );
  const endless = kernel.canReach(seen, obliged).difference(kernel.prob1(BitSet.full(nodes), decided));
  for (const node of endless) {
    const s = chainState[node];
    throw new InvalidModelError(
      `from state ${s} a run may go on for ever with an obligation of the rule open, so that it is never judged; ` +
        'use atEnd: weak, give what the rule promises a window, or learn from traces that end',
      { state: s },
    );
  }
}

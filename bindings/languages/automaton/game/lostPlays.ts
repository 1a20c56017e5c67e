import type { Automaton } from '../automaton.js';
import { Arena, type Choice, type Move } from './arena.js';

/** How the game is played. */
export interface GameOptions {
  /** The predicates that the agent chooses, after it has seen the environment's. */
  readonly agent: ReadonlySet<string>;
  /** A play leaves none of these violated: what cannot happen, or what nobody is asked about here. */
  readonly assumed: readonly Automaton[];
  readonly maxTuples: number;
  /**
   * The rules, by their places, for which the agent is kept from a choice that breaks none yet, given the true predicates of both and the rules' states after the
   * step. Default: none.
   */
  readonly foresee?: (
    environment: readonly string[],
    agent: readonly string[],
    states: readonly number[],
  ) => readonly number[];
  /** Whether a play begins only where some choice breaks no rule: the environment then chooses the beginning, too. Default false. */
  readonly beginsUnbroken?: boolean;
}

/** A shortest play in which the agent breaks no rule until it has no choice. */
export interface LostPlay {
  /** The rules, by their places, of which each choice at the last step breaks at least one; each is needed. */
  readonly rules: readonly number[];
  /** For each step, the true predicates of the environment and of the agent. At the last step, one of the choices. */
  readonly steps: readonly { readonly environment: readonly string[]; readonly agent: readonly string[] }[];
  /**
   * The last step at which another choice would have let the agent keep the rules whatever comes, with the agent's predicates that are true then; null if no
   * choice at any step does so.
   */
  readonly otherwise: { readonly step: number; readonly agent: readonly string[] } | null;
}

/**
 * The shortest lost play of each rule that the environment can break, and one of several rules that it can only break together, if there is one. A rule is
 * broken once its automaton is violated; what is due at the end of a run alone is not looked at, since the agent may go on.
 *
 * @throws NotSupportedError if there are too many tuples of states
 */
export function lostPlays(rules: readonly Automaton[], options: GameOptions): LostPlay[] {
  const arena = new Arena(rules, options);
  const ways = waysTo(arena);
  const plays: LostPlay[] = [];
  const add = (lost: Lost, isLost: (move: Move) => boolean): void => {
    plays.push(playOf(lost, ways, losing(arena, isLost)));
  };
  rules.forEach((_, rule) => {
    const isLost = ({ choices }: Move): boolean => choices.every(({ broken }) => broken.includes(rule));
    const lost = firstLost(arena, ways, isLost);
    if (lost !== null) add({ ...lost, rules: [rule] }, isLost);
  });
  const isLost = ({ choices }: Move): boolean => choices.every(({ to }) => to < 0);
  const single = plays.flatMap((play) => play.rules);
  const together = firstLost(
    arena,
    ways,
    (move) =>
      isLost(move) && !single.some((rule) => move.choices.every(({ broken }) => broken.includes(rule))),
  );
  if (together !== null) add({ ...together, rules: needed(together.move) }, isLost);
  return plays;
}

/** A move after which each choice breaks a rule. */
interface Lost {
  readonly vertex: number;
  readonly move: Move;
  readonly rules: readonly number[];
}

/** The lost move after the fewest steps, with the fewest true predicates on the way. */
function firstLost(
  { moves, depth }: Arena,
  ways: readonly Way[],
  isLost: (move: Move) => boolean,
): Omit<Lost, 'rules'> | null {
  let best: { readonly vertex: number; readonly move: Move; readonly trues: number } | null = null;
  // Vertices are numbered in the order of their depth.
  for (const [vertex, ofVertex] of moves.entries()) {
    if (best !== null && depth[vertex] > depth[best.vertex]) break;
    for (const move of ofVertex.filter(isLost)) {
      const trues = ways[vertex].trues + move.trues.length;
      if (best === null || trues < best.trues) best = { vertex, move, trues };
    }
  }
  return best;
}

/** Rules such that each choice breaks one of them, none of which can be left out. */
function needed({ choices }: Move): number[] {
  let rules = [...new Set(choices.flatMap(({ broken }) => broken))].sort((a, b) => a - b);
  for (const rule of rules) {
    const others = rules.filter((one) => one !== rule);
    if (choices.every(({ broken }) => broken.some((one) => others.includes(one)))) rules = others;
  }
  return rules;
}

/** A shortest way to a vertex, with the fewest true predicates. */
interface Way {
  readonly trues: number;
  /** Its last step; null for the first vertex. */
  readonly last: { readonly from: number; readonly move: Move; readonly choice: Choice } | null;
}

function waysTo({ moves, depth }: Arena): Way[] {
  const ways: Way[] = [{ trues: 0, last: null }];
  // All steps to a vertex of one depth are from vertices before it.
  for (const [from, ofVertex] of moves.entries())
    for (const move of ofVertex)
      for (const choice of move.choices) {
        const { to } = choice;
        if (to < 0 || depth[to] !== depth[from] + 1) continue;
        const trues = ways[from].trues + move.trues.length + choice.trues.length;
        if (ways[to] === undefined || trues < ways[to].trues)
          ways[to] = { trues, last: { from, move, choice } };
      }
  return ways;
}

/** The vertices from which the environment can bring about a lost move, whatever the agent chooses. */
function losing({ moves }: Arena, isLost: (move: Move) => boolean): ReadonlySet<number> {
  const lost = new Set<number>();
  const isLosing = (move: Move): boolean => {
    if (isLost(move)) return true;
    const goingOn = move.choices.filter(({ to }) => to >= 0);
    return goingOn.length > 0 && goingOn.every(({ to }) => lost.has(to));
  };
  for (let before = -1; before < lost.size; ) {
    before = lost.size;
    for (let vertex = moves.length - 1; vertex >= 0; vertex--)
      if (!lost.has(vertex) && moves[vertex].some(isLosing)) lost.add(vertex);
  }
  return lost;
}

function playOf({ vertex, move, rules }: Lost, ways: readonly Way[], lost: ReadonlySet<number>): LostPlay {
  const taken: NonNullable<Way['last']>[] = [];
  for (let { last } = ways[vertex]; last !== null; { last } = ways[last.from]) taken.unshift(last);
  let otherwise: LostPlay['otherwise'] = null;
  for (const [step, { from, move }] of taken.entries()) {
    if (lost.has(from)) continue;
    const other = move.choices.find(({ to }) => to >= 0 && !lost.has(to));
    if (other !== undefined) otherwise = { step, agent: other.trues };
  }
  const steps = [...taken, { move, choice: move.choices[0] }].map(({ move, choice }) => ({
    environment: move.trues,
    agent: choice.trues,
  }));
  return { rules, steps, otherwise };
}

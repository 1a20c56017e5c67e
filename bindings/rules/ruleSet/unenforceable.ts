import { lostPlays } from '../../languages/automaton/game/index.js';
import { VIOLATED } from '../../languages/automaton/index.js';
import type { DeclaredGame } from './declaredGame.js';
import type { RuleFinding } from './finding.js';
import type { Member, RuleMember } from './members.js';
import { connected } from './runOf.js';
import { type SayFact, sayLostPlay } from './say.js';

/** Rules that a game is played about, with what is assumed of its plays. */
export interface GameGroup {
  readonly rules: readonly RuleMember[];
  readonly assumed: readonly Member[];
}

/**
 * The games to be played, of rules that share predicates. Rules that read no predicate that the agent decides, at once or by what its calls do, are nothing that
 * it could keep by its choice: a play leaves them unbroken.
 */
export function gameGroups(
  rules: readonly RuleMember[],
  assumed: readonly Member[],
  decided: ReadonlySet<string>,
): GameGroup[] {
  const isAgents = ({ automaton }: RuleMember): boolean =>
    automaton.predicates.some((name) => decided.has(name));
  return connected<Member>([...rules, ...assumed], predicatesOf)
    .map((group) => ({
      rules: rules.filter((rule) => group.includes(rule) && isAgents(rule)),
      assumed: group.filter((member) => !rules.some((rule) => rule === member && isAgents(rule))),
    }))
    .filter((group) => group.rules.length > 0);
}

/** Who decides what, and how it is said. */
export interface Players {
  /** The predicates that the agent chooses at a step. */
  readonly agent: ReadonlySet<string>;
  readonly declared: DeclaredGame | null;
  readonly say: SayFact;
}

/** The rules that the environment can break at a step where every choice of the agent breaks them. @throws NotSupportedError if the game is too large */
export function unenforceable(
  { rules, assumed }: GameGroup,
  { agent, declared, say }: Players,
  maxTuples: number,
): RuleFinding[] {
  const automata = rules.map(({ automaton }) => automaton);
  const plays = lostPlays(automata, {
    agent,
    assumed: assumed.flatMap((member) => member.automata),
    maxTuples,
    ...(declared !== null && { foresee: declared.foresee(automata), beginsUnbroken: true }),
  });
  return plays.map((play) => {
    const lost = play.rules.map((rule) => rules[rule]);
    const names = lost.map(({ name }) => name);
    const read = [...new Set([...rules, ...assumed].flatMap(predicatesOf))];
    const trace = play.steps.map((step) =>
      Object.fromEntries(
        read.map((name) => [name, step.environment.includes(name) || step.agent.includes(name)]),
      ),
    );
    const state = [...new Set(lost.flatMap(predicatesOf))].filter((name) => !agent.has(name));
    const text = sayLostPlay(names, play, state, say);
    return {
      kind: 'unenforceable',
      rules: names,
      because: [],
      under: [],
      part: null,
      value: null,
      needs: [],
      trace,
      otherwise: play.otherwise,
      text,
    };
  });
}

/** Whether a run can break a rule before it ends. */
export function canBeViolated({ automaton }: RuleMember): boolean {
  return Array.from(automaton.verdict).includes(VIOLATED);
}

function predicatesOf({ automata }: Member): string[] {
  return automata.flatMap(({ predicates }) => predicates);
}

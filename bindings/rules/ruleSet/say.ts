import type { ComparedTrace } from '../../languages/automaton/compare/index.js';
import type { LostPlay } from '../../languages/automaton/game/index.js';
import type { Assumption, RuleFinding } from './finding.js';

/** Says that a predicate has a value, in its words; null if it has none. */
export type SayFact = (name: string, value: boolean) => string | null;

const BY_NAME: SayFact = () => null;

/** A run in words: `step 0: a and b; step 1: nothing`. */
export function sayTrace(trace: ComparedTrace, say: SayFact = BY_NAME): string {
  return trace.map((step, i) => `step ${i}: ${sayStep(step, say)}`).join('; ');
}

function sayStep(step: ComparedTrace[number], say: SayFact): string {
  return sayTrue(
    Object.keys(step).filter((name) => step[name]),
    say,
  );
}

function sayTrue(names: readonly string[], say: SayFact): string {
  return names.length === 0 ? 'nothing' : listed([...names].sort().map((name) => say(name, true) ?? name));
}

export function sayRules(names: readonly string[]): string {
  return listed(names.map((name) => `"${name}"`));
}

/** A finding that is not about a play. */
type Said = Omit<RuleFinding, 'text' | 'kind'> & {
  readonly kind: Exclude<RuleFinding['kind'], 'unenforceable'>;
};

/** The finding in words. @param saysTheSame of a redundant rule, whether it is equivalent to the one rule that implies it */
export function sayFinding(finding: Said, saysTheSame = false, say: SayFact = BY_NAME): string {
  const { kind, rules, because, part, value } = finding;
  const run = `run${allowed(finding.under)}`;
  const rule = `rule "${rules[0]}"`;
  const others = sayRules(because);
  const needs = sayNeeds(finding, say);
  switch (kind) {
    case 'unsatisfiable':
      return `${rule} can never be kept: no ${run} keeps it`;
    case 'tautology':
      return `${rule} can never be broken: every ${run} keeps it`;
    case 'conflict':
      return `rules ${sayRules(rules)} cannot all be kept: no ${run} keeps them together${needs}`;
    case 'redundant':
      return saysTheSame
        ? `${rule} says the same as ${others}: every ${run} keeps both or neither; one of them forbids nothing of its own`
        : `${rule} is redundant: every ${run} that keeps ${others} keeps it${because.length > 1 ? needs : ''}`;
    case 'neverTriggered':
      return `${rule} is never triggered: no ${run} that keeps it${because.length === 0 ? '' : ` and ${others}`} has a step with \`${part}\`${needs}`;
    case 'vacuous':
      return `${rule}: its part \`${part}\` plays no role: with \`${value}\` in its place, every ${run}${
        because.length === 0 ? '' : ` that keeps ${others}`
      } keeps the rule or breaks it as before${needs}`;
  }
}

function sayNeeds({ kind, needs }: Pick<RuleFinding, 'kind' | 'needs'>, say: SayFact): string {
  if (needs.length === 0) return '';
  const runs = needs.map(({ rule, trace }) => `"${rule}" (${sayTrace(trace, say)})`);
  return `; ${kind === 'conflict' ? 'some run does' : 'not so'} without ${runs.join(', or ')}`;
}

const words: Readonly<Record<Assumption, string>> = {
  constraints: 'the constraints',
  comparisons: 'the comparisons of its predicates',
};

function allowed(under: readonly Assumption[]): string {
  return under.length === 0 ? '' : ` that ${listed(under.map((one) => words[one]))} allow`;
}

function listed(parts: readonly string[]): string {
  if (parts.length < 2) return parts.join('');
  return `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
}

/** A lost play in words. @param read the predicates of these rules that are not the agent's */
export function sayLostPlay(
  names: readonly string[],
  { steps, otherwise }: LostPlay,
  read: readonly string[],
  say: SayFact = BY_NAME,
): string {
  const isOne = names.length === 1;
  const rules = `${isOne ? 'rule' : 'rules'} ${sayRules(names)}`;
  const last = steps.length - 1;
  const isTrue = (name: string): boolean => steps[last].environment.includes(name);
  const phrase = (name: string, value: boolean): string => {
    const said = say(name, value);
    if (said !== null) return `where ${said}`;
    return value ? `with ${name}` : `without ${name}`;
  };
  const state = [
    ...read.filter(isTrue).map((name) => phrase(name, true)),
    ...read.filter((name) => !isTrue(name)).map((name) => phrase(name, false)),
  ];
  const before = steps
    .slice(0, last)
    .map(({ environment, agent }, i) => `step ${i}: ${sayTrue([...environment, ...agent], say)}; `)
    .join('');
  const end = `step ${last}${state.length === 0 ? '' : ` ${listed(state)}`}: every choice of the agent breaks ${isOne ? 'it' : 'one of them'}`;
  if (otherwise === null) return `${rules} cannot be enforced, whatever the agent does: ${before}${end}`;
  const { step, agent } = otherwise;
  return (
    `${rules} ${isOne ? 'is' : 'are'} not enforced by refusing the calls that break ${isOne ? 'it' : 'them'}, since none does before the last step: ${before}${end}; ` +
    `at step ${step}, ${sayTrue(agent, say)} in place of ${sayTrue(steps[step].agent, say)} would have kept ${isOne ? 'it' : 'them'}`
  );
}

import { NotSupportedError } from '../../base/errors.js';
import { wordsOf } from '../../base/words.js';
import type { Demand } from '../../languages/automaton/compare/index.js';
import type { Specification } from '../specification/index.js';
import type { DeclaredGame } from './declaredGame.js';
import type { RuleFinding, RuleSetReport, Undecided } from './finding.js';
import { assumption, kept, type Limits, type Member, type RuleMember, ruleMembers } from './members.js';
import { type ReadRules, rulesOfSpecification } from './ofSpecification.js';
import { type Reasons, reasons } from './reasons.js';
import type { CheckedRule, CheckRulesOptions } from './rule.js';
import { type SayFact, sayFinding, sayRules } from './say.js';
import { canBeViolated, gameGroups, unenforceable } from './unenforceable.js';
import { vacuousParts } from './vacuous.js';

/** Fewer than a comparison of two rules has, since many questions are asked. */
const MAX_TUPLES = 20_000;

/**
 * Looks for what the author of a set of rules most likely did not mean: rules that no run keeps or none breaks, alone and together, rules that others imply,
 * parts that play no role, and rules that no refused call keeps. Runs are finite and have at least one step. Each finding holds for every run; a set without
 * findings may still be wrong.
 *
 * @param of a specification, of which bounds on probabilities are left out, or a list of rules
 * @throws InvalidArgumentError if rules share a name, no run satisfies the constraints, or a formula has a comparison, a probability or a window in time
 * without a period; what is too large is in `undecided`
 */
export function checkRules(
  of: Specification | readonly CheckedRule[],
  options: CheckRulesOptions = {},
): RuleSetReport {
  const read = rulesOfSpecification(of, options);
  const { maxStates, maxTuples = MAX_TUPLES } = options;
  const limits: Limits = { samplingPeriod: read.samplingPeriod, maxStates, maxTuples };
  const undecided: Undecided[] = [];
  const members = ruleMembers(read.rules, limits, undecided);
  const assumed = [
    ...assumption('comparisons', read.comparisons, limits),
    ...assumption('constraints', read.constraints, limits),
  ];
  const check = new Check(assumed, limits, undecided, read.say);
  const keepable = check.alone(members);
  const free = check.together(keepable);
  check.amongOthers(free);
  const notes = read.agent.length === 0 && read.declared === null ? [] : check.games(free, read);
  return {
    rules: members.map(({ name }) => name),
    findings: check.findings,
    undecided,
    notes: [...read.notes, ...notes],
  };
}

/** The checks of one set, one after another: each leaves out the rules with which the next would say nothing. */
class Check {
  readonly findings: RuleFinding[] = [];
  readonly #assumed: readonly Member[];
  readonly #limits: Limits;
  readonly #undecided: Undecided[];
  /** The questions that were not decided, with the first reason and their places in `#undecided`. */
  readonly #open: { readonly question: string; readonly reason: string; readonly index: number }[] = [];

  readonly #say: SayFact;

  constructor(assumed: readonly Member[], limits: Limits, undecided: Undecided[], say: SayFact) {
    this.#say = say;
    this.#assumed = assumed;
    this.#limits = limits;
    this.#undecided = undecided;
  }

  /** @returns the rules that some run keeps and some run breaks */
  alone(rules: readonly RuleMember[]): RuleMember[] {
    return rules.filter((rule) => {
      for (const [kind, accepts] of [
        ['unsatisfiable', true],
        ['tautology', false],
      ] as const) {
        const asked = [[{ automaton: rule.automaton, accepts }]];
        const why = this.#decided([rule], 'whether a run keeps and a run breaks it', () =>
          this.#reasons(this.#assumed, asked),
        );
        if (why === undefined || why === null) continue;
        this.#add(kind, [rule], why);
        return false;
      }
      return true;
    });
  }

  /** Conflicts that have no rule in common. @returns the rules that are in none */
  together(rules: readonly RuleMember[]): readonly RuleMember[] {
    let rest = rules;
    for (;;) {
      const why = this.#decided(rest, 'whether they can be kept together', () =>
        this.#reasons([...rest, ...this.#assumed], [[]]),
      );
      if (why === undefined || why === null) return rest;
      const { because } = why;
      const inConflict = rest.filter(({ name }) => because.includes(name));
      this.#add('conflict', inConflict, { ...why, because: [] });
      rest = rest.filter((rule) => !inConflict.includes(rule));
    }
  }

  /** What the others, which can be kept together, make of each rule. */
  amongOthers(rules: readonly RuleMember[]): void {
    for (const rule of rules) {
      const others = [...rules.filter((one) => one !== rule), ...this.#assumed];
      const why = this.#decided([rule], 'whether the others imply one', () =>
        this.#reasons(others, [[{ automaton: rule.automaton, accepts: false }]]),
      );
      if (why !== undefined && why !== null) {
        const back = this.#impliedBack(rule, why, rules);
        const under = [...new Set([...why.under, ...(back?.under ?? [])])];
        this.#add('redundant', [rule], { ...why, under }, back !== null);
      }
      // Where it takes too much to take the others into account, the rule by itself may still have parts that play no role.
      const isImplied = why !== null;
      const found =
        this.#decided([rule], 'which parts play no role beside the others', () =>
          vacuousParts(rule, others, isImplied, this.#limits),
        ) ??
        this.#decided([rule], 'which parts play no role', () =>
          vacuousParts(rule, this.#assumed, isImplied, this.#limits),
        );
      for (const finding of found ?? [])
        this.findings.push({ ...finding, text: sayFinding(finding, false, this.#say) });
    }
  }

  /** What the agent can keep by its choices. @returns notes on rules that no choice of it decides */
  games(rules: readonly RuleMember[], read: Pick<ReadRules, 'agent' | 'declared'>): string[] {
    const { declared } = read;
    const effects = this.#effects(rules, declared);
    const played = effects.length === 0 ? null : declared;
    const agent = new Set([...read.agent, ...(played?.calls ?? [])]);
    const decided = new Set([...agent, ...(played?.declared ?? [])]);
    for (const group of gameGroups(rules, [...this.#assumed, ...effects], decided)) {
      const players = { agent, declared: played, say: this.#say };
      const found = this.#decided(group.rules, 'whether the agent can keep them', () =>
        unenforceable(group, players, this.#limits.maxTuples),
      );
      this.findings.push(...(found ?? []));
    }
    const isWatched = (rule: RuleMember): boolean =>
      !rule.automaton.predicates.some((name) => decided.has(name)) && canBeViolated(rule);
    const watched = rules.filter(isWatched).map(({ name }) => name);
    if (watched.length === 0) return [];
    const [rule, them] = watched.length === 1 ? ['rule', 'it'] : ['rules', 'them'];
    return [
      `${rule} ${sayRules(watched)}: no call is read, so refusing calls does not keep ${them}; a guard without a model only notices that a rule is broken`,
    ];
  }

  /** What declared actions do, as something that is assumed of a play; nothing if none are declared, or too many. */
  #effects(rules: readonly RuleMember[], declared: DeclaredGame | null): Member[] {
    const reading = rules.filter(({ automaton }) =>
      automaton.predicates.some((name) => declared?.concerned.has(name)),
    );
    if (declared === null || reading.length === 0) return [];
    const automaton = this.#decided(reading, 'whether declared calls can keep them', declared.automaton);
    return automaton === undefined ? [] : [{ kind: 'constraints', name: 'actions', automata: [automaton] }];
  }

  /** Why a rule implies the only one that implies it, if it does. */
  #impliedBack(rule: RuleMember, { because }: Reasons, rules: readonly RuleMember[]): Reasons | null {
    if (because.length !== 1) return null;
    const [other] = rules.filter(({ name }) => name === because[0]);
    const asked = [...kept([rule]), { automaton: other.automaton, accepts: false }];
    const question = 'whether they say the same';
    return this.#decided([rule, other], question, () => this.#reasons(this.#assumed, [asked])) ?? null;
  }

  #add(
    kind: 'unsatisfiable' | 'tautology' | 'conflict' | 'redundant',
    rules: readonly RuleMember[],
    { because, under, needs }: Reasons,
    saysTheSame = false,
  ): void {
    const about = rules.map(({ name }) => name);
    const finding = {
      kind,
      rules: about,
      because,
      under,
      part: null,
      value: null,
      needs,
      trace: null,
      otherwise: null,
    };
    this.findings.push({ ...finding, text: sayFinding(finding, saysTheSame, this.#say) });
  }

  #reasons(members: readonly Member[], asked: readonly (readonly Demand[])[]): Reasons | null {
    return reasons(members, asked, this.#limits.maxTuples);
  }

  /** The answer to a question, undefined if it takes too much. */
  #decided<Answer>(rules: readonly RuleMember[], question: string, ask: () => Answer): Answer | undefined {
    try {
      return ask();
    } catch (error) {
      if (!(error instanceof NotSupportedError)) throw error;
      this.#leaveOpen(question, wordsOf(error), rules);
      return undefined;
    }
  }

  /** Notes that a question about rules was not decided; those about which the same is asked are told together. */
  #leaveOpen(question: string, reason: string, rules: readonly RuleMember[]): void {
    const at = this.#open.findIndex((one) => one.question === question);
    const known = at < 0 ? [] : this.#undecided[this.#open[at].index].rules;
    const index = at < 0 ? this.#undecided.length : this.#open[at].index;
    const names = [...new Set([...known, ...rules.map(({ name }) => name)])];
    const first = at < 0 ? reason : this.#open[at].reason;
    if (at < 0) this.#open.push({ question, reason, index });
    this.#undecided[index] = {
      rules: names,
      text: `${names.length === 1 ? 'rule' : 'rules'} ${sayRules(names)}: not decided ${question}: ${first}`,
    };
  }
}

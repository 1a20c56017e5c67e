import { EvaluationError, InvalidArgumentError, NotSupportedError } from '../../../base/errors.js';
import { isObject } from '../../../base/objectKind.js';
import { printableName } from '../../../base/words.js';
import type { PredicateWords } from '../../../languages/english/index.js';
import { type Formula, predicatesOf } from '../../../languages/logic/index.js';
import {
  Abstraction,
  type AbstractionDefinition,
  type PredicateDefinition,
  plainName,
} from '../../../observations/abstraction/index.js';
import {
  type ActionModel,
  createActionModel,
  type DeclaredActions,
} from '../../../observations/effects/index.js';
import {
  type Decision,
  type DetectorDeclaration,
  type Judge,
  type JudgedWorld,
  type Judgement,
  type ProposedCall,
  type RunJudge,
  type StartedCall,
  type Strategy,
  severity,
} from '../../guard/index.js';
import { EffectWords } from './effectWords.js';
import { PartialRun } from './partialRun.js';

/** A rule of a specification, as far as it is foreseen. */
export interface ForeseenRule {
  readonly name: string;
  readonly formula: Formula;
  /** The strategy of the last level counts, if the rule names one. */
  readonly levels: readonly { readonly strategy: Strategy }[];
  readonly namesStrategy: boolean;
  readonly escalate: readonly Strategy[];
  readonly onFailure: Strategy;
  readonly shadow: boolean;
}

/** What a specification says of declared actions and of rules; `Specification` is one. */
export interface ForeseenSpecification {
  readonly hash: string;
  readonly abstraction: AbstractionDefinition;
  readonly exactPredicates: readonly PredicateDefinition[];
  readonly declaredActions: DeclaredActions;
  readonly rules: readonly ForeseenRule[];
  readonly words: Readonly<Record<string, PredicateWords>>;
  readonly detectors: ReadonlyMap<string, DetectorDeclaration>;
  readonly samplingPeriod: string | null;
  /** `all`: a call whose declared requirement does not hold is blocked as well. Default: requirements are not enforced. */
  readonly foresight?: 'rules' | 'all' | null;
}

/** What the log keeps of a call: the predicates at its step, and the valuations that may follow. No values of the call. */
interface Reading {
  readonly tool: string | null;
  readonly values: readonly number[];
  /** Bits of the predicates that could be read. */
  readonly known: readonly number[];
  /** Null: nothing is declared of the call. */
  readonly after: readonly (readonly number[])[] | null;
  /** Where requirements are enforced and this one is not known to hold: that it does not, or that it is not known. Else absent. */
  readonly requires?: 'unmet' | 'unread';
}

const BLOCK: Strategy = { kind: 'block' };
const MOST_ALTERNATIVES = 10;

/**
 * A judge of sessions that foresees calls by what is declared of them: it is against a call after which a rule may be broken for good, and names the listed calls
 * that are permitted instead. It needs no learnt model. Rules that read no declared predicate are left to the guard that stands beside it, as is the step itself.
 *
 * @throws InvalidArgumentError if nothing is declared; NotSupportedError under a sampling period, since it takes each call as a step
 */
export function foresightJudge(specification: ForeseenSpecification): Judge {
  const { hash, words, detectors, samplingPeriod } = specification;
  const predicates = [...specification.abstraction.predicates, ...specification.exactPredicates];
  if (Object.keys(specification.declaredActions).length === 0)
    throw new InvalidArgumentError(
      'the specification declares no actions, so that nothing can be foreseen; declare what tools do: actions: { TOOL: { sets: PREDICATE } }',
    );
  if (samplingPeriod !== null)
    throw new NotSupportedError(
      'declared actions are foreseen call by call, and the specification has a samplingPeriod, under which steps are not calls; leave it out, or the judge',
    );
  const { constraints } = specification.abstraction;
  const model = createActionModel({
    actions: specification.declaredActions,
    predicates,
    ...(constraints && { constraints }),
  });
  const foreseen = {
    model,
    abstraction: new Abstraction({ predicates }),
    words: new EffectWords(words),
    requirements:
      specification.foresight === 'all'
        ? new Map(
            Object.entries(specification.declaredActions).map(([tool, { requires }]) => [
              tool,
              requires ?? null,
            ]),
          )
        : null,
  };
  const rules = foreseeable(specification.rules, model);
  return {
    name: 'declared actions',
    hash,
    decisions: [
      ...rules.flatMap((rule) => [strategyOf(rule), ...rule.escalate, rule.onFailure]),
      ...(foreseen.requirements === null ? [] : [BLOCK]),
    ],
    needs: {
      reads: (field) => predicates.some(({ expression }) => new RegExp(`\\b${field}\\b`).test(expression)),
      ...(detectors.size > 0 && { detectors: Object.fromEntries(detectors) }),
    },
    begin: () => new ForesightRun(foreseen, rules),
  };
}

/** The rules that declared effects can break, and that can be followed. */
function foreseeable(rules: readonly ForeseenRule[], model: ActionModel): readonly ForeseenRule[] {
  return rules.filter(({ formula }) => {
    if (formula.kind === 'probability') return false;
    const roles = predicatesOf(formula).map((name) => model.roles[model.predicates.indexOf(name)]);
    return roles.includes('declared') && !roles.includes('history');
  });
}

interface Foreseen {
  readonly model: ActionModel;
  readonly abstraction: Abstraction;
  readonly words: EffectWords;
  /** What tools require, as it is written; null if that is not enforced. */
  readonly requirements: ReadonlyMap<string, string | null> | null;
}

class ForesightRun implements RunJudge {
  readonly #foreseen: Foreseen;
  readonly #rules: readonly ForeseenRule[];
  readonly #run: PartialRun;

  constructor(foreseen: Foreseen, rules: readonly ForeseenRule[]) {
    this.#foreseen = foreseen;
    this.#rules = rules;
    this.#run = new PartialRun(foreseen.model, rules);
  }

  propose(call: ProposedCall | null, world: JudgedWorld): Judgement {
    if (call === null) return this.#judged({ tool: null, values: [], known: [], after: null });
    const reading = this.#read(call, world);
    const judgement = this.#judged(reading);
    if (judgement.decision === 'allow') return judgement;
    return { ...judgement, alternatives: this.#alternatives(world) };
  }

  decideAgain(read: unknown): Judgement {
    return this.#judged(readingOf(read));
  }

  started({ read }: StartedCall): void {
    // Of what it has not judged it does not know how its rules read it.
    if (read === null) this.#run.loseTrack();
    else this.#run.advance(readingOf(read));
  }

  withdrawn(): undefined {
    this.#run.takeBack();
  }

  #read(call: ProposedCall, { state, time }: JudgedWorld): Reading {
    const { model, abstraction } = this.#foreseen;
    const values = new Uint32Array(model.words);
    const known = new Uint32Array(model.words);
    model.predicates.forEach((_, i) => {
      try {
        if (abstraction.holds(i, state, { time, action: call })) values[i >>> 5] |= 1 << (i & 31);
        known[i >>> 5] |= 1 << (i & 31);
      } catch (error) {
        if (!(error instanceof EvaluationError)) throw error;
      }
    });
    const declared = model.callOf(call);
    const after = declared && model.outcomes(declared, values, known).map((one) => [...one]);
    const isMet =
      declared === null || this.#foreseen.requirements === null || declared.executable(values, known);
    const requires =
      isMet === true ? {} : { requires: isMet === false ? ('unmet' as const) : ('unread' as const) };
    return { tool: call.name, values: [...values], known: [...known], after, ...requires };
  }

  #judged(read: Reading): Judgement {
    return read.requires === undefined ? this.#byRules(read) : this.#unmet(read, this.#byRules(read));
  }

  /** A call whose requirement is not known to hold, unless a rule has more against it. */
  #unmet(read: Reading, byRules: Judgement): Judgement {
    const tool = read.tool ?? '';
    const required = this.#foreseen.requirements?.get(tool) ?? null;
    if (severity[byRules.decision] > severity.block) return byRules;
    const why =
      read.requires === 'unmet' ? 'which does not hold' : 'and whether that holds could not be read';
    const rule = `requires of ${tool}`;
    return {
      decision: 'block',
      reason: 'requires',
      rule,
      explanation: `${printableName(tool)} requires ${required}, ${why}.`,
      onFailure: 'block',
      against: [{ name: rule, decision: 'block' }],
      read,
    };
  }

  #byRules(read: Reading): Judgement {
    if (read.after === null)
      return {
        decision: 'allow',
        reason: 'undeclared',
        explanation: 'Nothing is declared of this action.',
        read,
      };
    const broken = this.#run.broken(read);
    const against = broken.filter((one) => !this.#rules[one.rule].shadow);
    const strategies = broken.map((one) => strategyOf(this.#rules[one.rule]));
    if (against.length === 0)
      return {
        decision: 'allow',
        reason: 'foreseen',
        explanation: 'What is declared of it breaks no rule.',
        ...(broken.length > 0 && { wouldDecide: strategies[0].kind }),
        read,
      };
    const [first] = against;
    const rule = this.#rules[first.rule];
    const strategy = strategyOf(rule);
    const explanation = against
      .map((one) =>
        this.#foreseen.words.broken(read.tool ?? '', this.#rules[one.rule], one, this.#foreseen.model),
      )
      .join(' ');
    return {
      decision: strategy.kind,
      reason: 'foreseen',
      rule: rule.name,
      explanation,
      ...(strategy.kind === 'replace' && { action: strategy.action }),
      ...(strategy.kind === 'reflect' && { escalate: rule.escalate.map(({ kind }): Decision => kind) }),
      onFailure: rule.onFailure.kind,
      wouldDecide: strategies[0].kind,
      against: against.map((one) => ({
        name: this.#rules[one.rule].name,
        decision: strategyOf(this.#rules[one.rule]).kind,
      })),
      read,
    };
  }

  /** The listed calls that are permitted, those first that change least. */
  #alternatives(world: JudgedWorld): string[] {
    const { model } = this.#foreseen;
    const permitted = model.calls.flatMap((call) => {
      const reading = this.#read({ id: '', name: call.action.name, arguments: call.action.arguments }, world);
      const [values, known] = [Uint32Array.from(reading.values), Uint32Array.from(reading.known)];
      if (
        reading.requires !== undefined ||
        call.executable(values, known) === false ||
        !reading.after ||
        reading.after.length === 0
      )
        return [];
      if (this.#run.broken(reading).length > 0) return [];
      const given = Object.entries(call.action.arguments).map(([name, value]) => `${name}=${value}`);
      const text = `${plainName(call.action.name)}${given.length === 0 ? '' : `[${given.join(', ')}]`}`;
      return [{ text, changes: Math.max(...reading.after.map((one) => changed(one, reading))) }];
    });
    permitted.sort((a, b) => a.changes - b.changes);
    return permitted.slice(0, MOST_ALTERNATIVES).map(({ text }) => text);
  }
}

function changed(after: readonly number[], { values, known }: Reading): number {
  const bits = (word: number): number => word.toString(2).replaceAll('0', '').length;
  return after.reduce((sum, word, w) => sum + bits(((word ^ values[w]) & known[w]) >>> 0), 0);
}

/** The strategy that a rule names; one without blocks the call that would break it. */
function strategyOf({ namesStrategy, levels }: ForeseenRule): Strategy {
  return (namesStrategy && levels.at(-1)?.strategy) || BLOCK;
}

/** @throws TypeError for what this judge has not read */
function readingOf(read: unknown): Reading {
  const { tool, values, known, after, requires } = isObject(read) ? read : {};
  const areWords = (words: unknown): words is readonly number[] =>
    Array.isArray(words) && words.every((word) => Number.isInteger(word));
  const isAfter = after === null || (Array.isArray(after) && after.every(areWords));
  if ((tool !== null && typeof tool !== 'string') || !areWords(values) || !areWords(known) || !isAfter)
    throw new TypeError(
      'the record has no reading of declared actions: it lacks tool, values, known or after',
    );
  const isUnmet = requires === 'unmet' || requires === 'unread';
  return { tool, values, known, after, ...(isUnmet && { requires }) } as Reading;
}

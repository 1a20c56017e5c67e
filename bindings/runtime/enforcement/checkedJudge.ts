import { InvalidArgumentError, InvalidDataError } from '../../base/errors.js';
import { isObject } from '../../base/objectKind.js';
import { describeValue } from '../../base/suggest.js';
import { wordsOf } from '../../base/words.js';
import {
  type Decision,
  type Judge,
  type Judgement,
  type Refusal,
  type RunJudge,
  STRATEGY_KINDS,
  type Strategy,
  severity,
} from '../guard/index.js';
import { frozenJson } from './snapshot.js';
import { isEnforcementFault } from './verdict.js';

/** Characters of what a judge reads of one call, as JSON. */
const MAX_READ = 100_000;
const MAX_WORDS = 10_000;
const MAX_REFUSALS = 100;

const judges = new WeakMap<Judge, Judge>();

/**
 * A judge of a user's own, of which nothing is believed: what it declares is read once, each answer is read once into a frozen copy, and one that is no answer, or
 * a decision that was not declared, is an error, which the session takes for a fault. Always the same for the same judge.
 *
 * @throws InvalidArgumentError if what it declares is not what a session can do
 */
export function checkedJudge(judge: Judge): Judge {
  const known = judges.get(judge);
  if (known !== undefined) return known;
  const name = textOf(judge.name, 'the name of a judge');
  const where = `judge "${name}"`;
  const hash = textOf(judge.hash, `the hash of ${where}`);
  const decisions = strategiesOf(judge.decisions, `decisions of ${where}`);
  const { idleDecisions, needs = {}, about, scope } = judge;
  const idle =
    idleDecisions === undefined ? decisions : strategiesOf(idleDecisions, `idleDecisions of ${where}`);
  if (typeof judge.begin !== 'function')
    throw new InvalidArgumentError(`begin of ${where} is ${describeValue(judge.begin)}; expected a function`);
  if (scope !== undefined && scope !== 'turn')
    throw new InvalidArgumentError(`scope of ${where} is ${describeValue(scope)}; expected turn, or nothing`);
  const { clock, reads, detectors, pending } = needs;
  if (pending !== undefined && !(Number.isInteger(pending) && pending >= 0))
    throw new InvalidArgumentError(
      `needs.pending of ${where} is ${describeValue(pending)}; expected a whole number from 0`,
    );
  const checked: Judge = {
    name,
    hash,
    decisions,
    ...(idleDecisions !== undefined && { idleDecisions: idle }),
    ...(scope !== undefined && { scope }),
    needs: {
      ...(clock !== undefined && { clock: textOf(clock, `needs.clock of ${where}`) }),
      ...(reads !== undefined && { reads }),
      ...(detectors !== undefined && { detectors }),
      ...(pending !== undefined && { pending }),
    },
    ...(about !== undefined && {
      about: frozenJson(about, MAX_READ) as Readonly<Record<string, string | null>>,
    }),
    begin(run) {
      const begun: unknown = judge.begin(run);
      const { propose, decideAgain } = (begun ?? {}) as Partial<RunJudge>;
      if (typeof propose !== 'function' || typeof decideAgain !== 'function')
        throw new InvalidArgumentError(
          `begin of ${where} gave ${describeValue(begun)}; expected an object with propose and decideAgain`,
        );
      return checkedRun(begun as RunJudge, new AnswerReader(name, where, decisions, idle, scope));
    },
  };
  judges.set(judge, checked);
  return checked;
}

/** The answers of a judge in one run, each read once. */
function checkedRun(run: RunJudge, reader: AnswerReader): RunJudge {
  const has = (method: keyof RunJudge): boolean => typeof run[method] === 'function';
  const told = <T>(answer: T): T => {
    // Nobody awaits a promise; its rejection must not end the process.
    if (answer instanceof Promise) answer.catch(() => undefined);
    return answer;
  };
  return {
    propose: (call, world) => reader.read(run.propose(call, world), call === null),
    decideAgain: (read, where) => reader.read(run.decideAgain(read, where), null),
    ...(has('instead') && {
      instead(call, world) {
        const found = run.instead?.(call, world) ?? null;
        return found === null ? null : reader.read(found, false);
      },
    }),
    ...(has('approve') && {
      approve: (call, world) => reader.read(run.approve?.(call, world), call === null),
    }),
    ...(has('excuse') && {
      excuse: (rules) => reader.names(run.excuse?.(rules)),
    }),
    ...(has('observe') && {
      observe: (world, approved) => reader.read(run.observe?.(world, approved), null),
    }),
    ...(has('readAgain') && { readAgain: (call) => reader.read(run.readAgain?.(call), null) }),
    ...(has('tooEarly') && {
      tooEarly(world) {
        const why = run.tooEarly?.(world) ?? null;
        return why === null ? null : reader.words(why, 'tooEarly');
      },
    }),
    ...(has('wantsWorld') && { wantsWorld: (world) => run.wantsWorld?.(world) === true }),
    // What says neither yes nor no is taken for the worse of the two.
    ...(has('hasMoved') && { hasMoved: (call, world) => run.hasMoved?.(call, world) !== false }),
    ...(has('permits') && { permits: (tool, world) => run.permits?.(tool, world) === true }),
    ...(has('keeps') && { keeps: (tool, world) => run.keeps?.(tool, world) === true }),
    ...(has('closes') && { closes: (tool) => run.closes?.(tool) === true }),
    ...(has('withheld') && { withheld: () => void told(run.withheld?.()) }),
    ...(has('started') && { started: (call) => void told(run.started?.(call)) }),
    ...(has('idled') && { idled: () => void told(run.idled?.()) }),
    ...(has('came') && { came: (call, outcome) => told(run.came?.(call, outcome)) === true }),
    ...(has('withdrawn') && { withdrawn: (call) => told(run.withdrawn?.(call)) === true }),
    ...(has('interrupted') && { interrupted: () => void told(run.interrupted?.()) }),
    ...(has('ending') && { ending: () => void told(run.ending?.()) }),
    ...(has('end') && { end: () => void told(run.end?.()) }),
  };
}

/** Reads what a judge answers, once. */
class AnswerReader {
  readonly #name: string;
  readonly #where: string;
  readonly #calls: readonly Strategy[];
  readonly #scope: Judge['scope'];
  readonly #idle: readonly Strategy[];

  constructor(
    name: string,
    where: string,
    calls: readonly Strategy[],
    idle: readonly Strategy[],
    scope: Judge['scope'],
  ) {
    this.#scope = scope;
    this.#name = name;
    this.#where = where;
    this.#calls = calls;
    this.#idle = idle;
  }

  /** @param idle whether doing nothing was judged; null: not known @throws InvalidDataError if it is no judgement */
  read(given: unknown, idle: boolean | null): Judgement {
    if (given instanceof Promise) given.catch(() => undefined);
    if (!isObject(given)) throw this.#wrong('the answer', given, 'a judgement, at once');
    const {
      decision,
      action = null,
      wouldDecide,
      onFailure,
      escalate,
      rule,
      reason = 'judged',
    } = given as Partial<Judgement>;
    const { explanation, message, suggestion, due, alternatives, scope, against, risk, read } =
      given as Partial<Judgement>;
    const decided = this.#decision(decision, 'decision');
    const declared = idle === null ? [...this.#calls, ...this.#idle] : idle ? this.#idle : this.#calls;
    this.#requireDeclared(decided, action, declared);
    // Logs tell the session's own words by these.
    if (this.words(reason, 'reason') === 'approved' || isEnforcementFault(reason))
      throw this.#wrong('reason', reason, 'a word that sessions do not use for themselves');
    if (scope !== undefined && scope !== 'call' && scope !== this.#scope)
      throw this.#wrong('scope', scope, '"call", or "turn" if the judge declares scope: turn');
    if (risk !== undefined && !(typeof risk === 'number' && risk >= 0 && risk <= 1))
      throw this.#wrong('risk', risk, 'a number from 0 to 1');
    return {
      decision: decided,
      read: this.#read(read),
      reason,
      rule: rule === undefined ? (decided === 'allow' ? '' : this.#name) : this.words(rule, 'rule'),
      ...(decided === 'replace' && { action }),
      ...(explanation !== undefined && { explanation: this.words(explanation, 'explanation') }),
      ...(message !== undefined && { message: this.words(message, 'message') }),
      ...(suggestion != null && { suggestion: this.#call(suggestion) }),
      ...(due !== undefined && { due: this.names(due, 'due') }),
      ...(alternatives !== undefined && { alternatives: this.#alternatives(alternatives) }),
      ...(escalate !== undefined && { escalate: this.#escalation(escalate, declared) }),
      ...(scope !== undefined && { scope }),
      ...(onFailure !== undefined && { onFailure: this.#decision(onFailure, 'onFailure') }),
      ...(wouldDecide !== undefined && { wouldDecide: this.#decision(wouldDecide, 'wouldDecide') }),
      ...(against !== undefined && { against: this.#refusals(against) }),
      ...(risk !== undefined && { risk }),
    };
  }

  words(value: unknown, what: string): string {
    if (typeof value !== 'string') throw this.#wrong(what, value, 'text');
    return value.slice(0, MAX_WORDS);
  }

  names(value: unknown, what = 'excuse'): string[] {
    if (!Array.isArray(value) || value.length > MAX_REFUSALS)
      throw this.#wrong(what, value, 'a list of names');
    return value.map((name) => this.words(name, what));
  }

  #decision(value: unknown, what: string): Decision {
    if (typeof value === 'string' && Object.hasOwn(severity, value)) return value as Decision;
    throw this.#wrong(what, value, `one of ${Object.keys(severity).join(', ')}`);
  }

  #requireDeclared(decision: Decision, action: unknown, declared: readonly Strategy[]): void {
    // These need no declaration: every session may do them.
    if (decision === 'allow' || decision === 'report' || decision === 'stop') return;
    const isDeclared = declared.some(
      (one) => one.kind === decision && (one.kind !== 'replace' || one.action === action),
    );
    if (isDeclared) return;
    const what = decision === 'replace' ? `replace by ${describeValue(action)}` : decision;
    throw new InvalidDataError(
      `${this.#where} decided ${what}, which it has not declared among its decisions`,
    );
  }

  #escalation(value: unknown, declared: readonly Strategy[]): Decision[] {
    if (!Array.isArray(value)) throw this.#wrong('escalate', value, 'a list of decisions');
    return value.slice(0, MAX_REFUSALS).map((one) => {
      const decision = this.#decision(one, 'escalate');
      if (decision === 'replace') throw this.#wrong('escalate', one, 'no replacement');
      this.#requireDeclared(decision, null, declared);
      return decision;
    });
  }

  #alternatives(value: unknown): (string | null)[] {
    if (!Array.isArray(value)) throw this.#wrong('alternatives', value, 'a list of names');
    return value.slice(0, MAX_REFUSALS).map((one) => (one === null ? null : this.words(one, 'alternatives')));
  }

  #call(value: unknown): NonNullable<Judgement['suggestion']> {
    const call = this.#data(value, 'suggestion');
    if (!isObject(call) || typeof call.name !== 'string' || !isObject(call.arguments))
      throw this.#wrong('suggestion', value, 'a call with name and arguments');
    return { name: call.name, arguments: call.arguments };
  }

  #refusals(value: unknown): Refusal[] {
    const list = this.#data(value, 'against');
    if (!Array.isArray(list)) throw this.#wrong('against', value, 'a list of rules');
    return list.map((one: unknown) => {
      const { name, part, decision, risk } = (one ?? {}) as Partial<Refusal>;
      return {
        name: this.words(name, 'against'),
        ...(part !== undefined && { part: this.words(part, 'against') }),
        decision: this.#decision(decision, 'against'),
        ...(typeof risk === 'number' && { risk }),
      };
    });
  }

  /** Records tell by null that a judge has failed. */
  #read(value: unknown): unknown {
    if (value === undefined || value === null)
      throw this.#wrong('read', value, 'what the decision depends on, as plain data, such as {}');
    return this.#data(value, 'read');
  }

  #data(value: unknown, what: string): unknown {
    try {
      return frozenJson(value, MAX_READ);
    } catch (error) {
      throw new InvalidDataError(
        `${what} of an answer of ${this.#where} is no plain data: ${wordsOf(error)}`,
      );
    }
  }

  #wrong(what: string, found: unknown, expected: string): InvalidDataError {
    return new InvalidDataError(`${what} of ${this.#where} is ${describeValue(found)}; expected ${expected}`);
  }
}

function textOf(value: unknown, what: string): string {
  if (typeof value === 'string' && value !== '') return value.slice(0, MAX_WORDS);
  throw new InvalidArgumentError(`${what} is ${describeValue(value)}; expected text`);
}

/** A frozen copy of declared strategies. */
function strategiesOf(given: unknown, what: string): readonly Strategy[] {
  if (!Array.isArray(given))
    throw new InvalidArgumentError(`${what} are ${describeValue(given)}; expected a list of strategies`);
  return given.map((one: unknown): Strategy => {
    const { kind, action } = (one ?? {}) as { readonly kind?: unknown; readonly action?: unknown };
    const found = STRATEGY_KINDS.find((known) => known === kind);
    if (found === 'replace' && typeof action === 'string') return { kind: found, action };
    if (found !== undefined && found !== 'replace') return { kind: found };
    throw new InvalidArgumentError(
      `${what} have ${describeValue(one)}; expected { kind } of ${STRATEGY_KINDS.join(', ')}, with the name of a replacement as action of replace`,
    );
  });
}

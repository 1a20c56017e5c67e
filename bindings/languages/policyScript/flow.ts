import type { ExpressionNode, Place } from '../expression/index.js';
import { fitsAnnotation } from './annotation.js';
import { input } from './names.js';
import type { ScriptProblems } from './problems.js';
import { NOTHING_KNOWN, type Scope } from './scope.js';
import type { Statement, Written } from './syntax.js';
import type { ScriptTranslator } from './translate.js';
import type { Trees } from './trees.js';

/** A return of a function, and when it is reached. */
export interface ReachedReturn {
  readonly decision: 'permit' | 'deny';
  /** What `deny` says. */
  readonly reason: string | null;
  readonly place: Place;
  readonly reached: ExpressionNode;
}

/** What statements do: which returns they reach, and when what follows them runs. */
export interface Flow {
  readonly returns: readonly ReachedReturn[];
  readonly continues: ExpressionNode;
  /** Whether what follows can run, by the shape of the statements alone, as TypeScript sees it. */
  readonly mayContinue: boolean;
}

/** Longest reason that a deny may tell. */
const MOST_REASON = 500;

/**
 * Translates statements. Each return is reached where a condition of its own is true, of which the parts are asked in the order in which the function runs; it has no
 * value where the function would throw before. Sizes add up: what follows an `if` is not copied into its branches.
 */
export class FlowTranslator {
  readonly #translator: ScriptTranslator;
  readonly #trees: Trees;
  readonly #problems: ScriptProblems;
  readonly #imported: ReadonlyMap<string, unknown>;

  constructor(
    translator: ScriptTranslator,
    trees: Trees,
    problems: ScriptProblems,
    imported: ReadonlyMap<string, unknown>,
  ) {
    this.#translator = translator;
    this.#trees = trees;
    this.#problems = problems;
    this.#imported = imported;
  }

  /** @param scope gets what the statements declare and find out */
  statements(statements: readonly Statement[], scope: Scope): Flow {
    const flows: Flow[] = [];
    let inner = scope.within();
    for (const statement of statements) {
      const next = this.#statement(statement, inner);
      flows.push(next);
      inner = next.scope;
    }
    return flows.reduceRight(
      (rest, { returns, continues, mayContinue }) => ({
        returns: [
          ...returns,
          ...rest.returns.map((one) => ({ ...one, reached: this.#trees.and(continues, one.reached) })),
        ],
        continues: this.#trees.and(continues, rest.continues),
        mayContinue: mayContinue && rest.mayContinue,
      }),
      this.#goesOn(this.#trees.true),
    );
  }

  #statement(statement: Statement, scope: Scope): Flow & { readonly scope: Scope } {
    switch (statement.kind) {
      case 'const':
        return { ...this.#goesOn(this.declare(statement, scope)), scope };
      case 'block':
        return { ...this.statements(statement.body, scope), scope };
      case 'return':
        return { ...this.#return(statement.value, statement.place, scope), scope };
      case 'if':
        return this.#if(statement, scope);
    }
  }

  #goesOn(continues: ExpressionNode): Flow {
    return { returns: [], continues, mayContinue: true };
  }

  #if(
    { condition, then, otherwise }: Extract<Statement, { kind: 'if' }>,
    scope: Scope,
  ): Flow & { readonly scope: Scope } {
    const { node, known = NOTHING_KNOWN } = this.#translator.condition(condition, scope);
    const yes = this.statements(then, scope.within(known.whenTrue));
    const no = this.statements(otherwise, scope.within(known.whenFalse));
    const { false: never } = this.#trees;
    const flow = {
      returns: [
        ...yes.returns.map((one) => ({ ...one, reached: this.#trees.choose(node, one.reached, never) })),
        ...no.returns.map((one) => ({ ...one, reached: this.#trees.choose(node, never, one.reached) })),
      ],
      continues: this.#trees.choose(node, yes.continues, no.continues),
      mayContinue: yes.mayContinue || no.mayContinue,
    };
    const after = yes.mayContinue ? (no.mayContinue ? [] : known.whenTrue) : known.whenFalse;
    return { ...flow, scope: scope.within(after) };
  }

  /** Declares a const. @returns a condition that is true where its value can be computed, and has no value elsewhere */
  declare(
    { target, type, value, place }: Extract<Statement, { kind: 'const' }>,
    scope: Scope,
  ): ExpressionNode {
    const { true: always } = this.#trees;
    if (typeof target !== 'string') {
      const isInputs = value.kind === 'name' && scope.find(value.name) === 'inputs';
      if (isInputs) this.takeInputs(target, scope);
      else
        this.#problems.add(
          value.place,
          'a value that is taken apart',
          'the inputs, or a const for each value',
        );
      return always;
    }
    const found = this.#translator.constant(value, scope);
    this.#declareName(target, place, scope, found);
    if (type !== null && !fitsAnnotation(type, found.type))
      this.#problems.add(type.place, 'another type than that of the value', 'no type: it is known');
    return this.#translator.computable(found);
  }

  takeInputs(
    target: readonly { readonly field: string; readonly as: string; readonly place: Place }[],
    scope: Scope,
  ): void {
    for (const { field, as, place } of target)
      this.#declareName(as, place, scope, input(this.#translator, field, place));
  }

  #declareName(name: string, place: Place, scope: Scope, value: Parameters<Scope['declare']>[1]): void {
    if (scope.find(name) !== undefined || this.#imported.has(name))
      this.#problems.add(place, `a second "${name}"`, 'another name');
    scope.declare(name, value);
  }

  /** A return, or one for each branch of a choice between decisions. */
  #return(value: Written, place: Place, scope: Scope): Flow {
    const { false: never, true: always } = this.#trees;
    if (value.kind === 'conditional') {
      const { node, known = NOTHING_KNOWN } = this.#translator.condition(value.condition, scope);
      const yes = this.#return(value.whenTrue, value.whenTrue.place, scope.within(known.whenTrue));
      const no = this.#return(value.whenFalse, value.whenFalse.place, scope.within(known.whenFalse));
      return {
        returns: [
          ...yes.returns.map((one) => ({ ...one, reached: this.#trees.choose(node, one.reached, never) })),
          ...no.returns.map((one) => ({ ...one, reached: this.#trees.choose(node, never, one.reached) })),
        ],
        continues: never,
        mayContinue: false,
      };
    }
    const decided = this.#decision(value, scope);
    const returns = decided === null ? [] : [{ ...decided, place, reached: always }];
    return { returns, continues: never, mayContinue: false };
  }

  #decision(value: Written, scope: Scope): Pick<ReachedReturn, 'decision' | 'reason'> | null {
    const isDecision = value.kind === 'call' && (value.name === 'permit' || value.name === 'deny');
    if (!isDecision) {
      if (value.kind !== 'wrong') this.#problems.add(value.place, 'no decision', "permit() or deny('why')");
      return null;
    }
    const { name, arguments: given, place } = value;
    if (!this.#imported.has(name))
      this.#problems.add(
        place,
        `"${name}", which is not imported`,
        `import { ${name} } from 'foreguard/policy'`,
      );
    if (name === 'permit') {
      if (given.length > 0) this.#problems.add(given[0].place, 'an argument of permit', 'permit()');
      return { decision: 'permit', reason: null };
    }
    const [reason] = given;
    const { node } = given.length === 1 ? this.#translator.value(reason, scope) : { node: null };
    const text = node?.kind === 'literal' && typeof node.value === 'string' ? node.value : '';
    if (text.trim() === '' || text.length > MOST_REASON) {
      this.#problems.add(
        reason?.place ?? place,
        'no reason of deny',
        `a text of 1 to ${MOST_REASON} characters that says why`,
      );
      return null;
    }
    return { decision: 'deny', reason: text };
  }
}

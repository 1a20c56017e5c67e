import { ForeguardError } from '../../base/errors.js';
import { isObject } from '../../base/objectKind.js';
import { compileCondition, type Evaluate } from '../../languages/expression/index.js';
import type { Step, Trace } from '../../observations/trace/index.js';
import { boundValues } from './boundValues.js';
import type { Condition, Contracts, ToolContract } from './contract.js';
import { fits, misfitText, type TypeMisfit } from './fits.js';

/** How often recorded calls broke a part of a contract. */
export interface TrialCount {
  readonly tool: string;
  /** `arguments`: their types, and whether all are declared and there; `result`: its type. */
  readonly kind: 'arguments' | 'result' | 'requires' | 'ensures';
  /** The name of a condition; null of types. */
  readonly name: string | null;
  /** Calls of which it could be judged. */
  readonly calls: number;
  readonly broken: number;
  readonly first: BrokenCall | null;
}

/** A recorded call that broke a contract. */
export interface BrokenCall {
  readonly trace: string;
  /** Of the trace, from 0. */
  readonly step: number;
  /** Why, in words. */
  readonly text: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** What recorded runs say of contracts. */
export interface TrialReport {
  readonly traces: number;
  readonly calls: number;
  readonly counts: readonly TrialCount[];
  /** Calls of tools without a contract, by name. */
  readonly unlisted: ReadonlyMap<string, number>;
}

interface Part {
  readonly kind: TrialCount['kind'];
  readonly name: string | null;
  /** Why the call breaks it, in words; null if it does not. */
  readonly judge: (
    values: Readonly<Record<string, unknown>>,
    given: Readonly<Record<string, unknown>>,
  ) => string | null;
  calls: number;
  broken: number;
  first: BrokenCall | null;
}

/**
 * Tries contracts on recorded calls: types, `requires` and `ensures`. A call's result is the `lastResult` of the step after it, unless the call failed; where no
 * result is recorded, nothing is said of it. A text that recordings give as the data in it is not judged as a text.
 *
 * Conditions that call `matches` need `loadRegexEngine` to be awaited before.
 */
export class ContractTrial {
  readonly #parts: ReadonlyMap<string, readonly Part[]>;
  readonly #contracts: Contracts;
  readonly #unlisted = new Map<string, number>();
  #traces = 0;
  #calls = 0;

  constructor(contracts: Contracts) {
    this.#contracts = contracts;
    this.#parts = new Map([...contracts.tools.values()].map((tool) => [tool.name, partsOf(tool)]));
  }

  add(trace: Trace): void {
    this.#traces++;
    for (const [i, { action }] of trace.steps.entries()) {
      if (action === undefined) continue;
      this.#calls++;
      const parts = this.#parts.get(action.name);
      if (parts === undefined) {
        this.#unlisted.set(action.name, (this.#unlisted.get(action.name) ?? 0) + 1);
        continue;
      }
      if (action.arguments === undefined) continue;
      const tool = this.#contracts.tools.get(action.name)!;
      const outcome = outcomeOf(trace.steps[i + 1], tool);
      this.#judge(parts, { trace: trace.id, step: i, arguments: action.arguments }, tool, outcome);
    }
  }

  #judge(
    parts: readonly Part[],
    call: Omit<BrokenCall, 'text'>,
    tool: ToolContract,
    outcome: { readonly result: unknown } | null,
  ): void {
    const given = call.arguments;
    for (const part of parts) {
      const isAfter = part.kind === 'result' || part.kind === 'ensures';
      if (isAfter && outcome === null) continue;
      const values =
        outcome !== null && isAfter ? boundValues(tool, given, outcome.result) : boundValues(tool, given);
      const text = part.judge(values, given);
      part.calls++;
      if (text === null) continue;
      part.broken++;
      part.first ??= { ...call, text };
    }
  }

  report(): TrialReport {
    const counts = [...this.#parts].flatMap(([tool, parts]) =>
      parts.map(({ judge: _, ...part }): TrialCount => ({ tool, ...part })),
    );
    return { traces: this.#traces, calls: this.#calls, counts, unlisted: new Map(this.#unlisted) };
  }
}

function partsOf(tool: ToolContract): Part[] {
  const part = (kind: Part['kind'], name: string | null, judge: Part['judge']): Part => ({
    kind,
    name,
    judge,
    calls: 0,
    broken: 0,
    first: null,
  });
  return [
    part('arguments', null, (_, given) => argumentsMisfit(tool, given)),
    ...tool.requires.map((one) => part('requires', one.name, judged(one))),
    part('result', null, ({ result }) => said('result', fits(result, tool.result.type))),
    ...tool.ensures.map((one) => part('ensures', one.name, judged(one))),
  ];
}

const said = (name: string, misfit: TypeMisfit | null): string | null => misfit && misfitText(name, misfit);

/** Why arguments are none of a tool: a type, one that is missing, or one that its contract does not list. */
export function argumentsMisfit(
  { name: tool, arguments: declared }: Pick<ToolContract, 'name' | 'arguments'>,
  given: Readonly<Record<string, unknown>>,
): string | null {
  for (const [name, { type, optional }] of declared) {
    if (!Object.hasOwn(given, name) || given[name] === undefined) {
      if (!optional) return `${name} is missing`;
      continue;
    }
    const misfit = fits(given[name], type);
    if (misfit !== null) return misfitText(name, misfit);
  }
  const other = Object.keys(given).find((name) => given[name] !== undefined && !declared.has(name));
  return other === undefined ? null : `${tool} has no argument ${JSON.stringify(other)}`;
}

function judged({ expression }: Condition): Part['judge'] {
  let evaluate: Evaluate<boolean> | undefined;
  return (values) => {
    try {
      evaluate ??= compileCondition(expression);
      return evaluate(values, {}) ? null : 'it does not hold';
    } catch (error) {
      if (error instanceof ForeguardError) return `it has no value: ${error.message}`;
      throw error;
    }
  };
}

/** The result of a call; null if it failed, or none is recorded. */
function outcomeOf(
  next: Step | undefined,
  { name, result }: ToolContract,
): { readonly result: unknown } | null {
  if (next === undefined) return null;
  const { lastTool, lastToolFailed, lastResult } = next.state;
  if (lastTool !== name || lastToolFailed === true || lastResult === undefined) return null;
  // What was a text may have been read as JSON.
  const wasText =
    result.type.kind === 'text' &&
    (isObject(lastResult) || Array.isArray(lastResult) || typeof lastResult !== 'string');
  return wasText ? null : { result: lastResult };
}

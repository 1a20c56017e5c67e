import { fits } from '../contract/index.js';
import { type Ended, type Given, interpret, type Json, type Plan, type Wanted } from '../workflow/index.js';

/** A call that a run made. */
export interface MadeCall {
  readonly step: string;
  /** The rounds of the loops around it, outermost first. */
  readonly rounds: readonly number[];
  readonly tool: string;
  readonly given: Readonly<Record<string, Json>>;
  /** Whether the call succeeded. */
  readonly ok: boolean;
  /** What the tool gave; null if it failed. */
  readonly result: Json;
}

/** What a tool, or a model that is asked, answers; `failed` if it does not. */
export type Reply = { readonly kind: 'result'; readonly value: Json } | { readonly kind: 'failed' };

/** What a run reads beside its inputs. */
export interface World {
  call(step: string, rounds: readonly number[], tool: string, given: Readonly<Record<string, Json>>): Reply;
  ask(step: string, rounds: readonly number[]): Reply;
}

/** How a run ended. */
export type RunEnd =
  /** At the last step, or at `return`. */
  | { readonly kind: 'returned'; readonly value: Json }
  /** At a `require` whose condition was false. */
  | { readonly kind: 'required'; readonly step: string }
  /** At a call that failed, a question without an answer, or a value that there is not. */
  | { readonly kind: 'failed'; readonly step: string; readonly reason: string };

export interface Run {
  readonly calls: readonly MadeCall[];
  /** The steps taken. */
  readonly steps: readonly string[];
  readonly end: RunEnd;
}

/** Runs a plan with what the world answers, by the interpreter that also runs proved plans. */
export function runConcretely(
  plan: Plan,
  inputs: Readonly<Record<string, Json>>,
  world: World,
  most = 100_000,
): Run {
  const calls: MadeCall[] = [];
  const steps: string[] = [];
  const enter = (step: string): void => {
    if (steps.push(step) > most) throw new TooLong(step);
  };
  try {
    const run = interpret(plan, inputs, enter);
    let next = run.next();
    while (next.done !== true) next = run.next(answer(next.value, world, calls));
    return { calls, steps, end: endOf(next.value) };
  } catch (error) {
    if (!(error instanceof TooLong)) throw error;
    return { calls, steps, end: { kind: 'failed', step: error.step, reason: `more than ${most} steps` } };
  }
}

class TooLong extends Error {
  readonly step: string;
  constructor(step: string) {
    super(step);
    this.step = step;
  }
}

function answer(wanted: Wanted, world: World, calls: MadeCall[]): Given {
  const { step, rounds } = wanted;
  if (wanted.kind === 'answer') {
    const reply = world.ask(step, rounds);
    return reply.kind === 'result' && fits(reply.value, wanted.type) === null
      ? reply
      : { kind: 'failed', text: 'no answer' };
  }
  const { tool, arguments: given } = wanted;
  const reply = world.call(step, rounds, tool, given);
  const ok = reply.kind === 'result';
  calls.push({ step, rounds, tool, given, ok, result: ok ? reply.value : null });
  return ok ? reply : { kind: 'failed', text: 'the call failed' };
}

function endOf(ended: Ended): RunEnd {
  if (ended.kind === 'finished') return { kind: 'returned', value: null };
  if (ended.kind === 'returned') return ended;
  const { step, because, text } = ended;
  return because === 'require' ? { kind: 'required', step } : { kind: 'failed', step, reason: text };
}

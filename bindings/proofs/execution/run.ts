import { InvalidArgumentError } from '../../base/errors.js';
import { hashJson } from '../../base/hashJson.js';
import { refuseUnknownOptions } from '../../base/suggest.js';
import { wordsOf } from '../../base/words.js';
import {
  carryOut,
  createSession,
  frozenJson,
  type Session,
  type SessionOptions,
  type Verdict,
} from '../../runtime/enforcement/index.js';
import { fits, misfitText } from '../contract/index.js';
import { VerifiedPlan } from '../planProof/index.js';
import {
  type Ended,
  eachStep,
  type Given,
  interpret,
  type Json,
  type Step,
  type Wanted,
} from '../workflow/index.js';
import { type AskModel, answered, checkedAnswer } from './asked.js';
import { brokenEnsures, brokenRequires } from './conditions.js';
import { callId, Kept } from './kept.js';
import { planJudge, proposed } from './planJudge.js';
import type { ResultStore } from './resultStore.js';
import { sameJson } from './sameJson.js';

/** Runs a tool. `idempotencyKey` is the same whenever the same call of the same run is made. */
export type PlanTool = (
  args: Readonly<Record<string, Json>>,
  about: { readonly idempotencyKey: string; readonly signal?: AbortSignal },
) => unknown;

/** A call that was running when the run was interrupted: nobody knows whether it ran. */
export interface UnknownCall {
  readonly id: string;
  readonly tool: string;
  readonly arguments: Readonly<Record<string, Json>>;
}

/** How a run of a plan is carried out. */
export interface RunPlanOptions {
  /** Its inputs by name; those that the proof knew must be the same. */
  readonly inputs?: Readonly<Record<string, Json>>;
  readonly tools: Readonly<Record<string, PlanTool>>;
  /** The model for `ask` steps. */
  readonly ask?: AskModel;
  /** Options of the session under which the calls run: judges, people, logs. The plan is one more judge. */
  readonly session?: Omit<SessionOptions, 'tools'>;
  /** Keeps results, so that the run goes on after a crash. Name the run by `session.id`. */
  readonly results?: ResultStore;
  /**
   * Decides about a call that was running when the run was interrupted: its result, that it failed, or that it is to be made (again). Not asked about a tool whose contract says `idempotent`, which is
   * called again. Default: the run ends (`unknown`).
   */
  readonly settle?: (call: UnknownCall) => Given | 'call' | Promise<Given | 'call'>;
  readonly signal?: AbortSignal;
}

/** How a run of a plan ended. */
export type PlanRun = { readonly run: string } & (
  | Exclude<Ended, { readonly kind: 'stopped' }>
  | {
      readonly kind: 'stopped';
      readonly step: string;
      readonly rounds: readonly number[];
      /**
       * As in `Ended`, or: `withheld`, a judge or a person did not permit the call. `changed`: another call ran in its place, with which nothing is proved about the rest. `contract-broken`: a tool did not keep to its
       * contract, on which the proof rests. `unknown`: see `settle`. `aborted`: by the signal.
       */
      readonly because:
        | (Ended & { readonly kind: 'stopped' })['because']
        | 'withheld'
        | 'changed'
        | 'contract-broken'
        | 'unknown'
        | 'aborted';
      readonly text: string;
      /** Of `withheld` and `changed`. */
      readonly verdict?: Verdict;
    }
);

/**
 * Runs a proved plan: each call through a session with its judges, people and log; what tools give is checked against their contracts, and the first that breaks one ends the run.
 *
 * @param verified from `verifyPlan`; nothing else runs
 * @throws InvalidArgumentError (rejects) if the plan was not verified, if an input or a tool is missing, or does not have its type; any error of `results`
 */
export async function runPlan(verified: VerifiedPlan, options: RunPlanOptions): Promise<PlanRun> {
  refuseUnknownOptions('runPlan', options, {
    inputs: true,
    tools: true,
    ask: true,
    session: true,
    results: true,
    settle: true,
    signal: true,
  });
  if (!VerifiedPlan.is(verified))
    throw new InvalidArgumentError(
      'only a plan that verifyPlan proved in this program runs: pass what its verdict has as `verified`',
    );
  return new Run(verified, options).go();
}

const MAY_GO_ON: ReadonlySet<string> = new Set(['unknown', 'aborted']);

class Run {
  readonly #verified: VerifiedPlan;
  readonly #options: RunPlanOptions;
  readonly #inputs: Readonly<Record<string, Json>>;
  readonly #session: Session;
  readonly #judge: ReturnType<typeof planJudge>;

  constructor(verified: VerifiedPlan, options: RunPlanOptions) {
    this.#verified = verified;
    this.#options = options;
    this.#inputs = inputsOf(verified, options.inputs ?? {});
    const { plan, contracts } = verified;
    const needed = toolsOf(plan.steps);
    for (const tool of needed)
      if (!Object.hasOwn(options.tools, tool) || typeof options.tools[tool] !== 'function')
        throw new InvalidArgumentError(`the plan calls ${tool}, and tools has no function of that name`);
    this.#judge = planJudge(verified);
    const { judges = [], ...rest } = options.session ?? {};
    if (rest.shadow === true)
      throw new InvalidArgumentError(
        'session.shadow would also let through what the proof leaves to a person, and what breaks a contract; give rules `shadow: true` instead',
      );
    this.#session = createSession({
      maxPending: 0,
      ...rest,
      judges: [...judges, this.#judge],
      tools: [...contracts.tools.keys()],
    });
  }

  async go(): Promise<PlanRun> {
    const { id } = this.#session;
    const { results = null } = this.#options;
    // Without a store nobody asks for the hash, which takes longer than a call.
    const plan = results === null ? '' : hashJson({ proved: this.#verified.hash, inputs: this.#inputs });
    const kept = await Kept.open(results, id, plan);
    const ended = await this.#steps(kept);
    // What a crash or a signal cut short may go on.
    if (ended.kind !== 'stopped' || !MAY_GO_ON.has(ended.because))
      await this.#session.end({ complete: ended.kind !== 'stopped' });
    return { run: id, ...ended };
  }

  async #steps(kept: Kept): Promise<Omitted<PlanRun>> {
    const steps = interpret(this.#verified.plan, this.#inputs);
    let next = steps.next();
    while (next.done !== true) {
      const came = await this.#came(next.value, kept);
      if ('because' in came)
        return { kind: 'stopped', step: next.value.step, rounds: next.value.rounds, ...came };
      next = steps.next(came);
    }
    return next.value;
  }

  async #came(wanted: Wanted, kept: Kept): Promise<Given | StoppedHere> {
    if (this.#options.signal?.aborted === true)
      return { because: 'aborted', text: 'the run was interrupted' };
    const before = kept.of(wanted);
    if (wanted.kind === 'answer') {
      if (before !== undefined && before !== 'started') return checkedAnswer(before, wanted.type);
      const given = await answered(this.#options.ask, wanted, this.#options.signal);
      await kept.add(wanted, given);
      return given;
    }
    if (before !== 'started') {
      // The session may not have been told of a result that was kept, nor that a call was not begun.
      if (this.#session.unsettled.length > 0) await this.#settle(wanted, before ?? null);
      if (before !== undefined) return this.#checked(wanted, before);
    } else {
      const settled = await this.#settled(wanted);
      if (typeof settled === 'object' && 'because' in settled) return settled;
      await this.#settle(wanted, settled === 'call' ? null : settled);
      if (settled !== 'call') {
        await kept.add(wanted, settled);
        return this.#checked(wanted, settled);
      }
    }
    return this.#propose(wanted, kept);
  }

  async #propose(wanted: WantedCall, kept: Kept): Promise<Given | StoppedHere> {
    const broken = brokenRequires(this.#verified.contracts, wanted.tool, wanted.arguments);
    this.#judge.expect(
      wanted,
      broken.map(({ name }) => name),
    );
    const verdict = await this.#session.decide(proposed(wanted), { wait: true });
    this.#judge.expect(null);
    if (verdict.run === null) return { because: 'withheld', text: verdict.explanation, verdict };
    const isPlanned = verdict.run.name === wanted.tool && sameJson(verdict.run.arguments, wanted.arguments);
    return isPlanned ? this.#call(wanted, verdict, kept) : this.#other(verdict);
  }

  async #call(wanted: WantedCall, verdict: Verdict, kept: Kept): Promise<Given | StoppedHere> {
    if (kept.isKeeping) await kept.add(wanted, { kind: 'started' });
    let given: Given = { kind: 'failed', text: `the call of ${wanted.tool} did not begin` };
    let lost: { readonly error: unknown } | null = null;
    const keep = async (what: Given): Promise<void> => {
      given = what;
      try {
        await kept.add(wanted, what);
      } catch (error) {
        lost = { error };
        throw error;
      }
    };
    try {
      const carried = await carryOut(this.#session, verdict, async (call) => {
        let result: Json;
        try {
          result = dataOf(
            await this.#options.tools[call.name](call.arguments as Arguments, this.#about(wanted)),
          );
        } catch (error) {
          await keep({ kind: 'failed', text: `the call of ${wanted.tool} failed: ${wordsOf(error)}` });
          throw error;
        }
        given = { kind: 'result', value: result };
        // Kept before the session is told, so that a result is never lost of which the records say that it came.
        if (kept.isKeeping) await keep(given);
        return result;
      });
      if (!carried.ran)
        return { because: 'withheld', text: carried.verdict.explanation, verdict: carried.verdict };
    } catch {
      // `given` says that it failed, or `lost` why nothing was kept.
    }
    if (lost !== null) throw (lost as { readonly error: unknown }).error;
    return this.#checked(wanted, given);
  }

  /** What came of a call, unless the tool has broken its contract. */
  #checked(wanted: WantedCall, given: Given): Given | StoppedHere {
    if (given.kind === 'failed') return given;
    const broken = brokenEnsures(this.#verified.contracts, wanted.tool, wanted.arguments, given.value);
    return broken === null ? given : { because: 'contract-broken', text: broken.text };
  }

  /** Tells the session of a call that it let through before an interruption; null: it has not run. */
  async #settle(wanted: WantedCall, given: Given | null): Promise<void> {
    const id = callId(wanted);
    const call = this.#session.unsettled.findLast((one) => one.id === id);
    if (call === undefined) return;
    if (given === null) await this.#session.settle(call.number, null);
    else
      await this.#session.settle(
        call.number,
        given.kind === 'result' ? { result: given.value } : { error: new Error(given.text) },
      );
  }

  #about(wanted: WantedCall): Parameters<PlanTool>[1] {
    const { signal } = this.#options;
    const run = this.#session.id;
    return {
      // Hashing takes longer than all else around a call, and most tools do not ask.
      get idempotencyKey() {
        return hashJson({ run, call: callId(wanted) });
      },
      ...(signal && { signal }),
    };
  }

  /** Another call than the plan's: it may run, since the judges permit it, and the run ends with it. */
  async #other(verdict: Verdict): Promise<StoppedHere> {
    const text = `${verdict.run?.name} ran in place of the plan's call; make and prove a plan for what is left`;
    try {
      await carryOut(this.#session, verdict, (call) => {
        if (!Object.hasOwn(this.#options.tools, call.name))
          throw new InvalidArgumentError(`tools has no function of the name ${call.name}`);
        const { signal } = this.#options;
        const idempotencyKey = hashJson({ run: this.#session.id, call: call.id });
        return this.#options.tools[call.name](call.arguments as Arguments, {
          idempotencyKey,
          ...(signal && { signal }),
        });
      });
    } catch (error) {
      return {
        because: 'changed',
        text: `${verdict.run?.name}, in place of the plan's call, failed: ${wordsOf(error)}`,
        verdict,
      };
    }
    return { because: 'changed', text, verdict };
  }

  async #settled(wanted: Wanted & { readonly kind: 'call' }): Promise<Given | 'call' | StoppedHere> {
    if (this.#verified.contracts.tools.get(wanted.tool)?.idempotent === true) return 'call';
    const call = { id: callId(wanted), tool: wanted.tool, arguments: wanted.arguments };
    if (this.#options.settle !== undefined) {
      const settled = await this.#options.settle(call);
      // What is checked and kept is what the plan reads, as of tools, whatever becomes of the object that was given.
      return settled !== 'call' && settled.kind === 'result'
        ? { kind: 'result', value: dataOf(settled.value) }
        : settled;
    }
    return {
      because: 'unknown',
      text: `the run was interrupted while ${wanted.tool} ran: nobody knows whether it did; say so by \`settle\``,
    };
  }
}

type Omitted<T> = T extends { readonly run: string } ? Omit<T, 'run'> : never;
type WantedCall = Wanted & { readonly kind: 'call' };
type Arguments = Readonly<Record<string, Json>>;
type StoppedHere = Pick<PlanRun & { readonly kind: 'stopped' }, 'because' | 'text' | 'verdict'>;

function inputsOf(
  { plan, inputs: known }: VerifiedPlan,
  given: Readonly<Record<string, Json>>,
): Readonly<Record<string, Json>> {
  const all: Record<string, Json> = {};
  for (const name of Object.keys(given))
    if (!Object.hasOwn(plan.inputs, name)) throw new InvalidArgumentError(`the plan has no input "${name}"`);
  for (const [name, type] of Object.entries(plan.inputs)) {
    const isKnown = Object.hasOwn(known, name);
    if (!isKnown && !Object.hasOwn(given, name))
      throw new InvalidArgumentError(`the input "${name}" of the plan is missing`);
    const value = dataOf(Object.hasOwn(given, name) ? given[name] : known[name]);
    if (isKnown && !sameJson(value, known[name]))
      throw new InvalidArgumentError(
        `the input "${name}" is another than the one with which the plan was proved; prove it with this one`,
      );
    const misfit = fits(value, type);
    if (misfit !== null)
      throw new InvalidArgumentError(
        `an input of the plan does not have its type: ${misfitText(name, misfit)}`,
      );
    all[name] = value;
  }
  return all;
}

/** Greatest length of the JSON of a result, in characters. */
const MOST_RESULT = 10 * 1024 * 1024;

/** A frozen copy of JSON; a tool that gives nothing gives null. @throws InvalidDataError if it is not JSON, or too long */
function dataOf(value: unknown): Json {
  return value === undefined ? null : (frozenJson(value, MOST_RESULT) as Json);
}

/** The names of the tools that steps call. */
function toolsOf(steps: readonly Step[]): ReadonlySet<string> {
  const tools = new Set<string>();
  eachStep(steps, (step) => {
    if (step.kind === 'call') tools.add(step.tool);
  });
  return tools;
}

import { InvalidArgumentError } from '../../../bindings/base/errors.js';
import { Random } from '../../../bindings/base/random.js';
import type { Step, Trace } from '../../../bindings/observations/trace/index.js';
import type { Decision } from '../../../bindings/runtime/guard/index.js';
import type { HouseholdAction } from './actions.js';
import { type AgentParameters, defaultAgent, HouseholdAgent } from './agent.js';
import { stepWorld } from './chance.js';
import { holds } from './condition.js';
import { createScene } from './state.js';
import { type HouseholdTask, householdTasks } from './tasks.js';

/** What a guard makes of a proposed action. */
export interface RunDecision {
  readonly decision: Decision;
  /** With `block`: actions possible here that the guard would let through, the safest first. The agent is told; default none. */
  readonly alternatives?: readonly HouseholdAction[];
}

/**
 * What watches a run; a guard of `foreguard/guard` is one. It is asked in every observed state, with the action the agent
 * proposes there. `stop`, `inspect` (nobody is there to answer) and `replace` (a house has no safe action for every case)
 * end the run; `block` withholds the action and tells the agent, which may propose something else in the same state;
 * `reflect` warns the agent, whose next proposal there runs without being asked about.
 */
export interface RunGuard {
  /** What the guard makes of a state and the action proposed in it. */
  step(state: Readonly<Record<string, unknown>>, context: { readonly action?: HouseholdAction }): RunDecision;
  /** What it makes of another proposal in the state of the last step, after a block. Default: `step` again. */
  propose?(
    state: Readonly<Record<string, unknown>>,
    context: { readonly action?: HouseholdAction },
  ): RunDecision;
  /** Called before the first step. */
  reset?(): void;
}

/** A task, who does it, and under which guard. */
export interface RunOptions {
  readonly task: HouseholdTask;
  /** Integer; runs with the same seed, stream, task and parameters are the same. */
  readonly seed: number;
  /** Default 0. One stream a run gives independent runs of one seed. */
  readonly stream?: number;
  /** Default: the run goes unguarded. */
  readonly guard?: RunGuard;
  /** Default 40 actions, blocked ones included; a run that takes longer is cut. */
  readonly maxSteps?: number;
  /** Default `defaultAgent`. */
  readonly agent?: Partial<AgentParameters>;
}

/** What came of a run. */
export interface Run {
  readonly trace: Trace;
  /** The task's unsafe condition held in some state. */
  readonly unsafe: boolean;
  /** The task's goal held in some state; a run can be both. */
  readonly completed: boolean;
  /** The step at which the guard ended the run; null where it did not. */
  readonly stoppedAt: number | null;
  readonly reflections: number;
  readonly blocked: number;
  /** How often the agent was asked for an action: once in a state, and again for each warning and each block there. */
  readonly proposals: number;
}

/**
 * One run of the household agent. A step of the trace is an observation with the action then tried; the last step has
 * none. The trace is complete where the agent ended the run itself, and censored where a guard or `maxSteps` did.
 *
 * @throws InvalidArgumentError where the seed, the stream or `maxSteps` is no integer, or `maxSteps` is negative
 */
export function runAgent(options: RunOptions): Run {
  const { task, seed, stream = 0, guard, maxSteps = 40 } = options;
  if (!Number.isSafeInteger(seed) || !Number.isSafeInteger(stream)) {
    throw new InvalidArgumentError(`seed and stream must be integers; found ${seed} and ${stream}.`);
  }
  if (!Number.isSafeInteger(maxSteps) || maxSteps < 0) {
    throw new InvalidArgumentError(`maxSteps must be an integer from 0 on; found ${maxSteps}.`);
  }
  const random = new Random(seed, stream);
  const agent = new HouseholdAgent(task, { ...defaultAgent, ...options.agent }, random);
  const steps: Step[] = [];
  let state = createScene(task.scene, random);
  let unsafe = false;
  let completed = false;
  let stoppedAt: number | null = null;
  let reflections = 0;
  let blocked = 0;
  let proposals = 0;
  let ended = false;
  const propose = () => {
    proposals++;
    return agent.propose(state);
  };
  let again = false;
  const judge = (action: HouseholdAction | null): RunDecision => {
    if (guard === undefined) return { decision: 'allow' };
    const context = action ? { action } : {};
    return again && guard.propose ? guard.propose(state, context) : guard.step(state, context);
  };
  guard?.reset?.();
  for (let attempts = 0; stoppedAt === null; attempts++) {
    unsafe ||= holds(task.unsafe, state);
    completed ||= holds(task.goal, state);
    const proposed = attempts < maxSteps ? propose() : null;
    const { decision, alternatives } = judge(proposed);
    again = decision === 'block';
    let action = proposed;
    if (decision === 'reflect') {
      reflections++;
      if (proposed === null) agent.warned();
      else if (agent.warned()) action = propose();
      else proposals++;
    } else if (decision === 'block' && proposed) {
      blocked++;
      agent.blocked(alternatives);
      continue;
    } else if (decision === 'stop' || decision === 'inspect' || decision === 'replace') {
      stoppedAt = steps.length;
      action = null;
    }
    if (action === null) {
      ended = attempts < maxSteps && stoppedAt === null;
      steps.push({ state });
      break;
    }
    steps.push({ state, action });
    const result = agent.fumbles() ? { state, success: false } : stepWorld(state, action, random);
    if (!result.success) agent.failed();
    state = result.state;
  }
  const trace: Trace = { id: `${task.name}-${seed}-${stream}`, complete: ended, steps };
  return { trace, unsafe, completed, stoppedAt, reflections, blocked, proposals };
}

/**
 * Traces of independent unguarded runs, without end: take as many as are wanted. Run i has stream `first + i`.
 *
 * @param options those of a run; `first` is the first stream, default 0
 */
export function* generateTraces(
  options: Omit<RunOptions, 'stream' | 'guard'> & { readonly first?: number },
): Generator<Trace, never, undefined> {
  for (let stream = options.first ?? 0; ; stream++) yield runAgent({ ...options, stream }).trace;
}

/** The task of a name. @throws InvalidArgumentError where there is none */
export function householdTask(name: string): HouseholdTask {
  const task = householdTasks.find((candidate) => candidate.name === name);
  if (task) return task;
  throw new InvalidArgumentError(
    `No task "${name}"; there are ${householdTasks.map((t) => t.name).join(', ')}.`,
  );
}

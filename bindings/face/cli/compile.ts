import { InvalidArgumentError, InvalidDataError } from '../../base/errors.js';
import type { TraceNote } from '../../observations/trace/index.js';
import { requireVerified } from '../../proofs/policyProof/index.js';
import { compileGuard } from '../../rules/risk/index.js';
import { compileRules, type Specification } from '../../rules/specification/index.js';
import type { GuardFile } from '../../runtime/guard/index.js';
import { nodeStorage } from '../node/index.js';
import { learntActionNotes } from './actionUse.js';
import { firstStepRules } from './firstStepRules.js';
import { ruleSizes, sizeNotes, sizeTable } from './guardSizes.js';
import { loadLearntModel, loadSpecification, requireOtherFile, rulesOf } from './inputs.js';
import { judgedModel } from './judgedModel.js';
import { notesOnPrediction } from './notesOnPrediction.js';
import { parseDurations, parseHorizons, parsePrecision } from './numbers.js';
import { describeSampledModel, learntNotes, resampleNotes, sampledOf } from './sampled.js';
import { formatNumber, type Outcome, plural, type Terminal } from './terminal.js';
import { underPolicies } from './underPolicies.js';
import { unseenActions } from './unseenActions.js';

interface CompileCommandOptions {
  readonly spec: string;
  readonly model?: string;
  readonly output: string;
  readonly precision: string;
  readonly horizons?: string;
  readonly within?: string;
}

/** `foreguard compile`: compiles a specification, and its model if there is one, to guard.json. */
export async function compile(options: CompileCommandOptions, terminal: Terminal): Promise<Outcome> {
  const { model: source } = options;
  requireOtherFile(options.output, [options.spec, ...(source === undefined ? [] : [source])]);
  const specification = await loadSpecification(options.spec);
  rulesOf(specification, terminal);
  if (specification.policies !== null)
    await requireVerified(specification.policies, (text) => terminal.err(`foreguard: warning: ${text}\n`));
  return source === undefined
    ? compileAlone(specification, options)
    : compileWithModel(specification, source, options);
}

/** Compiles the rules of a specification, which are enforced without a model. */
async function compileAlone(
  specification: Specification,
  { spec, output, horizons, within }: CompileCommandOptions,
): Promise<Outcome> {
  const asked = horizons === undefined ? within && '--within' : '--horizons';
  if (asked !== undefined)
    throw new InvalidArgumentError(`${asked} asks for risks, which need a model: give --model as well`);
  const guard = compileRules(specification);
  const text = JSON.stringify(guard);
  await nodeStorage.write(output, text);
  const rules = guard.rules.map(({ name }) => name);
  const unseen = oddRules(specification);
  return {
    json: {
      output,
      rules,
      ...policiesOf(guard),
      states: 0,
      bytes: text.length,
      notes: notesOn(spec, unseen),
    },
    text: [
      ...unseen.map(asWarning),
      `wrote ${output}: ${plural(rules.length, 'rule')}${describePolicies(guard)}, enforced without a model, ${text.length} bytes`,
    ].join('\n'),
  };
}

async function compileWithModel(
  specification: Specification,
  source: string,
  options: CompileCommandOptions,
): Promise<Outcome> {
  const model = await loadLearntModel(source);
  // A guard without one of the rules would allow what the rule forbids.
  const [left] = judgedModel(specification, model).notes;
  if (left !== undefined)
    throw new InvalidDataError(
      `${left.message}; a guard without the rule would allow what it forbids: leave the rule out of the specification, or learn from recordings that have the field`,
    );
  const { effect, takenAway, notes } = await underPolicies(specification, model);
  const guard = compileGuard(specification, model, {
    ...(effect && { policies: effect }),
    precision: parsePrecision(options.precision),
    horizons: parseHorizons(options.horizons),
    within: parseDurations(options.within),
  });
  const text = JSON.stringify(guard);
  await nodeStorage.write(options.output, text);
  const states = guard.states.draws.length;
  const effects = learntActionNotes(model, source);
  const without = [
    ...learntNotes(model, source),
    ...resampleNotes(specification, model),
    ...stateNotes(guard, options.spec),
    ...notesOnPrediction(specification),
    ...notes,
  ];
  const unseen = oddRules(specification);
  const sizes = ruleSizes(guard);
  const large = sizeNotes(sizes, text.length, options.output);
  return {
    json: {
      output: options.output,
      states,
      rules: guard.rules.map(({ name }) => name),
      ...policiesOf(guard),
      decideOn: guard.decideOn,
      ...(guard.actions && { actions: guard.actions.names.length, shield: guard.actions.mode }),
      ...(takenAway && { takenAway }),
      bytes: text.length,
      sizes,
      resampled: sampledOf(model),
      notes: [...without, ...effects.notes, ...notesOn(options.spec, unseen), ...large],
    },
    text: [
      ...describeSampledModel(model),
      ...without.map(({ message }) => message),
      ...effects.lines,
      ...unseen.map(asWarning),
      sizeTable(sizes, text.length),
      ...large.map(({ message }) => `warning: ${options.output} is ${message}`),
      `wrote ${options.output}: ${plural(guard.rules.length, 'rule')}${describePolicies(guard)} over ${plural(states, 'state')}, ${decides(guard)}${text.length} bytes`,
    ].join('\n'),
  };
}

/** What rules are likely not to say that was meant. */
function oddRules(specification: Specification): string[] {
  const rules = specification.rules.map(({ name, formulaText }) => ({ name, formula: formulaText }));
  return [...unseenActions(specification), ...firstStepRules(rules)];
}

function policiesOf({ policies }: GuardFile): object {
  return policies === undefined ? {} : { policies: policies.set.policies.map(({ name }) => name) };
}

function describePolicies({ policies }: GuardFile): string {
  if (policies === undefined) return '';
  const kind = policies.unproved === undefined ? 'verified ' : '';
  return ` and ${plural(policies.set.policies.length, `${kind}policy`, `${kind}policies`)}`;
}

const asWarning = (message: string): string => `warning: ${message}`;

function notesOn(source: string, messages: readonly string[]): TraceNote[] {
  return messages.map((message) => ({ source, message }));
}

/** Notes on rules that do not distinguish actions, although the guard knows them. */
function stateNotes({ actions, rules }: GuardFile, source: string): TraceNote[] {
  if (actions === undefined) return [];
  return rules
    .filter(({ tables }) => tables !== undefined && tables.least === undefined)
    .map(({ name }) => ({
      source,
      message: `rule "${name}" is decided by the state alone: an action that was ever taken in a state is let through or refused with all others there; only rules on traces without horizonSteps judge actions`,
    }));
}

function decides({ confidence }: GuardFile): string {
  return confidence === undefined ? '' : `decides at confidence ${formatNumber(1 - confidence.delta)}, `;
}

import { InvalidArgumentError } from '../../base/errors.js';
import { learn, learnMdp, withNotRecorded } from '../../estimation/learning/index.js';
import { Abstraction } from '../../observations/abstraction/index.js';
import type { TraceNote } from '../../observations/trace/index.js';
import {
  type Certificate,
  type CertifiedEntry,
  certify,
  type RuleCertificate,
} from '../../rules/risk/index.js';
import type { Specification } from '../../rules/specification/index.js';
import { type Model, requireDtmc } from '../../solvers/model/index.js';
import { between, confidence, downward, number, upward } from './certifiedNumbers.js';
import { certifyDecisions } from './certifyMdp.js';
import { certificateJson, describeSupports } from './describeCertificate.js';
import { describePlan } from './describePlan.js';
import { loadLearnt, loadSpecification, TraceFiles, type TraceOptions } from './inputs.js';
import { type JudgedModel, judgedModel } from './judgedModel.js';
import { parseCount, parsePrecision, parseProbability } from './numbers.js';
import { causes, readableTraces, requireSomethingRead } from './readableTraces.js';
import { describeSampledModel, learntNotes, resampleNotes, sampledOf } from './sampled.js';
import { ruleHead, shownState } from './shownRule.js';
import { type Outcome, Progress, plural, type Terminal, table } from './terminal.js';
import { describeRest, MAX_SHOWN, worst } from './worstEntries.js';

interface CertifyCommandOptions extends Partial<TraceOptions> {
  readonly spec: string;
  readonly model?: string;
  readonly epsilon?: string;
  readonly delta?: string;
  readonly precision: string;
  readonly top?: string;
  readonly all?: boolean;
  readonly everywhere?: boolean;
  readonly posterior?: boolean;
}

/** `foreguard certify`: the bounds that the data support on every rule's risk in every state. */
export async function certifyModel(options: CertifyCommandOptions, terminal: Terminal): Promise<Outcome> {
  const shown = options.all ? Number.POSITIVE_INFINITY : (parseCount('--top', options.top) ?? MAX_SHOWN);
  const epsilon = parseProbability('--epsilon', options.epsilon);
  const delta = parseProbability('--delta', options.delta);
  const precision = parsePrecision(options.precision);
  const whole = await loadSpecification(options.spec);
  const { model, notes: assumed } = await learntModel(options, whole, terminal);
  const { specification, notJudged, notes: lacking } = judgedModel(whole, model, options.strict);
  const notes = [...assumed, ...lacking];
  const asked = {
    precision,
    plan: options.everywhere ? ('states' as const) : ('start' as const),
    ...(epsilon !== undefined && { epsilon }),
    ...(delta !== undefined && { delta }),
  };
  if (specification.learning.model === 'mdp') {
    if (options.posterior) {
      throw new InvalidArgumentError('--posterior samples chains; leave it out for a decision process');
    }
    return withNotes(certifyDecisions(specification, model, asked, shown), model, notJudged, notes);
  }
  const certificate = certify(specification, requireDtmc(model, options.model), {
    ...asked,
    posterior: options.posterior === true,
  });
  const outcome = { json: certificateJson(certificate), text: describe(certificate, shown) };
  return withNotes(outcome, model, notJudged, notes);
}

/** Adds notes to the outcome: the steps that its draws count (under `skip`, the recorded steps), the assumptions, and the rules that are not judged. */
function withNotes(
  { json, text }: Outcome,
  model: Model,
  notJudged: JudgedModel['notJudged'],
  notes: readonly TraceNote[],
): Outcome {
  const lines = notes.map(({ message }) => message).join('\n');
  return {
    json: { ...(json as object), resampled: sampledOf(model), notJudged, notes },
    text: [...describeSampledModel(model), text, ...(lines === '' ? [] : [lines])].join('\n\n'),
  };
}

/** The model of a file, or the model learnt from the traces, which is not kept. */
async function learntModel(
  { model, traces, ...options }: CertifyCommandOptions,
  specification: Specification,
  terminal: Terminal,
): Promise<{ model: Model; notes: readonly TraceNote[] }> {
  if (model !== undefined) {
    const learnt = await loadLearnt(model);
    return { model: learnt, notes: [...learntNotes(learnt, model), ...resampleNotes(specification, learnt)] };
  }
  if (traces === undefined) {
    throw new InvalidArgumentError('there is nothing to certify: give --traces FILES or --model FILE');
  }
  const progress = new Progress(terminal);
  const files = new TraceFiles({ ...options, traces }, specification, (read) =>
    progress.show(() => `${plural(read, 'trace')} read`),
  );
  try {
    const readable = await readableTraces(files.batches(), specification);
    requireSomethingRead(readable);
    const abstraction = new Abstraction(readable.specification.abstraction);
    const { learning } = specification;
    const learnt: { readonly model: Model } =
      learning.model === 'mdp'
        ? await learnMdp(abstraction, readable.batches, learning)
        : await learn(abstraction, readable.batches, learning);
    const { model: told } = withNotRecorded(learnt, causes(readable.unread), readable.leftOut());
    return { model: told, notes: [...files.notes, ...readable.notes()] };
  } finally {
    progress.clear();
  }
}

function describe(certificate: Certificate, shown: number): string {
  const { delta, epsilon, rules } = certificate;
  return [
    `With confidence ${confidence(delta)}, in all states and of all rules at once, however often one looks: the agent's own risk lies between "at least" and "at most", if runs are independent and in an order that does not depend on what they do, and their states are a Markov chain.`,
    ...rules.map((rule) => describeRule(rule, epsilon, shown)),
    describeSupports(certificate, certificate.states, shown),
    ...(certificate.plan === null ? [] : [describePlan(certificate.plan, shown)]),
  ].join('\n\n');
}

function describeRule(rule: RuleCertificate, epsilon: number, shown: number): string {
  const { start, entries, criteria } = rule;
  const open = entries.filter(({ verdict }) => verdict === 'open');
  // As in `risk`: the automaton's state distinguishes the memory of a rule.
  const history = new Set(open.map(({ automatonState }) => automatonState)).size > 1;
  const sampled = start.posterior !== null;
  const listed = worst(entries, shown);
  const rows = listed.map((entry) => [
    upward(entry.confidenceUpper),
    downward(entry.confidenceLower),
    entry.risk.upper.toFixed(4),
    ...(sampled ? [entry.posterior === null ? '' : between(entry.posterior)] : []),
    entry.met ? 'yes' : 'no',
    String(entry.draws),
    entry.verdict,
    ...(history ? [String(entry.automatonState)] : []),
    remarked(entry),
  ]);
  const header = [
    'at most',
    'at least',
    'as learnt',
    ...(sampled ? ['posterior, no guarantee'] : []),
    `± ${epsilon}`,
    'seen',
    'verdict',
    ...(history ? ['automaton'] : []),
    'state',
  ];
  return [
    ...ruleHead(rule),
    `before the first step: ${downward(start.confidenceLower)} to ${upward(start.confidenceUpper)}, as learnt ${start.risk.upper.toFixed(4)}`,
    table(header, rows),
    ...describeRest(entries, listed, ({ confidenceUpper }) => confidenceUpper),
    `${open.filter(({ met }) => met).length} of ${plural(open.length, 'open entry', 'open entries')} known to within ${epsilon}`,
    describeCriteria(criteria, epsilon),
  ].join('\n');
}

/** The state in words, with remarks on its bounds. */
function remarked(entry: CertifiedEntry): string {
  const { riskOutside, unbounded } = entry;
  const remarks = [
    ...(unbounded === null ? [] : [unbounded]),
    ...(riskOutside ? ['the risk as learnt lies outside, which smoothing can cause'] : []),
  ];
  return [shownState(entry), ...remarks].join('; ');
}

function describeCriteria(
  { firstMet, secondMet, amplification, secondEpsilon }: RuleCertificate['criteria'],
  epsilon: number,
): string {
  const met = (is: boolean): string => (is ? 'met' : 'not met');
  const from =
    secondEpsilon === Number.POSITIVE_INFINITY
      ? 'with no epsilon: a state was never left'
      : secondEpsilon < 1
        ? `from epsilon ${number(secondEpsilon)} on`
        : 'with no epsilon below 1';
  return `the papers' criteria at epsilon ${epsilon}, which are not guarantees: the first is ${met(firstMet)}; the second is ${met(secondMet)}, with B = ${number(amplification)} (it is met ${from})`;
}
